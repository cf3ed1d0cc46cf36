// Which puzzle comes next: one of a grade, or one that suits the rating; not one that was tried, as long as there are others.
import { route, to } from "@/app/route.svelte";
import { gradeOf, index, ratings } from "./data";
import { progress } from "./progress.svelte";

/** How many points from the rating a puzzle may be. */
const CLOSE = 150;

export type Wanted = number | "suited";

export async function another(game: string, wanted: Wanted, not = 0): Promise<number> {
  const [{ grades, chunk, files }, all] = await Promise.all([index(), ratings(game)]);
  const own = progress.rating(game).rating;
  const far = (rating: number) =>
    wanted === "suited" ? Math.max(0, Math.abs(rating - own) - CLOSE) : Math.abs(gradeOf(rating, grades) - wanted);
  const there = files && new Set(files[game]);
  const isThere = (number: number) => number !== not && (there?.has(Math.floor((number - 1) / chunk)) ?? true);
  const numbers = all.map((_, k) => k + 1).filter(isThere);
  const fresh = numbers.filter((number) => !progress.hasTried(game, number));
  const some = fresh.length > 0 ? fresh : numbers;
  const least = some.reduce((best, number) => Math.min(best, far(all[number - 1]!)), Infinity);
  const best = some.filter((number) => far(all[number - 1]!) === least);
  return best[Math.floor(Math.random() * best.length)] ?? 1;
}

export function address(game: string, number: number, wanted: Wanted | null = null): string {
  return `/puzzles/${game}/${number}${wanted === null ? "" : `?practice=${wanted}`}`;
}

/** The whole address of a puzzle, to hand on. */
export function link(game: string, number: number): string {
  return new URL(to(address(game, number)), location.href).href;
}

export async function practise(game: string, wanted: Wanted, not = 0): Promise<void> {
  route.go(address(game, await another(game, wanted, not), wanted));
}
