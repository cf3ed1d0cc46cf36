// This browser's shares in the draws, each secret until all hashes are frozen; and what was frozen, kept to be compared
// with the record when the game is over. docs/verifying.md says what all this is for.
import { bytes, digits, sha256 } from "@/parts/sha256";
import type { Opening } from "./protocol";

const SHARES = "archipel-shares";
const PROMISES = "archipel-promises";
/** How many of each are kept: those of the last games. */
const MOST = 200;
const SEAL = /^[0-9a-f]{64}$/;

/** What everybody saw before a game began. */
export type Frozen = Pick<Opening, "commit" | "seals">;

/** What a game is said to have been drawn from: by the log, or by a record's `fair`. */
export interface Shown extends Frozen {
  seeds: string[];
  seed?: string;
  salt?: string;
}

function all<Value>(key: string): Record<string, Value> {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "{}") as Record<string, Value>;
  } catch {
    return {};
  }
}

function keep(key: string, name: string, value: unknown): void {
  const kept = Object.entries({ ...all(key), [name]: value }).slice(-MOST);
  localStorage.setItem(key, JSON.stringify(Object.fromEntries(kept)));
}

/** Draw a new share and keep it; its hash is what others may see. */
export function seal(): string {
  const share = crypto.getRandomValues(new Uint8Array(32));
  const hash = sha256(share);
  keep(SHARES, hash, digits(share));
  return hash;
}

/** The share of this hash, if this browser drew it. */
export function shareOf(hash: string): string | null {
  return all<string>(SHARES)[hash] ?? null;
}

/** Keep what was frozen for a game of a table, the first that was told. False if something else was told before. */
export function promise(table: string, game: number, { commit, seals }: Frozen): boolean {
  const before = promised(table, game);
  // After a void start everybody has a new hash; but a share is never opened for anything but what it was sealed with.
  if (before?.seals.some((hash) => SEAL.test(hash) && seals.includes(hash))) return same(before, { commit, seals });
  keep(PROMISES, `${table} ${game}`, { commit, seals });
  return true;
}

export function promised(table: string, game: number): Frozen | null {
  return all<Frozen>(PROMISES)[`${table} ${game}`] ?? null;
}

function same(a: Frozen, b: Frozen): boolean {
  return a.commit === b.commit && a.seals.join() === b.seals.join();
}

/** Was a game drawn from what was frozen? Every share fits its hash, and the server's seed its commit. */
export function fits(frozen: Frozen, shown: Shown): boolean {
  const opened = frozen.seals.every((hash, seat) =>
    SEAL.test(hash) ? sha256(bytes(shown.seeds[seat] ?? "")) === hash : shown.seeds[seat] === "",
  );
  const seeded = shown.seed === undefined || sha256(bytes(`${shown.salt}${shown.seed}`)) === frozen.commit;
  return same(frozen, shown) && opened && seeded;
}

/** The fairness code: short enough to write down, and it binds everything that was frozen. */
export function code({ commit, seals }: Frozen): string {
  return seals.length > 0 ? sha256(new TextEncoder().encode([commit, ...seals].join(" "))) : commit;
}
