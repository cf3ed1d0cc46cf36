// What the table needs to play this game.
export { default as Board } from "./Board.svelte";
export { moment } from "./moments";
export { default as Moments } from "./Moments.svelte";
export { goal, narrate, sound } from "./story";
export { describe } from "./text";
export { say } from "./view";
export { puzzle } from "./puzzle";
