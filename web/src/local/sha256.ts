// SHA-256 that answers at once, as Python's hashlib does: the browser's own only promises.

const WORDS = 64;

/** The first 32 bits of the fractions of the roots of the first primes, from which the constants come. */
function fractions(count: number, root: (prime: number) => number): Uint32Array {
  const primes: number[] = [];
  for (let n = 2; primes.length < count; n++) if (primes.every((prime) => n % prime)) primes.push(n);
  return Uint32Array.from(primes, (prime) => (root(prime) % 1) * 2 ** 32);
}
const ROUND = fractions(WORDS, Math.cbrt);
const START = fractions(8, Math.sqrt);

class Sha256 {
  #given: Uint8Array;
  constructor(given: Uint8Array | string = "") {
    this.#given = bytes(given);
  }
  update(more: Uint8Array | string): void {
    this.#given = new Uint8Array([...this.#given, ...bytes(more)]);
  }
  copy(): Sha256 {
    return new Sha256(this.#given);
  }
  digest(): Uint8Array {
    return digest(this.#given);
  }
  hexdigest(): string {
    return Array.from(this.digest(), (byte) => byte.toString(16).padStart(2, "0")).join("");
  }
}

function bytes(given: Uint8Array | string): Uint8Array {
  return typeof given === "string" ? new TextEncoder().encode(given) : given;
}

function digest(given: Uint8Array): Uint8Array {
  const padded = new Uint8Array((Math.floor((given.length + 8) / 64) + 1) * 64);
  padded.set(given);
  padded[given.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(given.length / 2 ** 29));
  view.setUint32(padded.length - 4, (given.length * 8) >>> 0);
  const hash = START.slice();
  for (let at = 0; at < padded.length; at += 64) mix(hash, view, at);
  const out = new DataView(new ArrayBuffer(32));
  hash.forEach((word, at) => out.setUint32(4 * at, word));
  return new Uint8Array(out.buffer);
}

const turn = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

function mix(hash: Uint32Array, block: DataView, at: number): void {
  const words = new Uint32Array(WORDS);
  for (let i = 0; i < 16; i++) words[i] = block.getUint32(at + 4 * i);
  for (let i = 16; i < WORDS; i++) {
    const [x, y] = [words[i - 15]!, words[i - 2]!];
    words[i] =
      words[i - 16]! +
      words[i - 7]! +
      (turn(x, 7) ^ turn(x, 18) ^ (x >>> 3)) +
      (turn(y, 17) ^ turn(y, 19) ^ (y >>> 10));
  }
  let [a, b, c, d, e, f, g, h] = hash as unknown as [number, number, number, number, number, number, number, number];
  for (let i = 0; i < WORDS; i++) {
    const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + ROUND[i]! + words[i]!) | 0;
    const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, i) => (hash[i] = hash[i]! + word));
}

export const sha256 = (given: Uint8Array | string = ""): Sha256 => new Sha256(given);
