// What a throw brought, in the words that people call out over the table.
import * as m from "@/words/messages";
import type { Fall } from "@/table/protocol";
import type { Box } from "./view";

export interface Tidings {
  /** The one word that is called out, if there is one. */
  cry: string;
  /** Everything, in sentences. */
  words: string[];
  kind: "plain" | "scratch" | "mark";
}

const TIMES: Record<string, number> = { "": 1, x: 2, xx: 4 };

function points({ points, mark }: Box): string {
  const times = TIMES[mark]!;
  const said = m.count_points({ n: points });
  return times > 1 && points > 0 ? m.krakatoa_told_times({ sum: points / times, times, points: said }) : said;
}

function marks(box: Box): string[] {
  return [
    ...(box.quake ? [m.krakatoa_told_quake({ total: box.total, times: TIMES[box.quake]! })] : []),
    ...(box.rumble ? [m.krakatoa_told_rumble({ times: TIMES[box.rumble]! })] : []),
    ...(box.eruption ? [m.krakatoa_told_eruption({ times: TIMES[box.eruption]! })] : []),
  ];
}

function cry(box: Box): string {
  if (!box.touched) return m.krakatoa_cry_scratch();
  if (box.eruption) return m.krakatoa_cry_eruption();
  if (box.quake && box.rumble) return m.krakatoa_cry_both();
  if (box.quake) return m.krakatoa_cry_quake();
  return box.rumble ? m.krakatoa_cry_rumble() : "";
}

/** What to say when a throw has been written down; `fall` tells how the dice lay before anybody tapped them. */
export function tidings(box: Box | null, fall: Fall | null, name: string): Tidings | null {
  const cocked = fall?.cocked ?? 0;
  const tapped = cocked ? [m.krakatoa_told_cocked({ n: cocked })] : [];
  if (!box) return tapped.length ? { cry: "", words: tapped, kind: "plain" } : null;
  const scored = m.krakatoa_told_total({ name, points: points(box), total: box.total });
  const words = box.touched ? [scored, ...marks(box)] : [m.krakatoa_told_scratch({ name, total: box.total })];
  const kind = !box.touched ? "scratch" : cry(box) ? "mark" : "plain";
  return { cry: cry(box), words: [...words, ...tapped], kind };
}
