// A QR code for a short text: bytes, error correction M, the smallest version that fits.

const TOTAL = [0, 26, 44, 70, 100, 134, 172, 196, 242, 292, 346];
/** For level M by version: error words a block, and the data words of each block. */
const BLOCKS: [words: number, blocks: number[]][] = [
  [0, []],
  [10, [16]],
  [16, [28]],
  [26, [44]],
  [18, [32, 32]],
  [24, [43, 43]],
  [16, [27, 27, 27, 27]],
  [18, [31, 31, 31, 31]],
  [22, [38, 38, 39, 39]],
  [22, [36, 36, 36, 37, 37]],
  [26, [43, 43, 43, 43, 44]],
];
const ALIGN = [[], [], [6, 18], [6, 22], [6, 26], [6, 30], [6, 34], [6, 22, 38], [6, 24, 42], [6, 26, 46], [6, 28, 50]];

const EXP = new Uint8Array(512);
const LOG = new Uint8Array(256);
for (let k = 0, x = 1; k < 255; k++) {
  EXP[k] = EXP[k + 255] = x;
  LOG[x] = k;
  x = x << 1 >= 256 ? (x << 1) ^ 0x11d : x << 1;
}
const times = (a: number, b: number) => (a && b ? EXP[LOG[a]! + LOG[b]!]! : 0);

function errorWords(data: number[], count: number): number[] {
  let generator = [1];
  for (let k = 0; k < count; k++) {
    const next = [...generator, 0];
    generator.forEach((value, i) => (next[i + 1]! ^= times(value, EXP[k]!)));
    generator = next;
  }
  const rest = [...data, ...Array<number>(count).fill(0)];
  for (let k = 0; k < data.length; k++) {
    const lead = rest[k]!;
    generator.forEach((value, i) => (rest[k + i]! ^= times(value, lead)));
  }
  return rest.slice(data.length);
}

function dataWords(bytes: Uint8Array, version: number): number[] {
  const room = BLOCKS[version]![1].reduce((sum, n) => sum + n, 0);
  const bits: number[] = [];
  const put = (value: number, length: number) => {
    for (let k = length - 1; k >= 0; k--) bits.push((value >> k) & 1);
  };
  put(4, 4);
  put(bytes.length, version < 10 ? 8 : 16);
  for (const byte of bytes) put(byte, 8);
  put(0, Math.min(4, room * 8 - bits.length));
  put(0, (8 - (bits.length % 8)) % 8);
  for (let k = 0; bits.length < room * 8; k++) put(k % 2 ? 0x11 : 0xec, 8);
  return Array.from({ length: room }, (_, k) => bits.slice(8 * k, 8 * k + 8).reduce((sum, bit) => 2 * sum + bit, 0));
}

function interleaved(words: number[], version: number): number[] {
  const [count, sizes] = BLOCKS[version]!;
  let at = 0;
  const blocks = sizes.map((size) => words.slice(at, (at += size)));
  const errors = blocks.map((block) => errorWords(block, count));
  const weave = (rows: number[][]) =>
    Array.from({ length: Math.max(...rows.map((row) => row.length)) }, (_, k) =>
      rows.flatMap((row) => row[k] ?? []),
    ).flat();
  return [...weave(blocks), ...weave(errors)];
}

type Grid = (boolean | null)[][];

function frame(version: number): Grid {
  const size = 17 + 4 * version;
  const grid: Grid = Array.from({ length: size }, () => Array<boolean | null>(size).fill(null));
  const set = (y: number, x: number, dark: boolean) => {
    if (grid[y]?.[x] !== undefined) grid[y]![x] = dark;
  };
  for (const [top, left] of [
    [0, 0],
    [0, size - 7],
    [size - 7, 0],
  ] as const) {
    for (let y = -1; y <= 7; y++)
      for (let x = -1; x <= 7; x++) {
        const far = Math.max(Math.abs(y - 3), Math.abs(x - 3));
        set(top + y, left + x, far !== 2 && far < 4);
      }
  }
  for (const y of ALIGN[version]!)
    for (const x of ALIGN[version]!) {
      if (grid[y]![x] !== null) continue;
      for (let dy = -2; dy <= 2; dy++)
        for (let dx = -2; dx <= 2; dx++) set(y + dy, x + dx, Math.max(Math.abs(dy), Math.abs(dx)) !== 1);
    }
  for (let k = 8; k < size - 8; k++) {
    grid[6]![k] ??= k % 2 === 0;
    grid[k]![6] ??= k % 2 === 0;
  }
  return grid;
}

/** Where the format (and, from version 7 on, the version) stands. */
function sign(grid: Grid, version: number, format: number): void {
  const size = grid.length;
  const bit = (k: number) => ((format >> k) & 1) === 1;
  for (let k = 0; k < 15; k++) {
    const [y, x] = k < 6 ? [k, 8] : k < 8 ? [k + 1, 8] : k === 8 ? [8, 7] : [8, 14 - k];
    grid[y]![x] = bit(k);
    if (k < 8) grid[8]![size - 1 - k] = bit(k);
    else grid[size - 15 + k]![8] = bit(k);
  }
  grid[size - 8]![8] = true;
  if (version < 7) return;
  let code = version << 12;
  for (let k = 17; k >= 12; k--) if ((code >> k) & 1) code ^= 0x1f25 << (k - 12);
  code |= version << 12;
  for (let k = 0; k < 18; k++) {
    const [y, x] = [Math.floor(k / 3), size - 11 + (k % 3)];
    grid[y]![x] = grid[x]![y] = ((code >> k) & 1) === 1;
  }
}

function formatOf(mask: number): number {
  let code = mask << 10;
  for (let k = 14; k >= 10; k--) if ((code >> k) & 1) code ^= 0x537 << (k - 10);
  return ((mask << 10) | code) ^ 0x5412;
}

/** The dark squares of the code, row by row. Any mask is right; this one is a chequerboard. */
export function qr(text: string): boolean[][] {
  const bytes = new TextEncoder().encode(text);
  const head = (version: number) => (version < 10 ? 2 : 3);
  const version = BLOCKS.findIndex(([, sizes], k) => sizes.reduce((sum, n) => sum + n, 0) >= bytes.length + head(k));
  if (version < 0) throw new RangeError("The text is too long for a QR code.");
  const words = interleaved(dataWords(bytes, version), version);
  if (words.length !== TOTAL[version]) throw new Error("The blocks do not fill the code.");
  const grid = frame(version);
  sign(grid, version, formatOf(0));
  const size = grid.length;
  let at = 0;
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right = 5;
    const upward = ((right + 1) & 2) === 0;
    for (let step = 0; step < size; step++) {
      const y = upward ? size - 1 - step : step;
      for (const x of [right, right - 1]) {
        if (grid[y]![x] !== null) continue;
        const bit = at < words.length * 8 ? (words[at >> 3]! >> (7 - (at & 7))) & 1 : 0;
        at += 1;
        grid[y]![x] = (bit === 1) !== ((y + x) % 2 === 0);
      }
    }
  }
  return grid as boolean[][];
}
