// Small geometry for drawings: corners, coasts, and the shape of each player's pieces.

export interface Point {
  x: number;
  y: number;
}

const r1 = (n: number) => Math.round(n * 10) / 10;

/** The corners of a regular polygon, flat side down. */
export function polygon(x: number, y: number, radius: number, corners: number): string {
  const turn = Math.PI / 2 + Math.PI / corners;
  return Array.from({ length: corners }, (_, k) => {
    const angle = turn + (2 * Math.PI * k) / corners;
    return `${r1(x + radius * Math.cos(angle))},${r1(y + radius * Math.sin(angle))}`;
  }).join(" ");
}

/** A closed curve that bends at each of the points. */
export function smooth(points: Point[]): string {
  const half = (k: number) => {
    const a = points[k % points.length]!;
    const b = points[(k + 1) % points.length]!;
    return `${r1((a.x + b.x) / 2)} ${r1((a.y + b.y) / 2)}`;
  };
  const bends = points.map((_, k) => {
    const at = points[(k + 1) % points.length]!;
    return `Q${r1(at.x)} ${r1(at.y)} ${half(k + 1)}`;
  });
  return `M${half(0)}${bends.join("")}Z`;
}

function seed(name: string): number {
  return [...name].reduce((sum, letter, i) => sum + letter.charCodeAt(0) * (i + 3), 0);
}

/** A shore that is each island's own, the same whenever it is drawn. */
export function coast(name: string, at: Point, rx: number, ry: number, out = 0): string {
  const turn = seed(name);
  const points = Array.from({ length: 18 }, (_, k) => {
    const angle = (2 * Math.PI * k) / 18;
    const far =
      1 + 0.1 * Math.sin(3 * angle + turn) + 0.06 * Math.sin(5 * angle + 1.7 * turn) + 0.03 * Math.sin(8 * angle);
    return { x: at.x + (rx * far + out) * Math.cos(angle), y: at.y + (ry * far + out) * Math.sin(angle) };
  });
  return smooth(points);
}

/** The point on the way from one place to another, by its share of the way. */
export function between(a: Point, b: Point, share: number): Point {
  return { x: r1(a.x + (b.x - a.x) * share), y: r1(a.y + (b.y - a.y) * share) };
}
