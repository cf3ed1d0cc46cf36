// Calls that `tests/kernels/recorded.py` has recorded, made again in WebAssembly: the results, and digests of all arrays.
import type { Kernels } from "../../src/kernels/kernels.ts";
import type { Place } from "../../src/kernels/memory.ts";
import { SIGNATURES, type Game } from "../../src/kernels/signatures.ts";

interface GivenArray {
  size: number;
  shape: number[];
  data: string;
}
type Given = number | GivenArray | Given[];

export interface Recorded {
  game: Game;
  calls: { kernel: string; given: Given[] }[];
}

type Taken = "n" | number | readonly (readonly [string, Taken])[];
type Digest = (part: Uint8Array<ArrayBuffer>) => Promise<string>;

async function unpacked(text: string): Promise<Uint8Array> {
  const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Puts the arguments of one call into a module's memory. */
class Arguments {
  readonly kernels: Kernels<Game>;
  readonly places: Place[] = [];

  constructor(kernels: Kernels<Game>) {
    this.kernels = kernels;
  }

  async put(given: Given, taken: Taken): Promise<unknown> {
    if (typeof given === "number") return given;
    if (Array.isArray(given)) {
      const group: Record<string, unknown> = {};
      for (const [i, [name, part]] of (taken as readonly (readonly [string, Taken])[]).entries())
        group[name] = await this.put(given[i]!, part);
      return group;
    }
    const bytes = given.data ? await unpacked(given.data) : null;
    const place = this.kernels.memory.array("record", given.shape, given.size);
    if (bytes) (place.view() as Uint8Array).set(bytes);
    this.places.push(place);
    return place;
  }
}

/** What comes of every call. */
export async function outcomes(kernels: Kernels<Game>, { game, calls }: Recorded, digest: Digest) {
  const found = [];
  for (const { kernel, given } of calls) {
    const takes = (SIGNATURES[game] as Record<string, readonly [string, readonly Taken[], number]>)[kernel]![1];
    const memory = new Arguments(kernels);
    const passed = [];
    for (const [i, argument] of given.entries()) passed.push(await memory.put(argument, takes[i]!));
    const call = (kernels.call as unknown as Record<string, (...passed: unknown[]) => unknown>)[kernel]!;
    const result = call(...passed);
    const after = [];
    for (const place of memory.places) {
      after.push(await digest((place.view() as Uint8Array).slice()));
      kernels.memory.release(place);
    }
    found.push({ kernel, result: result === undefined ? [] : [result].flat(), after });
  }
  return found;
}
