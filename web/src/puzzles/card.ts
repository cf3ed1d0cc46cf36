// A result to share that gives nothing away: the game, the day, a square for every try, and a link to the puzzle.
import * as m from "@/words/messages";
import { title } from "@/games/registry";
import type { Mark } from "./progress.svelte";

const SQUARE: Record<Mark, string> = { wrong: "🟥", hint: "🟨", solved: "🟩", shown: "⬛" };

interface Result {
  game: string;
  number: number;
  grade: number;
  /** The day as people say it, if it is the puzzle of a day. */
  day: string | null;
  marks: readonly Mark[];
  streak: number;
}

export function card({ game, number, grade, day, marks, streak }: Result, url: string): string {
  const of = { game: title(game), number, grade };
  return [
    day ? m.puzzle_card_daily({ ...of, day }) : m.puzzle_card(of),
    marks.map((mark) => SQUARE[mark]).join("") + (day && streak > 1 ? ` ${m.puzzle_streak({ n: streak })}` : ""),
    url,
  ].join("\n");
}
