// What the table needs to play this game.
export { default as Board } from "./Board.svelte";
export { moment } from "./moments";
export { puzzle } from "./puzzle";
export { goal, narrate, sound } from "./story";
export { describe } from "./text";
export { say } from "./view";
