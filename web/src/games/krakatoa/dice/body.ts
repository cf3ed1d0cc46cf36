// A die as triangles: a dodecahedron with worn edges, and on each face a spot that colour and shape tell apart.
import { COLOURS, cross, dot, NORMALS, OUTLINES, scaled, sum, type Triple } from "./shape";

/** Red, green and blue, 0 to 1. */
export type Colour = Triple;

export interface Body {
  positions: number[];
  normals: number[];
  colours: number[];
}

export interface Paint {
  body: Colour;
  /** Fill and outline of a spot, by its letter. */
  spots: Record<string, { fill: Colour; line: Colour }>;
}

/** How much of a face its worn edge takes. */
const WORN = 0.11;
const LINE = 0.05;

function vertex(body: Body, at: Triple, normal: Triple, colour: Colour): void {
  body.positions.push(...at);
  body.normals.push(...normal);
  body.colours.push(...colour);
}

/** A corner of a face, drawn in from the edge. */
function drawnIn(face: number, k: number): Triple {
  const outline = OUTLINES[face]!;
  const middle = scaled(outline.reduce(sum), 1 / 5);
  return sum(scaled(outline[k]!, 1 - WORN), scaled(middle, WORN));
}

function same(a: Triple, b: Triple): boolean {
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]) < 1e-3;
}

function faces(body: Body, colour: Colour): void {
  NORMALS.forEach((normal, face) => {
    const points = OUTLINES[face]!.map((_, k) => drawnIn(face, k));
    fan(body, points, normal, colour);
  });
}

function fan(body: Body, points: Triple[], normal: Triple, colour: Colour): void {
  for (let k = 1; k + 1 < points.length; k += 1)
    for (const point of [points[0]!, points[k]!, points[k + 1]!]) vertex(body, point, normal, colour);
}

/** Where two faces meet: rounded, for each side keeps its own normal. */
function edges(body: Body, colour: Colour): void {
  OUTLINES.forEach((outline, face) =>
    outline.forEach((corner, k) => {
      const next = outline[(k + 1) % 5]!;
      const other = OUTLINES.findIndex(
        (points, n) => n > face && points.some((p) => same(p, corner)) && points.some((p) => same(p, next)),
      );
      if (other < 0) return;
      const at = (point: Triple) => OUTLINES[other]!.findIndex((p) => same(p, point));
      const [a, b] = [drawnIn(face, k), drawnIn(face, (k + 1) % 5)];
      const [c, d] = [drawnIn(other, at(next)), drawnIn(other, at(corner))];
      const [here, there] = [NORMALS[face]!, NORMALS[other]!];
      vertex(body, a, here, colour);
      vertex(body, d, there, colour);
      vertex(body, c, there, colour);
      vertex(body, a, here, colour);
      vertex(body, c, there, colour);
      vertex(body, b, here, colour);
    }),
  );
}

/** Where three faces meet. */
function corners(body: Body, colour: Colour): void {
  const seen: Triple[] = [];
  OUTLINES.flat().forEach((corner) => {
    if (seen.some((other) => same(other, corner))) return;
    seen.push(corner);
    const meet = OUTLINES.flatMap((points, face) => {
      const k = points.findIndex((point) => same(point, corner));
      return k < 0 ? [] : [{ at: drawnIn(face, k), normal: NORMALS[face]! }];
    });
    const [a, b, c] = meet as [(typeof meet)[0], (typeof meet)[0], (typeof meet)[0]];
    const outward = dot(cross(sum(b.at, scaled(a.at, -1)), sum(c.at, scaled(a.at, -1))), corner) > 0;
    for (const { at, normal } of outward ? [a, b, c] : [a, c, b]) vertex(body, at, normal, colour);
  });
}

/** The shape of each letter: how many corners, and how far they are from the middle of the face. */
const SPOTS: Record<string, { corners: number; far: number }> = {
  Y: { corners: 28, far: 0.4 },
  R: { corners: 3, far: 0.53 },
  B: { corners: 4, far: 0.49 },
};

function spot(body: Body, face: number, paint: Paint): void {
  const letter = COLOURS[face]!;
  const { fill, line } = paint.spots[letter]!;
  const { corners, far } = SPOTS[letter]!;
  const normal = NORMALS[face]!;
  const outline = OUTLINES[face]!;
  const middle = scaled(outline.reduce(sum), 1 / 5);
  const u = scaled(sum(outline[0]!, scaled(middle, -1)), 1 / Math.hypot(...sum(outline[0]!, scaled(middle, -1))));
  const v = cross(normal, u);
  const shape = (size: number, lift: number) =>
    Array.from({ length: corners }, (_, k) => {
      const angle = (2 * Math.PI * k) / corners;
      const flat = sum(scaled(u, size * Math.cos(angle)), scaled(v, size * Math.sin(angle)));
      return sum(sum(middle, scaled(normal, lift)), flat);
    });
  // An edge of even width: the corners of a triangle are twice as far out as its sides.
  const inset = LINE / Math.cos(Math.PI / corners);
  fan(body, shape(far, 0.006), normal, line);
  fan(body, shape(far - inset, 0.012), normal, fill);
}

/** The triangles of a die in its own frame. */
export function dieBody(paint: Paint): Body {
  const body: Body = { positions: [], normals: [], colours: [] };
  faces(body, paint.body);
  edges(body, paint.body);
  corners(body, paint.body);
  NORMALS.forEach((_, face) => spot(body, face, paint));
  return body;
}
