// NumPy's default generator (PCG64), so that a bot with the same seed draws the same numbers here as on the server.

const M32 = 0xffff_ffffn;
const M64 = (1n << 64n) - 1n;
const M128 = (1n << 128n) - 1n;
const STEP = 0x2360ed051fc65da44385df649fccf645n;

/** NumPy's SeedSequence: a number of 32-bit words from one whole number. */
function seeded(seed: bigint, words: number): bigint[] {
  const entropy: bigint[] = [];
  for (let left = seed; left > 0n || entropy.length === 0; left >>= 32n) entropy.push(left & M32);
  let constant = 0x43b0d7e5n;
  const hash = (value: bigint): bigint => {
    let found = (value ^ constant) & M32;
    constant = (constant * 0x931e8875n) & M32;
    found = (found * constant) & M32;
    return found ^ (found >> 16n);
  };
  const mix = (x: bigint, y: bigint): bigint => {
    const found = (((0xca01f9ddn * x) & M32) - ((0x4973f715n * y) & M32)) & M32;
    return found ^ (found >> 16n);
  };
  const pool = [0, 1, 2, 3].map((at) => hash(entropy[at] ?? 0n));
  for (let from = 0; from < 4; from++)
    for (let to = 0; to < 4; to++) if (from !== to) pool[to] = mix(pool[to]!, hash(pool[from]!));
  for (const extra of entropy.slice(4)) for (let to = 0; to < 4; to++) pool[to] = mix(pool[to]!, hash(extra));
  let last = 0x8b51f9ddn;
  return Array.from({ length: words }, (_, at) => {
    let found = (pool[at % 4]! ^ last) & M32;
    last = (last * 0x58f38dedn) & M32;
    found = (found * last) & M32;
    return found ^ (found >> 16n);
  });
}

/** As `numpy.random.default_rng(seed)`. */
export class Generator {
  #state: bigint;
  #increment: bigint;
  #half: number | null = null;

  constructor(seed: number | bigint) {
    const words = seeded(BigInt(seed), 8);
    const [a, b, c, d] = [0, 2, 4, 6].map((at) => words[at]! | (words[at + 1]! << 32n)) as [
      bigint,
      bigint,
      bigint,
      bigint,
    ];
    this.#increment = ((((c << 64n) | d) << 1n) | 1n) & M128;
    this.#state = 0n;
    this.#step();
    this.#state = (this.#state + ((a << 64n) | b)) & M128;
    this.#step();
  }

  #step(): void {
    this.#state = (this.#state * STEP + this.#increment) & M128;
  }

  #word(): bigint {
    this.#step();
    const folded = (this.#state >> 64n) ^ (this.#state & M64);
    const turn = this.#state >> 122n;
    return ((folded >> turn) | (folded << ((64n - turn) & 63n))) & M64;
  }

  #halfWord(): number {
    if (this.#half !== null) {
      const kept = this.#half;
      this.#half = null;
      return kept;
    }
    const word = this.#word();
    this.#half = Number(word >> 32n);
    return Number(word & M32);
  }

  /** A number from 0 to 1. */
  random(): number {
    return Number(this.#word() >> 11n) / 2 ** 53;
  }

  /** A whole number below n. */
  integers(n: number): number {
    if (n === 1) return 0;
    let product = BigInt(this.#halfWord()) * BigInt(n);
    if ((product & M32) < BigInt(n)) {
      const threshold = (M32 + 1n - BigInt(n)) % BigInt(n);
      while ((product & M32) < threshold) product = BigInt(this.#halfWord()) * BigInt(n);
    }
    return Number(product >> 32n);
  }

  choice<T>(items: readonly T[]): T {
    return items[this.integers(items.length)]!;
  }
}
