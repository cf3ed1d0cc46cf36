// Arrays that lie in a WebAssembly module's memory, where kernels read and write them.

const VIEWS = {
  i1: Int8Array,
  u1: Uint8Array,
  i4: Int32Array,
  i8: BigInt64Array,
  u8: BigUint64Array,
  f8: Float64Array,
} as const;

/** The type of an array's items: a number, or a record of that name, which is seen as bytes. */
export type Item = keyof typeof VIEWS | (string & {});
type View<I extends Item> = I extends keyof typeof VIEWS ? InstanceType<(typeof VIEWS)[I]> : Uint8Array;

/** An array in the memory of a module. */
export class Place<I extends Item = Item> {
  readonly item: I;
  readonly address: number;
  readonly shape: readonly number[];
  readonly bytes: number;
  readonly #memory: WebAssembly.Memory;

  constructor(memory: WebAssembly.Memory, item: I, address: number, shape: readonly number[], bytes: number) {
    this.#memory = memory;
    this.item = item;
    this.address = address;
    this.shape = shape;
    this.bytes = bytes;
  }

  /** The items as a typed array. It is lost when the memory grows: ask again after every call. */
  view(): View<I> {
    const Kind = VIEWS[this.item as keyof typeof VIEWS] ?? Uint8Array;
    return new Kind(this.#memory.buffer, this.address, this.bytes / Kind.BYTES_PER_ELEMENT) as View<I>;
  }
}

interface Allocator {
  memory: WebAssembly.Memory;
  archipel_allocate(size: bigint): number;
  archipel_release(address: number): void;
}

/** The memory of a module. */
export class Memory {
  readonly #exports: Allocator;

  constructor(exports: WebAssembly.Exports) {
    this.#exports = exports as unknown as Allocator;
  }

  /** A new array of zeros: of numbers, or of records of this many bytes each. */
  array<I extends Item>(item: I, shape: number | readonly number[], itemSize?: number): Place<I> {
    const sizes = typeof shape === "number" ? [shape] : [...shape];
    const each = VIEWS[item as keyof typeof VIEWS]?.BYTES_PER_ELEMENT ?? itemSize;
    if (!each) throw new Error(`How many bytes has a record of ${item}?`);
    const bytes = sizes.reduce((count, size) => count * size, each);
    const address = this.#exports.archipel_allocate(BigInt(bytes));
    new Uint8Array(this.#exports.memory.buffer, address, bytes).fill(0);
    return new Place(this.#exports.memory, item, address, sizes, bytes);
  }

  /** Give the memory of an array back; nobody may use the array after that. */
  release(place: Place): void {
    this.#exports.archipel_release(place.address);
  }
}
