// A board of one's own: the printed one to begin with, changed piece by piece, and how it looks before the first turn.
import { facts, KINDS, type Kind, type KulaView } from "./view";

/** An island with its name and Kauri, or a sea space: those are numbered in the order of the ring. */
export interface Place {
  island: string | null;
  kauri: number;
}

export interface OwnBoard {
  places: Place[];
  goal: number;
  starts: string[];
  oracle: Record<Kind, number>;
  supply: number;
  price: number;
  limit: number;
}

interface Ring {
  island?: string;
  kauri?: number;
  number?: number;
}

/** The printed board for this number of players. */
export function printed(players: number): OwnBoard {
  const key = String(players) as keyof typeof facts.goal_kauri;
  return {
    places: (facts.ring as Ring[]).map(({ island = null, kauri = 0 }) => ({ island, kauri })),
    goal: facts.goal_kauri[key],
    starts: [...facts.starts[key]],
    oracle: { ...facts.oracle },
    supply: facts.puka_supply,
    price: facts.price,
    limit: facts.puka_limit_per_space,
  };
}

export function islandsOf({ places }: OwnBoard): string[] {
  return places.flatMap(({ island }) => island ?? []);
}

function ringOf({ places }: OwnBoard): (Ring & { space: number })[] {
  let number = 0;
  return places.map(({ island, kauri }, space) =>
    island === null ? { space, number: ++number } : { space, island, kauri },
  );
}

/** The board as the rules take it. */
export function option(board: OwnBoard, players: number): Record<string, unknown> {
  return {
    ring: ringOf(board),
    players: [players],
    goal_kauri: { [players]: board.goal },
    starts: { [players]: board.starts },
    oracle: { ...board.oracle },
    puka_supply: board.supply,
    price: board.price,
    puka_limit_per_space: board.limit,
  };
}

/** How a game on it begins. */
export function opening(board: OwnBoard, players: number): KulaView {
  const ring = ringOf(board);
  const sea = ring.flatMap(({ number }) => (number === undefined ? [] : [[String(number), number % 2] as const]));
  const pukas = sea.reduce((sum, [, n]) => sum + n, 0);
  const none = Array.from({ length: players }, () => 0);
  return {
    game: "kula_kula",
    options: { players, return_home: false, board: option(board, players) },
    seat: null,
    mover: 0,
    scores: none,
    winner: null,
    phase: "choose",
    boats: board.starts.map((name) =>
      Math.max(
        0,
        ring.findIndex(({ island }) => island === name),
      ),
    ),
    pukas: none,
    kauris: none,
    sea: Object.fromEntries(sea),
    islands: Object.fromEntries(ring.flatMap(({ island, kauri = 0 }) => (island ? [[island, kauri]] : []))),
    deck: { ...board.oracle },
    discard: Object.fromEntries(KINDS.map((kind) => [kind, 0])) as Record<Kind, number>,
    drawn: [],
    supply: Math.max(0, board.supply - pukas),
    turn: 0,
  };
}
