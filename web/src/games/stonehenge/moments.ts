// What is seen of a move before it is told: a druid falls, and the lines that it claims light up.
import type { Moment, Move } from "../contract";

/** How long a druid falls, the light of a claimed line takes to its stone, and the stone to be painted (milliseconds). */
export const [FALL, LIGHT, PAINT] = [280, 620, 300];

export function moment({ action, wrote }: Move): Moment | null {
  const claims = (wrote as { claimed?: unknown[] } | null)?.claimed?.length ? LIGHT + PAINT : 0;
  if (action.do === "place") return { kind: "place", lasts: FALL + claims };
  return claims > 0 ? { kind: "claim", lasts: claims } : null;
}
