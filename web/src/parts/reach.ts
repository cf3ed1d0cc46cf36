// How large a thing in a drawing must be for a finger to meet it.
const TOUCH = 44;
/** How many pixels wide a drawing is on the narrowest phone: until it is measured, a target is rather too large. */
const NARROWEST = 288;

/** The radius of such a thing, in units of a drawing: its width in units, and in pixels as it is shown. */
export function reach(units: number, pixels: number): number {
  return ((TOUCH / 2 + 0.2) * units) / (pixels || NARROWEST);
}

/** How many pixels wide a drawing is shown in a box that it fits into as a whole. */
export function shownWidth(drawing: { width: number; height: number }, width: number, height: number): number {
  return height > 0 ? Math.min(width, (height * drawing.width) / drawing.height) : width;
}
