// What the table needs to play this game.
import type { AnyView } from "../contract";
import { read } from "./pad";
import type { KrakatoaView } from "./view";
export { default as Board } from "./Board.svelte";
export { goal, narrate, sound } from "./story";
export { asks, describe } from "./text";
export { say } from "./view";

export const films = true;

/** What was typed about real dice, in either language. */
export const reads = (typed: string, view: AnyView) => read(typed, (view as KrakatoaView).aim !== null);
export { puzzle } from "./puzzle";
