// What the dice and their tray are painted with, the same in a drawing and in three dimensions.

export const BODIES: Record<string, string> = { steam: "#fbfaf4", ash: "#a7a8a4", lava: "#3a3535" };

/** Fill and outline of a spot, by its letter: a circle, a triangle, a square. */
export const SPOTS: Record<string, { fill: string; line: string }> = {
  Y: { fill: "#f3c32f", line: "#2b2410" },
  R: { fill: "#cf3f2b", line: "#fffdf7" },
  B: { fill: "#2d63b8", line: "#fffdf7" },
};

export const FELT = { light: "#5f9a80", dark: "#3f7461" };
export const WOOD = { light: "#a9713f", grain: "#5b3517" };
export const GLOW = { fine: "#ffd666", bad: "#ff8a70" };
