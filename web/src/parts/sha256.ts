// SHA-256 (FIPS 180-4): pages that come by plain HTTP, as in a home network, have no `crypto.subtle`.

/** The first 32 bits of the fractional part of a root. */
function fraction(root: number): number {
  return ((root - Math.floor(root)) * 2 ** 32) | 0;
}

const PRIMES: number[] = [];
for (let n = 2; PRIMES.length < 64; n++) if (PRIMES.every((prime) => n % prime !== 0)) PRIMES.push(n);
const ROUNDS = PRIMES.map((prime) => fraction(Math.cbrt(prime)));
const FIRST = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));

function turn(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}

/** The message with its padding, as words of 32 bits. */
function padded(message: Uint8Array): Int32Array {
  const words = new Int32Array((((message.length + 8) >> 6) + 1) * 16);
  for (let n = 0; n <= message.length; n++) words[n >> 2]! |= (message[n] ?? 0x80) << (24 - (n % 4) * 8);
  words[words.length - 2] = Math.floor(message.length / 2 ** 29);
  words[words.length - 1] = message.length << 3;
  return words;
}

function compress(state: Int32Array, block: Int32Array): void {
  const w = new Int32Array(64);
  w.set(block);
  for (let n = 16; n < 64; n++) {
    const [x, y] = [w[n - 15]!, w[n - 2]!];
    const low = turn(x, 7) ^ turn(x, 18) ^ (x >>> 3);
    const high = turn(y, 17) ^ turn(y, 19) ^ (y >>> 10);
    w[n] = w[n - 16]! + low + w[n - 7]! + high;
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number];
  for (let n = 0; n < 64; n++) {
    const one = h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + ROUNDS[n]! + w[n]!;
    const two = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
  }
  for (const [n, word] of [a, b, c, d, e, f, g, h].entries()) state[n]! += word;
}

/** The hash of some bytes, in hexadecimal digits. */
export function sha256(message: Uint8Array): string {
  const state = Int32Array.from(FIRST);
  const words = padded(message);
  for (let at = 0; at < words.length; at += 16) compress(state, words.subarray(at, at + 16));
  return [...state].map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}

/** Bytes in hexadecimal digits, and back. */
export function digits(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function bytes(digits: string): Uint8Array {
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}
