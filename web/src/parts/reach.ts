// How large a thing in a drawing must be for a finger to meet it.
const TOUCH = 44;

/** The radius of such a thing, in units of a drawing that is so many units wide and shown so many pixels wide. */
export function reach(units: number, pixels: number): number {
  return pixels > 0 ? ((TOUCH / 2 + 0.2) * units) / pixels : 0;
}
