// The puzzles' files: which games have some, the puzzle of a day, and every position that a puzzle can show.
import { ALONE } from "@/app/house.svelte";
import type { Action, AnyView, Legal } from "@/games/contract";

/** An action by its number; null where nothing is shown after it. */
type Names = Record<string, [action: Action, notation: string]>;

interface Position {
  /** What differs from the first view. */
  view: Patch;
  /** Where actions lead, by their numbers; -1: nowhere that could be shown. */
  to: Record<string, number>;
}

interface Stored {
  rating: number;
  depth: number;
  view: AnyView;
  recent: Action[];
  answers: number[][];
  line: number[];
  values: [action: number, value: number][];
  positions: Position[];
}

interface Patch {
  [key: string]: unknown;
}

export interface Index {
  /** The day of puzzle number 1, YYYY-MM-DD. */
  first: string;
  /** The ratings at which the next grade begins. */
  grades: number[];
  /** How many puzzles a file has. */
  chunk: number;
  games: Record<string, number>;
  /** The numbers of the files that a static house has; without them, all are there. */
  files?: Record<string, number[]>;
}

/** The only place that knows where the files are: a static house has them beside its page. */
async function file<Content>(path: string): Promise<Content> {
  const answer = await fetch(`${ALONE ? "." : ""}/data/puzzles/${path}`);
  if (!answer.ok) throw new Error(`The puzzles’ file ${path} is missing.`);
  return (await answer.json()) as Content;
}

const known = new Map<string, Promise<unknown>>();

/** A file, asked for once; again after a failure. */
function once<Content>(path: string): Promise<Content> {
  const asked = known.get(path) as Promise<Content> | undefined;
  if (asked) return asked;
  const asking = file<Content>(path);
  known.set(path, asking);
  asking.catch(() => known.delete(path));
  return asking;
}

export const index = () => once<Index>("index.json");
export const ratings = (game: string) => once<number[]>(`${game}/ratings.json`);

/** A puzzle; null if the game has no puzzle of that number. */
export async function puzzle(game: string, number: number): Promise<Puzzle | null> {
  const { chunk, games } = await index();
  if (!(number >= 1 && number <= (games[game] ?? 0))) return null;
  const at = Math.floor((number - 1) / chunk);
  const { puzzles, actions } = await once<{ puzzles: Stored[]; actions: Names }>(`${game}/${at}.json`);
  return new Puzzle(puzzles[(number - 1) % chunk]!, actions);
}

/** Today, by UTC: the same day everywhere. */
export function today(now = new Date()): string {
  return now.toISOString().slice(0, 10);
}

/** The number of the puzzle of a day, as `archipel puzzles daily` gives it. */
export function daily({ first, games }: Index, game: string, day: string): number {
  const count = games[game]!;
  const days = Math.round((Date.parse(day) - Date.parse(first)) / 86_400_000);
  return (((days % count) + count) % count) + 1;
}

/** From 1 to 5. */
export function gradeOf(rating: number, grades: readonly number[]): number {
  return 1 + grades.filter((from) => rating >= from).length;
}

/** Objects are merged key by key; `{"=": value}` replaces an object. */
export function patched<Of extends object>(base: Of, patch: Patch): Of {
  const found = { ...base } as Record<string, unknown>;
  for (const [key, value] of Object.entries(patch)) {
    if (value === null || typeof value !== "object" || Array.isArray(value)) found[key] = value;
    else if ("=" in value) found[key] = value["="];
    else found[key] = patched((found[key] ?? {}) as object, value as Patch);
  }
  return found as Of;
}

/** A puzzle, and what becomes of it when somebody tries. Positions have numbers; 0 is where it begins. */
export class Puzzle {
  readonly #stored: Stored;
  readonly #names: Names;

  constructor(stored: Stored, names: Names) {
    this.#stored = stored;
    this.#names = names;
  }

  get rating(): number {
    return this.#stored.rating;
  }

  get recent(): Action[] {
    return this.#stored.recent;
  }

  view(at: number): AnyView {
    return patched(this.#stored.view, this.#stored.positions[at]!.view);
  }

  legal(at: number): (Legal & { number: number })[] {
    return Object.keys(this.#stored.positions[at]!.to).map((number) => ({ number: +number, ...this.name(+number) }));
  }

  name(action: number): Legal {
    const [named, notation] = this.#names[action]!;
    return { action: named, notation };
  }

  /** Where an action leads; the same position if nothing can be shown of it. */
  after(at: number, action: number): number {
    const to = this.#stored.positions[at]!.to[action]!;
    return to < 0 ? at : to;
  }

  /** What an opponent answers there; nothing if nobody does. */
  reply(at: number): number | null {
    const [reply] = Object.keys(this.#stored.positions[at]!.to);
    return this.view(at).mover === this.#stored.view.seat || reply === undefined ? null : +reply;
  }

  /** Is it solved by these actions, may they become a solution, or are they wrong? */
  judge(done: readonly number[]): "solved" | "right" | "wrong" {
    const fit = this.#stored.answers.filter((answer) => done.every((action, k) => answer[k] === action));
    if (fit.length === 0) return "wrong";
    return fit.some((answer) => answer.length === done.length) ? "solved" : "right";
  }

  /** The next action of a solution that begins like this. */
  next(done: readonly number[]): number | null {
    const fit = this.#stored.answers.find((answer) => done.every((action, k) => answer[k] === action));
    return fit?.[done.length] ?? null;
  }

  /** The positions of the solution and of best play after it, from the first one on, and the actions between. */
  walk(done: readonly number[]): { positions: number[]; actions: number[] } {
    const actions = [...done, ...this.#stored.line];
    const positions = [0];
    for (const action of actions) positions.push(this.after(positions.at(-1)!, action));
    return { positions, actions };
  }

  /** What the actions are worth, best first, where that is a number. */
  get values(): { number: number; value: number }[] {
    return this.#stored.values.map(([number, value]) => ({ number, value })).sort((a, b) => b.value - a.value);
  }
}
