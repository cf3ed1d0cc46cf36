// Where cells and megaliths stand on the page.
import type { Point } from "@/parts/shapes";
import { facts, type Cell, type Line } from "./view";

const STEP = 41;
const ROW = 66;
export const WIDTH = 496;
export const HEIGHT = 456;
/** Where the plain meets the sky: the farthest stones stand before it. */
export const HORIZON = 40;
const XY = facts.xy as unknown as Record<Cell, [number, number]>;
const ENDS = facts.ends as unknown as Record<Line, [Cell, number, number]>;

function spot(column: number, row: number): Point {
  return { x: 100 + column * STEP, y: 108 + row * ROW };
}

export function cellAt(cell: Cell): Point {
  return spot(...XY[cell]!);
}

/** A line's megalith stands a little outside, in the line's own direction. */
export function stoneAt(line: Line): Point {
  const [cell, right, down] = ENDS[line]!;
  const [column, row] = XY[cell]!;
  return spot(column + right * 0.87, row + down * 0.87);
}

/** The end of the beam that is farther from the megalith. */
export function farEnd(line: Line): Point {
  const [cell] = ENDS[line]!;
  return cellAt(cell === line[0] ? line.at(-1)! : line[0]!);
}
