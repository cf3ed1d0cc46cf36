// @vitest-environment jsdom
// The QR code of a link, read as a phone reads it: from the drawing, by a reader that shares nothing with its writer.
import { cleanup, render } from "@testing-library/svelte";
import { afterEach, expect, test } from "vitest";
import "./browser";
import QrCode from "@/parts/QrCode.svelte";

afterEach(cleanup);

type Grid = boolean[][];

const MARGIN = 4;
/** By version, at error correction level M: check bytes of each block, the data bytes of all blocks, where marks are. */
const VERSIONS: Record<number, { check: number; blocks: number[]; marks: number[] }> = {
  1: { check: 10, blocks: [16], marks: [] },
  2: { check: 16, blocks: [28], marks: [6, 18] },
  3: { check: 26, blocks: [44], marks: [6, 22] },
  4: { check: 18, blocks: [32, 32], marks: [6, 26] },
  5: { check: 24, blocks: [43, 43], marks: [6, 30] },
  6: { check: 16, blocks: [27, 27, 27, 27], marks: [6, 34] },
  7: { check: 18, blocks: [31, 31, 31, 31], marks: [6, 22, 38] },
  8: { check: 22, blocks: [38, 38, 39, 39], marks: [6, 24, 42] },
  9: { check: 22, blocks: [36, 36, 36, 37, 37], marks: [6, 26, 46] },
};
const MASKS: ((y: number, x: number) => boolean)[] = [
  (y, x) => (y + x) % 2 === 0,
  (y) => y % 2 === 0,
  (_, x) => x % 3 === 0,
  (y, x) => (y + x) % 3 === 0,
  (y, x) => (Math.floor(y / 2) + Math.floor(x / 3)) % 2 === 0,
  (y, x) => ((y * x) % 2) + ((y * x) % 3) === 0,
  (y, x) => (((y * x) % 2) + ((y * x) % 3)) % 2 === 0,
  (y, x) => (((y + x) % 2) + ((y * x) % 3)) % 2 === 0,
];

/** The dark squares of the drawing, without the margin around them. */
function seen(container: Element): Grid {
  const size = Number(container.querySelector("svg")!.getAttribute("viewBox")!.split(" ")[2]);
  const grid: Grid = Array.from({ length: size }, () => Array<boolean>(size).fill(false));
  const path = container.querySelector("path")!.getAttribute("d")!;
  for (const [, x, y] of path.matchAll(/M(\d+) (\d+)h1v1h-1z/g)) grid[Number(y)]![Number(x)] = true;
  const rim = grid.flatMap((row, y) => row.filter((_, x) => Math.min(x, y, size - 1 - x, size - 1 - y) < MARGIN));
  expect(rim).not.toContain(true);
  return grid.slice(MARGIN, -MARGIN).map((row) => row.slice(MARGIN, -MARGIN));
}

/** The mask, from the 15 bits beside the upper left corner; they name the level, too, and check themselves. */
function maskOf(grid: Grid): number {
  const row = [0, 1, 2, 3, 4, 5, 7, 8].map((x) => grid[8]![x]!);
  const column = [7, 5, 4, 3, 2, 1, 0].map((y) => grid[y]![8]!);
  const bits = [...row, ...column].reduce((sum, dark) => 2 * sum + Number(dark), 0) ^ 0b101010000010010;
  let rest = bits;
  for (let bit = 14; bit >= 10; bit -= 1) if ((rest >> bit) & 1) rest ^= 0b10100110111 << (bit - 10);
  expect(rest).toBe(0);
  expect(bits >> 13, "level M").toBe(0);
  return (bits >> 10) & 7;
}

/** True where patterns stand that hold no data. */
function isFixed(y: number, x: number, size: number, version: number): boolean {
  const corner = (y < 9 && (x < 9 || x > size - 9)) || (y > size - 9 && x < 9);
  const { marks } = VERSIONS[version]!;
  const [first, last] = [marks[0], marks.at(-1)];
  const inMark = marks.some((row) =>
    marks.some((column) => {
      const inCorner = (row === first && (column === first || column === last)) || (row === last && column === first);
      return !inCorner && Math.abs(y - row) <= 2 && Math.abs(x - column) <= 2;
    }),
  );
  const named = version >= 7 && ((y < 6 && x > size - 12) || (x < 6 && y > size - 12));
  return corner || x === 6 || y === 6 || inMark || named;
}

/** All bytes, in the order in which they lie: in columns of two, upwards and downwards in turn, from the right; column 6 has none. */
function bytes(grid: Grid, version: number): number[] {
  const [size, mask] = [grid.length, MASKS[maskOf(grid)]!];
  const bits: number[] = [];
  let up = true;
  for (let right = size - 1; right > 0; right -= right === 8 ? 3 : 2) {
    for (let step = 0; step < size; step += 1) {
      const y = up ? size - 1 - step : step;
      for (const x of [right, right - 1]) {
        if (!isFixed(y, x, size, version)) bits.push(Number(grid[y]![x]! !== mask(y, x)));
      }
    }
    up = !up;
  }
  const whole = Math.floor(bits.length / 8);
  return Array.from({ length: whole }, (_, n) => bits.slice(8 * n, 8 * n + 8).reduce((sum, bit) => 2 * sum + bit, 0));
}

/** Multiply in the field of 256 elements. */
function times(a: number, b: number): number {
  let product = 0;
  for (let bit = 7; bit >= 0; bit -= 1) {
    product = (product << 1) ^ (product & 128 ? 0x11d : 0);
    if ((b >> bit) & 1) product ^= a;
  }
  return product;
}

/** The text of a code; an error if one of its blocks does not fit its check bytes. */
function read(grid: Grid): string {
  const version = (grid.length - 17) / 4;
  const { check, blocks } = VERSIONS[version]!;
  const all = bytes(grid, version);
  const parts: number[][] = blocks.map(() => []);
  for (let n = 0; n < Math.max(...blocks); n += 1) {
    blocks.forEach((length, k) => void (n < length && parts[k]!.push(all.shift()!)));
  }
  const data = parts.flat();
  for (let n = 0; n < check; n += 1) parts.forEach((part) => part.push(all.shift()!));
  for (const part of parts) {
    for (let power = 0, root = 1; power < check; power += 1, root = times(root, 2)) {
      if (part.reduce((sum, byte) => times(sum, root) ^ byte, 0) !== 0) throw new Error("A block is damaged.");
    }
  }
  const half = data.flatMap((byte) => [byte >> 4, byte & 15]);
  expect(half[0], "bytes, not digits").toBe(4);
  const length = 16 * half[1]! + half[2]!;
  return new TextDecoder().decode(Uint8Array.from({ length }, (_, n) => 16 * half[2 * n + 3]! + half[2 * n + 4]!));
}

const LINKS = [
  "http://a.b/",
  "http://192.168.1.20:8300/t/x7",
  "https://table.example/t/3fq9#AbCdEfGhIjKlMnOp",
  `https://table.example/t/${"q".repeat(70)}`,
  `https://table.example/é/${"7".repeat(120)}`,
  `https://table.example/t/${"Zz0-_".repeat(26)}`,
];

test.each(LINKS)("a phone reads %s", (text) => {
  expect(read(seen(render(QrCode, { text }).container))).toBe(text);
});

test("a wrong square is noticed", () => {
  const grid = seen(render(QrCode, { text: LINKS[2]! }).container);
  grid[grid.length - 3]![grid.length - 3] = !grid[grid.length - 3]![grid.length - 3];
  expect(() => read(grid)).toThrow("damaged");
});
