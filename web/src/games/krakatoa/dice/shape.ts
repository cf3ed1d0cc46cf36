// The die and the tray in numbers: a regular dodecahedron in centimetres, and the turns that lay it down.
import facts from "../facts.json";

export type Triple = [number, number, number];
/** w, x, y, z: from the die's own frame to the table's. */
export type Quaternion = [number, number, number, number];

/** Where a die is: its middle, and how it is turned. */
export interface Pose {
  at: Triple;
  turn: Quaternion;
}

export const DICE = facts.dice;
export const INRADIUS = facts.die.inradius;
export const NORMALS = facts.die.normals as Triple[];
/** The letter on each face. */
export const COLOURS = facts.die.colours;
export const RADIUS = facts.tray.radius;
export const SIDES = facts.tray.sides;

/** From the middle to a corner. */
export const CIRCUMRADIUS = INRADIUS * Math.sqrt(15 - 6 * Math.sqrt(5));

export function dot(a: Triple, b: Triple): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

export function cross(a: Triple, b: Triple): Triple {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

export function scaled(a: Triple, by: number): Triple {
  return [a[0] * by, a[1] * by, a[2] * by];
}

export function sum(a: Triple, b: Triple): Triple {
  return [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
}

/** First b, then a. */
export function times(a: Quaternion, b: Quaternion): Quaternion {
  const [aw, ax, ay, az] = a;
  const [bw, bx, by, bz] = b;
  return [
    aw * bw - ax * bx - ay * by - az * bz,
    aw * bx + bw * ax + ay * bz - az * by,
    aw * by + bw * ay + az * bx - ax * bz,
    aw * bz + bw * az + ax * by - ay * bx,
  ];
}

/** A vector of the die, as it looks on the table. */
export function turned([w, x, y, z]: Quaternion, vector: Triple): Triple {
  const axis: Triple = [x, y, z];
  const twice = scaled(cross(axis, vector), 2);
  return sum(sum(vector, scaled(twice, w)), cross(axis, twice));
}

/** How a die is turned that shows this face, and is then turned about the vertical. */
export function lying(face: number, turn: number): Quaternion {
  const [x, y, z] = NORMALS[face]!;
  const length = Math.hypot(1 + z, y, x);
  return times([Math.cos(turn / 2), 0, 0, Math.sin(turn / 2)], [(1 + z) / length, y / length, -x / length, 0]);
}

/** The face that looks up most. */
export function top(turn: Quaternion): number {
  const heights = NORMALS.map((normal) => turned(turn, normal)[2]);
  return heights.indexOf(Math.max(...heights));
}

/** The corners of a face, one after the other as seen from outside. */
function around(face: number): Triple[] {
  const normal = NORMALS[face]!;
  const beside = NORMALS.filter((other) => Math.abs(dot(normal, other) - 1 / Math.sqrt(5)) < 1e-3);
  const right = NORMALS.indexOf(beside[0]!);
  const u = sum(NORMALS[right]!, scaled(normal, -dot(NORMALS[right]!, normal)));
  const v = cross(normal, u);
  const angle = (a: Triple) => Math.atan2(dot(a, v), dot(a, u));
  beside.sort((a, b) => angle(a) - angle(b));
  return beside.map((a, k) => {
    const middle = sum(sum(normal, a), beside[(k + 1) % 5]!);
    return scaled(middle, CIRCUMRADIUS / Math.sqrt(dot(middle, middle)));
  });
}

/** For each face its five corners. */
export const OUTLINES: Triple[][] = NORMALS.map((_, face) => around(face));

/** How far it is to the nearest side of the rim; negative outside. */
export function toTheRim(x: number, y: number): number {
  const walls = Array.from({ length: SIDES }, (_, k) => (2 * Math.PI * k) / SIDES);
  return RADIUS - Math.max(...walls.map((wall) => x * Math.cos(wall) + y * Math.sin(wall)));
}
