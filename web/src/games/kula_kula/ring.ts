// Where the spaces lie: evenly along an oval, clockwise from its top; wide on a desk, tall on a phone.
import type { Point } from "@/parts/shapes";

export interface Chart {
  width: number;
  height: number;
  middle: Point;
  rx: number;
  ry: number;
}

export const WIDE: Chart = { width: 760, height: 540, middle: { x: 380, y: 270 }, rx: 318, ry: 206 };
export const TALL: Chart = { width: 390, height: 590, middle: { x: 195, y: 294 }, rx: 155, ry: 246 };

/** A chart for a box of so many pixels: as wide as the usual one, as high as there is room. */
export function fitted(width: number, height: number): Chart {
  const usual = width >= 600 ? WIDE : TALL;
  if (width <= 0 || height <= 0) return usual;
  const high = Math.min(1.15 * usual.height, Math.max(0.5 * usual.height, (usual.width * height) / width));
  const flat = high / usual.height;
  return {
    ...usual,
    height: high,
    middle: { x: usual.middle.x, y: high / 2 },
    ry: high / 2 - (usual.height / 2 - usual.ry) * Math.min(1, 0.5 + flat / 2),
  };
}

function rim({ middle, rx, ry }: Chart, share: number): Point {
  return { x: middle.x + rx * Math.sin(2 * Math.PI * share), y: middle.y - ry * Math.cos(2 * Math.PI * share) };
}

/** The middle of each space. */
export function places(chart: Chart, spaces: number): Point[] {
  const steps = 1440;
  const points = Array.from({ length: steps + 1 }, (_, k) => rim(chart, k / steps));
  const gone = [0];
  for (let k = 1; k <= steps; k++) {
    gone.push(gone[k - 1]! + Math.hypot(points[k]!.x - points[k - 1]!.x, points[k]!.y - points[k - 1]!.y));
  }
  const length = gone[steps]!;
  return Array.from(
    { length: spaces },
    (_, space) => points[gone.findIndex((far) => far >= (length * space) / spaces)]!,
  );
}

/** How large a space may be drawn. */
export function sizeOf(chart: Chart, spaces: number): number {
  const around =
    Math.PI * (3 * (chart.rx + chart.ry) - Math.sqrt((3 * chart.rx + chart.ry) * (chart.rx + 3 * chart.ry)));
  return Math.min(30, (0.44 * around) / spaces);
}

/** The direction from a space to the middle of the oval, of length 1. */
export function inward(chart: Chart, at: Point): Point {
  const x = (chart.middle.x - at.x) / chart.rx ** 2;
  const y = (chart.middle.y - at.y) / chart.ry ** 2;
  const far = Math.hypot(x, y);
  return { x: x / far, y: y / far };
}
