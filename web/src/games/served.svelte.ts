// The games that the server plays, with their options and levels: asked for once, and again after a failure.
import { api } from "@/table/api";
import type { GameInfo } from "@/table/protocol";

let games: GameInfo[] = $state.raw([]);
let asked: Promise<void> | null = null;

export const served = {
  get games(): GameInfo[] {
    return games;
  },
  info(game: string): GameInfo | null {
    return games.find((one) => one.name === game) ?? null;
  },
  /** Ask the server; a refusal is the caller's to show. */
  load(): Promise<void> {
    asked ??= api
      .games()
      .then((answer) => void (games = answer.games))
      .catch((error: unknown) => {
        asked = null;
        throw error;
      });
    return asked;
  },
};
