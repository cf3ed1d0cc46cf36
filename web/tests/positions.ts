// The positions of real games that the tests look at.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Action, AnyView, Legal } from "@/games/contract";
import { own } from "@/games/registry";

export interface Position {
  game: string;
  name: string;
  view: AnyView;
  before: AnyView;
  legal: Legal[];
  recent: Action[];
}

const FOLDER = join(import.meta.dirname, "../fixtures");

export const positions: Position[] = own.flatMap((game) =>
  readdirSync(join(FOLDER, game)).map((file) => ({
    game,
    name: file.slice(0, -5),
    ...(JSON.parse(readFileSync(join(FOLDER, game, file), "utf8")) as Omit<Position, "game" | "name">),
  })),
);

export const PLAYERS = ["Anna", "Ben", "Chloé", "David", "Emma"].map((name) => ({ name }));
