// Made from the kernels' annotations: python -m archipel.kernels.typescript.
import type { Signature } from "./kernels.ts";
import type { Place } from "./memory.ts";

export interface Settings {
  seat: number;
  seats: number;
  root: number;
  simulations: number;
  hasPrior: boolean;
  curiosity: number;
  steps: number;
  unfold: number;
  wide: number;
}

export interface Scratch {
  raw: Place<"u1">;
  actions: Place<"i8">;
  nodes: Place<"i8">;
  weights: Place<"f8">;
  where: Place<"i4">;
  path: Place<"i8">;
  mover: Place<"i8">;
  worth: Place<"f8">;
}

export interface Search {
  stack: Place<"i8">;
  table: Place<"u8">;
  history: Place<"i8">;
  killer: Place<"i8">;
  lists: Place<"i8">;
  least: Place<"i8">;
  counts: Place<"i8">;
}

export interface Kahuna {
  actions(facts: Place<"facts">, raw: Place<"u1">, out: Place<"i8">): number;
  chances(facts: Place<"facts">, raw: Place<"u1">, out: Place<"i8">): number;
  dealAnew(facts: Place<"facts">, raw: Place<"u1">, seat: number, seed: number): void;
  foreseen(facts: Place<"facts">, before: Place<"u1">, after: Place<"u1">, some: Place<"i8">, seat: number, worlds: number): number;
  judge(facts: Place<"facts">, first: Place<"u1">, games: number, seed: number, worth: Place<"f8">): number;
  "new"(facts: Place<"facts">, raw: Place<"u1">): number;
  sample(facts: Place<"facts">, raw: Place<"u1">, seed: number): number;
  seen(facts: Place<"facts">, raw: Place<"u1">, action: number, seat: number): number;
  simulatePlain(lore: Place<"lore">, facts: Place<"facts">, start: Place<"u1">, tree: Place<"node">, used: Place<"i8">, rng: Place<"u8">, settings: Settings, scratch: Scratch): void;
  simulate(lore: Place<"lore">, facts: Place<"facts">, start: Place<"u1">, tree: Place<"node">, used: Place<"i8">, rng: Place<"u8">, settings: Settings, scratch: Scratch): void;
  step(facts: Place<"facts">, raw: Place<"u1">, action: number): number;
  surprises(facts: Place<"facts">, before: Place<"u1">, action: number, some: Place<"i8">, seat: number, worlds: number, imagined: number): number;
  value(winners: number, seats: number, seat: number): number;
}

export interface Krakatoa {
  actions(facts: Place<"facts">, raw: Place<"u1">, out: Place<"i8">): number;
  chances(facts: Place<"facts">, raw: Place<"u1">, out: Place<"i8">): number;
  dealAnew(facts: Place<"facts">, raw: Place<"u1">, seat: number, seed: number): void;
  foreseen(facts: Place<"facts">, before: Place<"u1">, after: Place<"u1">, some: Place<"i8">, seat: number, worlds: number): number;
  judge(facts: Place<"facts">, first: Place<"u1">, games: number, seed: number, worth: Place<"f8">): number;
  "new"(facts: Place<"facts">, raw: Place<"u1">): number;
  sample(facts: Place<"facts">, raw: Place<"u1">, seed: number): number;
  seen(facts: Place<"facts">, raw: Place<"u1">, action: number, seat: number): number;
  simulate(lore: Place<"lore">, facts: Place<"facts">, start: Place<"u1">, tree: Place<"node">, used: Place<"i8">, rng: Place<"u8">, settings: Settings, scratch: Scratch): void;
  step(facts: Place<"facts">, raw: Place<"u1">, action: number): number;
  surprises(facts: Place<"facts">, before: Place<"u1">, action: number, some: Place<"i8">, seat: number, worlds: number, imagined: number): number;
  value(winners: number, seats: number, seat: number): number;
  afterAim(touches: number, thrown: Place<"f8">, first: Place<"f8">, second: Place<"f8">, worth: Place<"i8">, earned: Place<"i1">, after: Place<"f8">, marks: number, table: number, k: number, total: number, tally: number, endless: boolean): number;
  beforeThrow(touches: number, thrown: Place<"f8">, jolted: Place<"f8">, worth: Place<"i8">, earned: Place<"i1">, after: Place<"f8">, kinds: number, due: number, total: number, endless: boolean, out: Place<"f8">): void;
  beforeTurn(thrown: Place<"f8">, worth: Place<"i8">, earned: Place<"i1">, after: Place<"f8">, kinds: number, total: number, endless: boolean, out: Place<"f8">, again: Place<"f8">): void;
  differences(reach: Place<"f8">, out: Place<"f8">): void;
  fall(plane: Place<"f8">): void;
  gatherUp(plane: Place<"f8">): void;
  landed(worth: Place<"i8">, earned: Place<"i1">, after: Place<"f8">, marks: number, total: number, tally: number, endless: boolean, out: Place<"f8">): void;
  layOut(end: Place<"f8">, first: number, last: number, out: Place<"f8">): void;
  mirror(given: Place<"f8">, out: Place<"f8">): void;
  settled(worth: Place<"i8">, earned: Place<"i1">, after: Place<"f8">, marks: number, table: number, total: number, tally: number, endless: boolean): number;
  soften(worths: Place<"f8">, softness: number, out: Place<"f8">): void;
  stayBelow(reach: Place<"f8">, lead: number, out: Place<"f8">): void;
  sums(first: Place<"f8">, rest: Place<"f8">, out: Place<"f8">): void;
  survey(facts: Place<"facts">, raw: Place<"u1">, worth: Place<"i8">, earned: Place<"i1">): void;
  winBy(own: Place<"f8">, ahead: Place<"f8">, pride: number, out: Place<"f8">): void;
}

export interface KulaKula {
  actions(facts: Place<"facts">, raw: Place<"u1">, out: Place<"i8">): number;
  chances(facts: Place<"facts">, raw: Place<"u1">, out: Place<"i8">): number;
  dealAnew(facts: Place<"facts">, raw: Place<"u1">, seat: number, seed: number): void;
  foreseen(facts: Place<"facts">, before: Place<"u1">, after: Place<"u1">, some: Place<"i8">, seat: number, worlds: number): number;
  judge(facts: Place<"facts">, first: Place<"u1">, games: number, seed: number, worth: Place<"f8">): number;
  "new"(facts: Place<"facts">, raw: Place<"u1">): number;
  sample(facts: Place<"facts">, raw: Place<"u1">, seed: number): number;
  seen(facts: Place<"facts">, raw: Place<"u1">, action: number, seat: number): number;
  simulatePlain(lore: Place<"lore">, facts: Place<"facts">, start: Place<"u1">, tree: Place<"node">, used: Place<"i8">, rng: Place<"u8">, settings: Settings, scratch: Scratch): void;
  simulate(lore: Place<"lore">, facts: Place<"facts">, start: Place<"u1">, tree: Place<"node">, used: Place<"i8">, rng: Place<"u8">, settings: Settings, scratch: Scratch): void;
  step(facts: Place<"facts">, raw: Place<"u1">, action: number): number;
  surprises(facts: Place<"facts">, before: Place<"u1">, action: number, some: Place<"i8">, seat: number, worlds: number, imagined: number): number;
  value(winners: number, seats: number, seat: number): number;
  chancesOf(lore: Place<"lore">, facts: Place<"facts">, raw: Place<"u1">, deep: number, out: Place<"f8">): void;
  lookOut(lore: Place<"lore">, facts: Place<"facts">, raw: Place<"u1">, times: number, seed: number, sums: Place<"f8">): void;
  winChanceOf(lore: Place<"lore">, facts: Place<"facts">, raw: Place<"u1">, seat: number): number;
}

export interface Stonehenge {
  actions(facts: Place<"facts">, raw: Place<"u1">, out: Place<"i8">): number;
  chances(facts: Place<"facts">, raw: Place<"u1">, out: Place<"i8">): number;
  dealAnew(facts: Place<"facts">, raw: Place<"u1">, seat: number, seed: number): void;
  foreseen(facts: Place<"facts">, before: Place<"u1">, after: Place<"u1">, some: Place<"i8">, seat: number, worlds: number): number;
  judge(facts: Place<"facts">, first: Place<"u1">, games: number, seed: number, worth: Place<"f8">): number;
  "new"(facts: Place<"facts">, raw: Place<"u1">): number;
  sample(facts: Place<"facts">, raw: Place<"u1">, seed: number): number;
  seen(facts: Place<"facts">, raw: Place<"u1">, action: number, seat: number): number;
  simulatePlain(lore: Place<"lore">, facts: Place<"facts">, start: Place<"u1">, tree: Place<"node">, used: Place<"i8">, rng: Place<"u8">, settings: Settings, scratch: Scratch): void;
  simulate(lore: Place<"lore">, facts: Place<"facts">, start: Place<"u1">, tree: Place<"node">, used: Place<"i8">, rng: Place<"u8">, settings: Settings, scratch: Scratch): void;
  step(facts: Place<"facts">, raw: Place<"u1">, action: number): number;
  surprises(facts: Place<"facts">, before: Place<"u1">, action: number, some: Place<"i8">, seat: number, worlds: number, imagined: number): number;
  value(winners: number, seats: number, seat: number): number;
  guess(search: Search, depth: number, small: number): [number, number];
  promising(search: Search, out: Place<"i8">): number;
  wins(search: Search, depth: number): number;
  winsByTrying(facts: Place<"facts">, raws: Place<"u1">, depth: number, moves: Place<"i8">, history: Place<"i8">, tried: Place<"i8">, count: Place<"i8">): number;
}

export interface Calls {
  kahuna: Kahuna;
  krakatoa: Krakatoa;
  kula_kula: KulaKula;
  stonehenge: Stonehenge;
}
export type Game = keyof Calls;

export interface Sizes {
  state: number;
  facts: number;
  lore: number;
  node: number;
  outcomes: number;
  labels: number;
  depth: number;
}

/** Bytes of each record, and the room that lists need. */
export const SIZES = {
  kahuna: { state: 138, facts: 7, lore: 110084, node: 32, outcomes: 282, labels: 1024, depth: 256 },
  krakatoa: { state: 37, facts: 55, lore: 1, node: 32, outcomes: 20, labels: 1024, depth: 256 },
  kula_kula: { state: 211, facts: 285, lore: 86412, node: 32, outcomes: 64, labels: 1024, depth: 256 },
  stonehenge: { state: 95, facts: 2, lore: 1, node: 32, outcomes: 124, labels: 1024, depth: 256 },
} as const;

export const SIGNATURES = {
  kahuna: {
    actions: ["archipel_kahuna_actions", [1, 1, 1], 1],
    chances: ["archipel_kahuna_chances", [1, 1, 1], 1],
    dealAnew: ["archipel_kahuna_deal_anew", [1, 1, "n", "n"], 0],
    foreseen: ["archipel_kahuna_foreseen", [1, 1, 1, 1, "n", "n"], 1],
    judge: ["archipel_kahuna_judge", [1, 1, "n", "n", 1], 1],
    new: ["archipel_kahuna_new", [1, 1], 1],
    sample: ["archipel_kahuna_sample", [1, 1, "n"], 1],
    seen: ["archipel_kahuna_seen", [1, 1, "n", "n"], 1],
    simulatePlain: ["archipel_kahuna_simulate_plain", [1, 1, 1, 1, 1, 1, [["seat", "n"], ["seats", "n"], ["root", "n"], ["simulations", "n"], ["hasPrior", "n"], ["curiosity", "n"], ["steps", "n"], ["unfold", "n"], ["wide", "n"]], [["raw", 1], ["actions", 1], ["nodes", 1], ["weights", 1], ["where", 1], ["path", 1], ["mover", 1], ["worth", 1]]], 0],
    simulate: ["archipel_kahuna_simulate", [1, 1, 1, 1, 1, 1, [["seat", "n"], ["seats", "n"], ["root", "n"], ["simulations", "n"], ["hasPrior", "n"], ["curiosity", "n"], ["steps", "n"], ["unfold", "n"], ["wide", "n"]], [["raw", 1], ["actions", 1], ["nodes", 1], ["weights", 1], ["where", 1], ["path", 1], ["mover", 1], ["worth", 1]]], 0],
    step: ["archipel_kahuna_step", [1, 1, "n"], 1],
    surprises: ["archipel_kahuna_surprises", [1, 1, "n", 1, "n", "n", "n"], 1],
    value: ["archipel_kahuna_value", ["n", "n", "n"], 1],
  },
  krakatoa: {
    actions: ["archipel_krakatoa_actions", [1, 1, 1], 1],
    chances: ["archipel_krakatoa_chances", [1, 1, 1], 1],
    dealAnew: ["archipel_krakatoa_deal_anew", [1, 1, "n", "n"], 0],
    foreseen: ["archipel_krakatoa_foreseen", [1, 1, 1, 1, "n", "n"], 1],
    judge: ["archipel_krakatoa_judge", [1, 1, "n", "n", 1], 1],
    new: ["archipel_krakatoa_new", [1, 1], 1],
    sample: ["archipel_krakatoa_sample", [1, 1, "n"], 1],
    seen: ["archipel_krakatoa_seen", [1, 1, "n", "n"], 1],
    simulate: ["archipel_krakatoa_simulate", [1, 1, 1, 1, 1, 1, [["seat", "n"], ["seats", "n"], ["root", "n"], ["simulations", "n"], ["hasPrior", "n"], ["curiosity", "n"], ["steps", "n"], ["unfold", "n"], ["wide", "n"]], [["raw", 1], ["actions", 1], ["nodes", 1], ["weights", 1], ["where", 1], ["path", 1], ["mover", 1], ["worth", 1]]], 0],
    step: ["archipel_krakatoa_step", [1, 1, "n"], 1],
    surprises: ["archipel_krakatoa_surprises", [1, 1, "n", 1, "n", "n", "n"], 1],
    value: ["archipel_krakatoa_value", ["n", "n", "n"], 1],
    afterAim: ["archipel_krakatoa_krakatoa_after_aim", ["n", 1, 1, 1, 1, 3, 3, "n", "n", "n", "n", "n", "n"], 1],
    beforeThrow: ["archipel_krakatoa_krakatoa_before_throw", ["n", 1, 3, 1, 3, 3, "n", "n", "n", "n", 3], 0],
    beforeTurn: ["archipel_krakatoa_krakatoa_before_turn", [1, 1, 3, 3, "n", "n", "n", 2, 2], 0],
    differences: ["archipel_krakatoa_krakatoa_differences", [2, 2], 0],
    fall: ["archipel_krakatoa_krakatoa_fall", [2], 0],
    gatherUp: ["archipel_krakatoa_krakatoa_gather_up", [2], 0],
    landed: ["archipel_krakatoa_krakatoa_landed", [1, 3, 3, "n", "n", "n", "n", 1], 0],
    layOut: ["archipel_krakatoa_krakatoa_lay_out", [2, "n", "n", 3], 0],
    mirror: ["archipel_krakatoa_krakatoa_mirror", [2, 2], 0],
    settled: ["archipel_krakatoa_krakatoa_settled", [1, 3, 3, "n", "n", "n", "n", "n"], 1],
    soften: ["archipel_krakatoa_krakatoa_soften", [1, "n", 1], 0],
    stayBelow: ["archipel_krakatoa_krakatoa_stay_below", [1, "n", 1], 0],
    sums: ["archipel_krakatoa_krakatoa_sums", [2, 1, 2], 0],
    survey: ["archipel_krakatoa_krakatoa_survey", [1, 1, 1, 3], 0],
    winBy: ["archipel_krakatoa_krakatoa_win_by", [2, 1, "n", 2], 0],
  },
  kula_kula: {
    actions: ["archipel_kula_kula_actions", [1, 1, 1], 1],
    chances: ["archipel_kula_kula_chances", [1, 1, 1], 1],
    dealAnew: ["archipel_kula_kula_deal_anew", [1, 1, "n", "n"], 0],
    foreseen: ["archipel_kula_kula_foreseen", [1, 1, 1, 1, "n", "n"], 1],
    judge: ["archipel_kula_kula_judge", [1, 1, "n", "n", 1], 1],
    new: ["archipel_kula_kula_new", [1, 1], 1],
    sample: ["archipel_kula_kula_sample", [1, 1, "n"], 1],
    seen: ["archipel_kula_kula_seen", [1, 1, "n", "n"], 1],
    simulatePlain: ["archipel_kula_kula_simulate_plain", [1, 1, 1, 1, 1, 1, [["seat", "n"], ["seats", "n"], ["root", "n"], ["simulations", "n"], ["hasPrior", "n"], ["curiosity", "n"], ["steps", "n"], ["unfold", "n"], ["wide", "n"]], [["raw", 1], ["actions", 1], ["nodes", 1], ["weights", 1], ["where", 1], ["path", 1], ["mover", 1], ["worth", 1]]], 0],
    simulate: ["archipel_kula_kula_simulate", [1, 1, 1, 1, 1, 1, [["seat", "n"], ["seats", "n"], ["root", "n"], ["simulations", "n"], ["hasPrior", "n"], ["curiosity", "n"], ["steps", "n"], ["unfold", "n"], ["wide", "n"]], [["raw", 1], ["actions", 1], ["nodes", 1], ["weights", 1], ["where", 1], ["path", 1], ["mover", 1], ["worth", 1]]], 0],
    step: ["archipel_kula_kula_step", [1, 1, "n"], 1],
    surprises: ["archipel_kula_kula_surprises", [1, 1, "n", 1, "n", "n", "n"], 1],
    value: ["archipel_kula_kula_value", ["n", "n", "n"], 1],
    chancesOf: ["archipel_kula_kula_kula_kula_chances_of", [1, 1, 1, "n", 1], 0],
    lookOut: ["archipel_kula_kula_kula_kula_look_out", [1, 1, 1, "n", "n", 1], 0],
    winChanceOf: ["archipel_kula_kula_kula_kula_win_chance_of", [1, 1, 1, "n"], 1],
  },
  stonehenge: {
    actions: ["archipel_stonehenge_actions", [1, 1, 1], 1],
    chances: ["archipel_stonehenge_chances", [1, 1, 1], 1],
    dealAnew: ["archipel_stonehenge_deal_anew", [1, 1, "n", "n"], 0],
    foreseen: ["archipel_stonehenge_foreseen", [1, 1, 1, 1, "n", "n"], 1],
    judge: ["archipel_stonehenge_judge", [1, 1, "n", "n", 1], 1],
    new: ["archipel_stonehenge_new", [1, 1], 1],
    sample: ["archipel_stonehenge_sample", [1, 1, "n"], 1],
    seen: ["archipel_stonehenge_seen", [1, 1, "n", "n"], 1],
    simulatePlain: ["archipel_stonehenge_simulate_plain", [1, 1, 1, 1, 1, 1, [["seat", "n"], ["seats", "n"], ["root", "n"], ["simulations", "n"], ["hasPrior", "n"], ["curiosity", "n"], ["steps", "n"], ["unfold", "n"], ["wide", "n"]], [["raw", 1], ["actions", 1], ["nodes", 1], ["weights", 1], ["where", 1], ["path", 1], ["mover", 1], ["worth", 1]]], 0],
    simulate: ["archipel_stonehenge_simulate", [1, 1, 1, 1, 1, 1, [["seat", "n"], ["seats", "n"], ["root", "n"], ["simulations", "n"], ["hasPrior", "n"], ["curiosity", "n"], ["steps", "n"], ["unfold", "n"], ["wide", "n"]], [["raw", 1], ["actions", 1], ["nodes", 1], ["weights", 1], ["where", 1], ["path", 1], ["mover", 1], ["worth", 1]]], 0],
    step: ["archipel_stonehenge_step", [1, 1, "n"], 1],
    surprises: ["archipel_stonehenge_surprises", [1, 1, "n", 1, "n", "n", "n"], 1],
    value: ["archipel_stonehenge_value", ["n", "n", "n"], 1],
    guess: ["archipel_stonehenge_stonehenge_guess", [[["stack", 2], ["table", 1], ["history", 2], ["killer", 1], ["lists", 2], ["least", 2], ["counts", 1]], "n", "n"], 2],
    promising: ["archipel_stonehenge_stonehenge_promising", [[["stack", 2], ["table", 1], ["history", 2], ["killer", 1], ["lists", 2], ["least", 2], ["counts", 1]], 1], 1],
    wins: ["archipel_stonehenge_stonehenge_wins", [[["stack", 2], ["table", 1], ["history", 2], ["killer", 1], ["lists", 2], ["least", 2], ["counts", 1]], "n"], 1],
    winsByTrying: ["archipel_stonehenge_stonehenge_wins_by_trying", [1, 2, "n", 2, 2, 2, 1], 1],
  },
} as const satisfies Record<Game, Record<string, Signature>>;
