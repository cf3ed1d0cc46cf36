// Each island's own face: its shore, and what stands on it.
import { smooth, type Point } from "@/parts/shapes";
import type { Island } from "./view";

/** How far the shore lies from the middle, in percent, at sixteen points clockwise from the east. */
const SHORES: Record<Island, number[]> = {
  ALOA: [104, 96, 74, 88, 100, 104, 100, 98, 96, 92, 98, 108, 104, 96, 104, 110],
  BARI: [96, 104, 108, 100, 92, 96, 104, 108, 100, 84, 96, 110, 98, 110, 96, 84],
  COCO: [108, 104, 98, 96, 100, 92, 78, 90, 104, 112, 104, 92, 96, 104, 98, 90],
  DUDA: [92, 98, 106, 110, 104, 96, 90, 96, 108, 112, 100, 80, 90, 104, 110, 100],
  ELAI: [110, 92, 84, 98, 108, 100, 92, 88, 98, 110, 108, 98, 100, 90, 80, 98],
  FAAA: [100, 112, 104, 92, 96, 106, 110, 96, 82, 92, 106, 110, 94, 84, 98, 108],
  GOLA: [88, 96, 104, 100, 96, 100, 110, 106, 98, 102, 94, 82, 96, 112, 106, 92],
  HUNA: [112, 104, 88, 94, 102, 96, 84, 96, 112, 104, 92, 100, 108, 96, 86, 100],
  IFFI: [98, 86, 94, 108, 104, 98, 104, 110, 102, 92, 84, 94, 104, 110, 104, 102],
  JOJO: [106, 100, 96, 104, 110, 102, 90, 80, 94, 106, 110, 100, 88, 96, 104, 108],
  KAHU: [104, 110, 100, 94, 102, 110, 104, 92, 96, 104, 108, 112, 106, 98, 92, 94],
  LALE: [114, 100, 82, 92, 100, 94, 84, 98, 114, 100, 88, 96, 92, 86, 94, 104],
};

export type Sight = "peak" | "volcano" | "palm" | "hut" | "lagoon" | "fall" | "rock";

/** What stands on an island, from the back to the front: kind, place and size on an island of 45 by 29. */
export const SIGHTS: Record<Island, [Sight, number, number, number][]> = {
  ALOA: [
    ["lagoon", 14, -15, 11],
    ["palm", -20, -10, 1.15],
    ["palm", -12, -12, 0.9],
    ["palm", 31, -6, 0.8],
  ],
  BARI: [
    ["peak", -12, -7, 17],
    ["peak", 10, -7, 21],
  ],
  COCO: [
    ["palm", -24, -9, 1],
    ["palm", -8, -13, 1.3],
    ["palm", 8, -12, 1.05],
    ["palm", 25, -8, 0.95],
  ],
  DUDA: [
    ["peak", 16, -8, 16],
    ["hut", -14, -11, 1.1],
    ["palm", -26, -7, 0.85],
  ],
  ELAI: [
    ["peak", -19, -6, 13],
    ["volcano", 4, -7, 21],
  ],
  FAAA: [
    ["fall", -4, -7, 22],
    ["palm", 22, -8, 0.95],
  ],
  GOLA: [
    ["rock", -20, -9, 11],
    ["rock", 14, -8, 19],
    ["rock", 0, -8, 14],
  ],
  HUNA: [
    ["peak", 18, -7, 14],
    ["peak", -16, -7, 15],
    ["peak", 1, -6, 18],
  ],
  IFFI: [
    ["hut", 14, -11, 1.2],
    ["hut", 1, -13, 0.95],
    ["palm", -18, -9, 1.15],
    ["palm", 28, -6, 0.8],
  ],
  JOJO: [
    ["lagoon", 0, -15, 16],
    ["palm", -26, -7, 0.95],
    ["palm", 27, -7, 1.05],
  ],
  KAHU: [["volcano", 0, -6, 26]],
  LALE: [
    ["rock", 22, -8, 12],
    ["palm", -16, -9, 1.1],
    ["palm", -5, -12, 0.9],
  ],
};

/** The shore of an island, or a line along it: `out` beyond it, or `share` of the way to it. */
export function shore(name: Island, at: Point, rx: number, ry: number, out = 0, share = 1): string {
  const far = SHORES[name]!;
  return smooth(
    far.map((percent, k) => {
      const angle = (2 * Math.PI * k) / far.length;
      const scale = (1 + 1.4 * (percent / 100 - 1)) * share;
      return { x: at.x + (rx * scale + out) * Math.cos(angle), y: at.y + (ry * scale + out) * Math.sin(angle) };
    }),
  );
}
