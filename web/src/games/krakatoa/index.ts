// What the table needs of this game.
export { default as Board } from "./Board.svelte";
export { asks, describe, tell } from "./text";
export { say } from "./view";
