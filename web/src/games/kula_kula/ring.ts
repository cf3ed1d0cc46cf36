// Where the spaces lie: evenly along a rounded ring, clockwise from its top, as wide and high as the room for it.
import type { Point } from "@/parts/shapes";

export interface Chart {
  width: number;
  height: number;
  middle: Point;
  rx: number;
  ry: number;
  /** Room for larger things: a desk or a tablet rather than a phone. */
  large: boolean;
}

/** How round the ring is: 2 is an ellipse, more comes closer to a rectangle. */
const ROUND = 2.7;

function chart(width: number, height: number, large: boolean): Chart {
  const [aside, above] = large ? [62, 66] : [36, 40];
  return {
    width,
    height,
    middle: { x: width / 2, y: height / 2 },
    rx: width / 2 - aside,
    ry: height / 2 - above,
    large,
  };
}

/** A chart for a box of this many pixels; one that would be too flat or too high keeps its measure. */
export function fitted(width: number, height: number): Chart {
  const large = width >= 600;
  const wide = large ? 760 : 390;
  if (width <= 0 || height <= 0) return large ? chart(760, 540, true) : chart(390, 590, false);
  const high = Math.min(1.7 * wide, Math.max(large ? 420 : 330, (wide * height) / width));
  return chart(Math.max(wide, (high * width) / height), high, large);
}

function rim({ middle, rx, ry }: Chart, share: number): Point {
  const bend = (part: number) => Math.sign(part) * Math.abs(part) ** (2 / ROUND);
  return {
    x: middle.x + rx * bend(Math.sin(2 * Math.PI * share)),
    y: middle.y - ry * bend(Math.cos(2 * Math.PI * share)),
  };
}

function around(chart: Chart, steps: number): { points: Point[]; gone: number[] } {
  const points = Array.from({ length: steps + 1 }, (_, k) => rim(chart, k / steps));
  const gone = [0];
  for (let k = 1; k <= steps; k++) {
    gone.push(gone[k - 1]! + Math.hypot(points[k]!.x - points[k - 1]!.x, points[k]!.y - points[k - 1]!.y));
  }
  return { points, gone };
}

/** The whole ring, to be drawn. */
export function route(chart: Chart): string {
  return `M${around(chart, 96)
    .points.map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`)
    .join("L")}Z`;
}

/** The middle of each space. */
export function places(chart: Chart, spaces: number): Point[] {
  const { points, gone } = around(chart, 1440);
  const length = gone.at(-1)!;
  return Array.from(
    { length: spaces },
    (_, space) => points[gone.findIndex((far) => far >= (length * space) / spaces)]!,
  );
}

/** How large a space may be drawn. */
export function sizeOf(chart: Chart, spaces: number): number {
  return Math.min(chart.large ? 33 : 25, (0.5 * around(chart, 96).gone.at(-1)!) / spaces);
}

/** The direction from a space to the middle of the ring, of length 1. */
export function inward(chart: Chart, at: Point): Point {
  const bend = (far: number, half: number) => (Math.sign(far) * Math.abs(far / half) ** (ROUND - 1)) / half;
  const x = bend(chart.middle.x - at.x, chart.rx);
  const y = bend(chart.middle.y - at.y, chart.ry);
  const far = Math.hypot(x, y);
  return { x: x / far, y: y / far };
}
