// Where to look from, so that what matters fills the picture.
import { CIRCUMRADIUS, type Triple } from "./shape";
import type { Spot } from "./aim";

/** A rectangle of the table. */
export interface Box {
  left: number;
  right: number;
  near: number;
  far: number;
}

/** Around dice that lie at these places, with a margin of felt around them; never narrower than a minimum. */
export function around(spots: readonly Spot[], margin: number, least: number): Box {
  const xs = spots.map(({ x }) => x);
  const ys = spots.map(({ y }) => y);
  const [left, right] = spread(Math.min(...xs) - margin, Math.max(...xs) + margin, least);
  const [near, far] = spread(Math.min(...ys) - margin, Math.max(...ys) + margin, least);
  return { left, right, near, far };
}

function spread(low: number, high: number, least: number): [number, number] {
  const lacking = Math.max(0, least - (high - low)) / 2;
  return [low - lacking, high + lacking];
}

/** Something between two boxes. */
export function between(a: Box, b: Box, share: number): Box {
  const mix = (key: keyof Box) => a[key] + (b[key] - a[key]) * share;
  return { left: mix("left"), right: mix("right"), near: mix("near"), far: mix("far") };
}

/** From the camera's eye: how steeply it looks down, and half of what it sees, upwards. */
export interface Lens {
  /** Radians above the table. */
  steep: number;
  /** The tangent of half the angle of view, upwards. */
  tall: number;
  /** Width by height. */
  aspect: number;
}

/** Where the camera looks, and how far from there it must be for the box to be seen whole. */
export function stand(box: Box, { steep, tall, aspect }: Lens): { at: Triple; distance: number } {
  const at: Triple = [(box.left + box.right) / 2, (box.near + box.far) / 2, 0];
  let distance = 0;
  for (const x of [box.left, box.right])
    for (const y of [box.near, box.far])
      for (const z of [0, 2 * CIRCUMRADIUS]) {
        const [right, ahead] = [x - at[0], y - at[1]];
        const up = ahead * Math.sin(steep) + z * Math.cos(steep);
        const away = ahead * Math.cos(steep) - z * Math.sin(steep);
        distance = Math.max(distance, Math.abs(right) / (tall * aspect) - away, Math.abs(up) / tall - away);
      }
  return { at, distance };
}
