// The games that the server plays, with their options and levels: asked for once, and again after a failure. While
// bots are still being compiled, it is asked for again and again.
import { api } from "@/table/api";
import type { GameInfo, Games, Preparing } from "@/table/protocol";

const AGAIN = 1500;

let games: GameInfo[] = $state.raw([]);
let preparing: Preparing[] = $state.raw([]);
let asked: Promise<void> | null = null;

function take(answer: Games): void {
  games = answer.games;
  preparing = answer.preparing ?? [];
  if (preparing.length > 0) setTimeout(look, AGAIN);
}

function look(): void {
  api
    .games()
    .then(take)
    .catch(() => setTimeout(look, AGAIN));
}

export const served = {
  get games(): GameInfo[] {
    return games;
  },
  /** The games whose bots are not ready yet. */
  get preparing(): Preparing[] {
    return preparing;
  },
  /** How many per cent of a game's bots are compiled; null if they are ready. */
  compiled(game: string): number | null {
    const found = preparing.find((one) => one.game === game);
    return found ? Math.floor((100 * found.done) / Math.max(1, found.total)) : null;
  },
  info(game: string): GameInfo | null {
    return games.find((one) => one.name === game) ?? null;
  },
  /** Ask the server; a refusal is the caller's to show. */
  load(): Promise<void> {
    asked ??= api
      .games()
      .then(take)
      .catch((error: unknown) => {
        asked = null;
        throw error;
      });
    return asked;
  },
};
