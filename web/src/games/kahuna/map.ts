// Where the islands lie on the page: the facts' places, drawn wide on a desk and tall on a phone.
import type { Point } from "@/parts/shapes";
import { between } from "@/parts/shapes";
import { ends, facts, islands, type Island, type Line } from "./view";

export interface Chart {
  width: number;
  height: number;
  rx: number;
  ry: number;
  at: Record<Island, Point>;
}

const XY = facts.xy as unknown as Record<Island, [number, number]>;
const xs = islands.map((name) => XY[name]![0]);
const ys = islands.map((name) => XY[name]![1]);
const [left, right] = [Math.min(...xs), Math.max(...xs)];
const [top, bottom] = [Math.min(...ys), Math.max(...ys)];

/** Stretching keeps straight lines from crossing, so a chart may have any shape. */
function chart(width: number, height: number, rx: number, ry: number, rim: Point): Chart {
  const place = (name: Island): Point => ({
    x: rim.x + ((XY[name]![0] - left) / (right - left)) * (width - 2 * rim.x),
    y: rim.y + ((XY[name]![1] - top) / (bottom - top)) * (height - 2 * rim.y),
  });
  return { width, height, rx, ry, at: Object.fromEntries(islands.map((name) => [name, place(name)])) };
}

export const WIDE = chart(660, 480, 45, 29, { x: 66, y: 50 });
export const TALL = chart(390, 496, 28, 23, { x: 38, y: 38 });
/** A chart for a box of this many pixels: as high as there is room, but never so flat that islands touch: then wider. */
export function fitted(width: number, height: number): Chart {
  const usual = width >= 520 ? WIDE : TALL;
  if (width <= 0 || height <= 0) return usual;
  const high = Math.min(1.35 * usual.height, Math.max(0.6 * usual.height, (usual.width * height) / width));
  const wide = Math.max(usual.width, (high * width) / height);
  const flat = Math.min(1, high / usual.height);
  const rim = usual === WIDE ? { x: 66, y: 18 + 32 * flat } : { x: 38, y: 16 + 22 * flat };
  return chart(wide, high, usual.rx, usual.ry * Math.max(0.8, flat), rim);
}

/** The picture of a card. */
export const SMALL = chart(56, 52, 3, 3, { x: 11, y: 10 });

/** The middle of the open water of a line, where its handle is. */
export function handle(chart: Chart, line: Line): Point {
  const [a, b] = ends(line);
  return between(chart.at[a]!, chart.at[b]!, 0.5);
}
