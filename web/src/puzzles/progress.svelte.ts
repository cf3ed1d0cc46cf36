// What somebody has solved, kept in this browser: the puzzles of each day, the streak, a rating for each game.
import { rated, UNKNOWN, type Rating } from "./rating";

/** What happened with a puzzle, in order: a wrong try, a hint, solved, or the solution was shown. */
export type Mark = "wrong" | "hint" | "solved" | "shown";

interface Kept {
  /** Each day's puzzles by game. */
  days: Record<string, Record<string, Mark[]>>;
  ratings: Record<string, Rating>;
  /** The puzzles that were tried, by game: each counts once. */
  tried: Record<string, number[]>;
}

const KEY = "archipel-puzzles";

function kept(): Kept {
  const none: Kept = { days: {}, ratings: {}, tried: {} };
  try {
    return { ...none, ...(JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Kept>) };
  } catch {
    return none;
  }
}

const all: Kept = $state(kept());

function keep(): void {
  localStorage.setItem(KEY, JSON.stringify(all));
}

const DAY = 86_400_000;

function solvedOn(day: string): boolean {
  return Object.values(all.days[day] ?? {}).some((marks) => marks.includes("solved"));
}

export const progress = {
  rating: (game: string): Rating => all.ratings[game] ?? UNKNOWN,
  /** How many different puzzles of a game were tried. */
  count: (game: string): number => all.tried[game]?.length ?? 0,
  hasTried: (game: string, number: number): boolean => all.tried[game]?.includes(number) ?? false,
  daily: (day: string, game: string): Mark[] => all.days[day]?.[game] ?? [],

  /** How many days in a row a puzzle of the day was solved; today may still come. */
  streak(today: string): number {
    let day = Date.parse(today);
    const name = () => new Date(day).toISOString().slice(0, 10);
    if (!solvedOn(name())) day -= DAY;
    let days = 0;
    for (; solvedOn(name()); day -= DAY) days += 1;
    return days;
  },

  /** The first thing that happens with a puzzle counts for the rating; the marks of a day's puzzle end when it does. */
  note(game: string, number: number, puzzle: number, mark: Mark, day: string | null): void {
    if (!progress.hasTried(game, number)) {
      all.ratings[game] = rated(progress.rating(game), puzzle, mark === "solved");
      all.tried[game] = [...(all.tried[game] ?? []), number];
    }
    const before = day ? progress.daily(day, game) : [];
    if (day && !before.some((one) => one === "solved" || one === "shown"))
      all.days[day] = { ...all.days[day], [game]: [...before, mark] };
    keep();
  },
};
