// An aim: a point on the table, a direction, a strength and a spread; and how a finger that pulls back takes one.
import facts from "../facts.json";
import { CIRCUMRADIUS, toTheRim } from "./shape";

export interface Spot {
  x: number;
  y: number;
}

/** Centimetres, degrees (0 to the right, 90 away from the player), centimetres a second. */
export interface Aim extends Spot {
  direction: number;
  strength: number;
  spread: number;
}

export const [WEAKEST, USUAL, STRONGEST] = facts.aim.strength as [number, number, number];
export const [NARROWEST, WIDEST] = facts.aim.spread as [number, number];
/** How far behind the point, and above it, the hand lets go. */
export const BACK = facts.aim.back;
/** Pulled less far than this, nothing is thrown; pulled this far, it is thrown with all strength (cm). */
export const SLACK = 1.5;
const FULL = 11;

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}

/** From -180 to 180. */
export function wrapped(degrees: number): number {
  return ((((degrees + 180) % 360) + 360) % 360) - 180;
}

/** So far along the throw from the point, and so far to its left. */
export function along({ x, y, direction }: Aim, far: number, left = 0): Spot {
  const [c, s] = [Math.cos(radians(direction)), Math.sin(radians(direction))];
  return { x: x + far * c - left * s, y: y + far * s + left * c };
}

/** Above which places the hand lets its three dice go. */
export function hand(aim: Aim): Spot[] {
  return [-1, 0, 1].map((lane) => along(aim, -BACK, lane * aim.spread));
}

/** Is the hand within the tray? */
export function hasRoom(aim: Aim): boolean {
  return hand(aim).every(({ x, y }) => toTheRim(x, y) >= CIRCUMRADIUS);
}

/** The aim with the direction nearest to its own that leaves the hand room. */
export function withRoom(aim: Aim): Aim {
  for (let off = 0; off <= 180; off += 3)
    for (const sign of [1, -1]) {
      const other = { ...aim, direction: wrapped(aim.direction + sign * off) };
      if (hasRoom(other)) return other;
    }
  return aim;
}

/** The die that lies nearest to a point. */
export function nearest(lies: Record<string, Spot>, { x, y }: Spot): string | null {
  const far = (die: string) => Math.hypot(lies[die]!.x - x, lies[die]!.y - y);
  return Object.keys(lies).reduce<string | null>(
    (best, die) => (best === null || far(die) < far(best) ? die : best),
    null,
  );
}

/** The strength of a pull of this many centimetres. */
export function strengthOf(pull: number): number {
  const share = Math.min(1, Math.max(0, (pull - SLACK) / (FULL - SLACK)));
  return Math.round(WEAKEST + share * (STRONGEST - WEAKEST));
}

/** How far to pull for a strength. */
export function pullOf(strength: number): number {
  return SLACK + ((strength - WEAKEST) / (STRONGEST - WEAKEST)) * (FULL - SLACK);
}

/** A throw at a point by a hand that was pulled back to another, like a sling; null if it was hardly pulled. */
export function pulled(target: Spot, to: Spot, spread: number): Aim | null {
  const [x, y] = [target.x - to.x, target.y - to.y];
  const pull = Math.hypot(x, y);
  if (pull < SLACK) return null;
  const direction = Math.round((Math.atan2(y, x) * 180) / Math.PI);
  return { ...target, direction: wrapped(direction), strength: strengthOf(pull), spread };
}

// What is drawn of an aim.

/** How far beyond the point the arrow goes: by strength, but not over the rim. */
export function reach(aim: Aim): number {
  const wanted = 1.5 + aim.strength / 22;
  for (let far = wanted; far > 1; far -= 0.25) {
    const { x, y } = along(aim, far);
    if (toTheRim(x, y) > 0.3) return far;
  }
  return 1;
}

/** The outline of the arrow, from the hand to beyond the point. */
export function arrow(aim: Aim): Spot[] {
  const tip = reach(aim);
  const half = 0.14 + aim.strength / 1100;
  const side: [number, number][] = [
    [-BACK, half * 0.4],
    [tip - 1.5, half],
    [tip - 1.7, half + 0.55],
  ];
  const outline = [...side, [tip, 0] as const, ...side.toReversed().map(([far, left]) => [far, -left] as const)];
  return outline.map(([far, left]) => along(aim, far, left));
}

/** The swath that the three dice sweep: two corners at the hand, two where it fades out. */
export function swath(aim: Aim): Spot[] {
  const near = aim.spread + 0.95;
  const far = near + reach(aim) * 0.22;
  return [along(aim, -BACK, near), along(aim, -BACK, -near), along(aim, reach(aim), -far), along(aim, reach(aim), far)];
}

/** Where the hand is drawn: the further back, the stronger the throw. */
export function drawnHand(aim: Aim): Spot[] {
  const back = BACK + 0.45 * pullOf(aim.strength);
  return [-1, 0, 1].map((lane) => along(aim, -back, lane * aim.spread));
}

/** A hundredth of a centimetre is finer than any finger. */
export function rounded({ x, y, direction, strength, spread }: Aim): Aim {
  const fine = (number: number) => Math.round(number * 100) / 100;
  return { x: fine(x), y: fine(y), direction: fine(direction), strength: fine(strength), spread: fine(spread) };
}
