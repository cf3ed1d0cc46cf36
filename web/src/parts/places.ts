// Where things are on a board, for what is drawn over it.
import type { Point } from "./shapes";

export type { Point };

/** The middle of the first thing that fits, in pixels from the board's corner; the board's own middle where nothing does. */
export function middle(board: HTMLElement, selector: string): Point {
  const frame = board.getBoundingClientRect();
  const box = (board.querySelector(selector) ?? board).getBoundingClientRect();
  return { x: box.left + box.width / 2 - frame.left, y: box.top + box.height / 2 - frame.top };
}
