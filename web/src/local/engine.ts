// A game in a page: its rules and searches in WebAssembly, and all around them as translated from Python.
import { load, type Kernels } from "../kernels/kernels.ts";
import { Place, type Item, type Memory } from "../kernels/memory.ts";
import type { Game } from "../kernels/signatures.ts";
import {
  NamedTuple, place, python, PyObject, Records, setslice, SIZE, Stored, whole, zeros, type Layout,
} from "./python.ts"; // prettier-ignore
import { Generator } from "./random.ts";

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- what was translated has no types
export type Translated = any;
export type Make = (py: unknown) => Record<string, Translated>;

/** So many records or more lie in the kernels' memory for good: a search tree. */
const MANY = 1_000;
/** Room for a search tree in a page. The strongest levels use a fifth of it for a move. */
const NODES = 500_000;
/** Grids of more bytes than this lie in the kernels' memory, until a thought is over; others are the page's own. */
const LARGE = 1 << 20;

/** A game's kernels and its translated module together. */
export async function engine(
  game: Game,
  make: Make,
  read: (file: string) => Promise<BufferSource>,
): Promise<Record<string, Translated>> {
  const kernels = await load(game, read);
  const room = new Room(kernels.memory);
  const made = make({
    ...python,
    kernels: called(kernels),
    zeros: (shape: number | number[], kind?: string | Layout) => room.zeros(shape, kind),
    freeing: (method: Method) => room.freeing(method),
    default_rng: (seed: number | bigint) => new Generator(seed),
    grid: (kind: "i8" | "f8", shape: number[], base64: string) =>
      new Grid(new NUMBERS[kind](Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0)).buffer), 0, shape),
  });
  const { thought } = made;
  return { ...made, thought: (question: unknown) => room.lend(() => thought(question) as unknown) };
}

type Method = (this: unknown, ...given: unknown[]) => unknown;
type Own = Int8Array | Uint8Array | Int32Array | BigInt64Array | BigUint64Array | Float64Array;
const NUMBERS = {
  i1: Int8Array,
  u1: Uint8Array,
  i4: Int32Array,
  i8: BigInt64Array,
  u8: BigUint64Array,
  f8: Float64Array,
} as const;

/** Arrays that lie in the kernels' memory: trees for good, grids until a thought is over. */
class Room {
  readonly #memory: Memory;
  readonly #lent: Place[] = [];

  constructor(memory: Memory) {
    this.#memory = memory;
  }

  zeros(shape: number | number[], kind: string | Layout = "f8"): unknown {
    if (typeof kind === "object" && Number(shape) >= MANY) {
      const tree = this.#memory.array("record", Math.min(NODES, Number(shape)), kind.itemsize);
      return new Kept(kind, tree);
    }
    const sizes = Array.isArray(shape) ? shape : [shape];
    const bytes = sizes.reduce((count, size) => count * size, SIZE[kind as string]!);
    if (kind === "u8" || (sizes.length > 1 && bytes > LARGE)) {
      const grid = this.#memory.array(kind as Item, shape);
      this.#lent.push(grid);
      return new Grid(grid, 0, sizes);
    }
    return sizes.length > 1
      ? new Grid(new NUMBERS[kind as "f8"](bytes / SIZE[kind as string]!), 0, sizes)
      : zeros(shape, kind);
  }

  lend<T>(use: () => T): T {
    try {
      return use();
    } finally {
      this.#release(0);
    }
  }

  /** A method after which all large grids that it made are released, but the one that it returns. */
  freeing(method: Method): Method {
    const release = (from: number, made: unknown): void => this.#release(from, made instanceof Grid ? made.home : null);
    const count = (): number => this.#lent.length;
    return function (this: unknown, ...given: unknown[]) {
      const from = count();
      const made = method.apply(this, given);
      release(from, made);
      return made;
    };
  }

  #release(from: number, but: unknown = null): void {
    for (const grid of this.#lent.splice(from)) {
      if (grid === but) this.#lent.push(grid);
      else this.#memory.release(grid);
    }
  }
}

/** Records that stay in the kernels' memory. */
class Kept extends Records {
  readonly place: Place;
  constructor(kind: Layout, place: Place) {
    super(kind, () => place.view() as Uint8Array);
    this.place = place;
  }
}

/** Numbers in rows, and rows of these: in the kernels' memory, or the page's own. */
class Grid extends Stored {
  readonly home: Place | Own;
  readonly shape: readonly number[];
  readonly #first: number;

  constructor(home: Place | Own, first: number, shape: readonly number[]) {
    super();
    this.home = home;
    this.#first = first;
    this.shape = shape;
  }

  get length(): number {
    return this.shape[0]!;
  }

  /** The numbers of this grid alone, one row after another. */
  get numbers(): Own {
    const all = this.home instanceof Place ? (this.home.view() as Own) : this.home;
    return all.subarray(this.#first, this.#first + this.shape.reduce((a, b) => a * b));
  }

  get(index: number): unknown {
    const at = place(index, this.length);
    const rest = this.shape.slice(1);
    if (rest.length) {
      const row = new Grid(this.home, this.#first + at * rest.reduce((a, b) => a * b), rest);
      return rest.length === 1 && this.home instanceof Float64Array ? row.numbers : row;
    }
    const found = this.numbers[at]!;
    return typeof found === "bigint" ? whole(found) : found;
  }

  set(index: number, value: unknown): void {
    const at = place(index, this.length);
    if (this.shape.length > 1) return setslice(this.get(index), null, null, null, value);
    const { numbers } = this;
    if (numbers instanceof BigInt64Array || numbers instanceof BigUint64Array) numbers[at] = BigInt(value as number);
    else numbers[at] = Number(value);
  }
}

/** Kernels that take arrays as Python has them: copied into their memory, and back when they are done. */
function called(kernels: Kernels<Game>): Record<string, (...given: unknown[]) => unknown> {
  const calls = kernels.call as unknown as Record<string, (...given: unknown[]) => unknown>;
  return Object.fromEntries(
    Object.entries(calls).map(([name, kernel]) => [name, (...given: unknown[]) => lent(kernels.memory, kernel, given)]),
  );
}

function lent(memory: Memory, kernel: (...given: unknown[]) => unknown, given: unknown[]): unknown {
  const back: (() => void)[] = [];
  const result = kernel(...given.map((value) => placed(memory, value, back)));
  for (const done of back) done();
  return result;
}

/** What a kernel is given for a value; `back` gets what is to be done after the call. */
function placed(memory: Memory, value: unknown, back: (() => void)[]): unknown {
  if (value instanceof Kept) return value.place;
  if (value instanceof Grid) return gridded(memory, value, back);
  if (value instanceof Records) return copied(memory, memory.array("record", 1, value.bytes.length), value.bytes, back);
  if (value instanceof Uint8Array) return copied(memory, memory.array("u1", value.length), value, back);
  if (value instanceof Int32Array) return copied(memory, memory.array("i4", value.length), value, back);
  if (value instanceof Float64Array) return copied(memory, memory.array("f8", value.length), value, back);
  if (value instanceof BigUint64Array) return copied(memory, memory.array("u8", value.length), value, back);
  if (Array.isArray(value)) return numbers(memory, value as number[], back);
  if (value instanceof NamedTuple) return group(memory, value, back);
  return value;
}

function gridded(memory: Memory, grid: Grid, back: (() => void)[]): Place {
  if (grid.home instanceof Place) return grid.home;
  const kind = Object.entries(NUMBERS).find(([, Kind]) => grid.home instanceof Kind)![0];
  return copied(memory, memory.array(kind as Item, grid.shape), grid.numbers, back);
}

interface View extends ArrayLike<number | bigint> {
  set(from: View): void;
}

function copied(memory: Memory, place: Place, value: unknown, back: (() => void)[]): Place {
  (place.view() as unknown as View).set(value as View);
  back.push(() => {
    (value as View).set(place.view() as unknown as View);
    memory.release(place);
  });
  return place;
}

function numbers(memory: Memory, value: number[], back: (() => void)[]): Place {
  const place = memory.array("i8", value.length);
  place.view().set(value.map((item) => BigInt(item)));
  back.push(() => {
    place.view().forEach((item, at) => (value[at] = Number(item)));
    memory.release(place);
  });
  return place;
}

function group(memory: Memory, value: NamedTuple, back: (() => void)[]): Record<string, unknown> {
  const names = (value.constructor as typeof PyObject).fields ?? [];
  return Object.fromEntries(
    names.map((name) => {
      const said = name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
      return [said, placed(memory, (value as Translated)[name], back)];
    }),
  );
}
