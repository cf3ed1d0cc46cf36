// A game's kernels in WebAssembly: the rules, the search and all exact values, the same to the bit as on the server.
//
//   const kahuna = await load("kahuna", (file) => fetch(`/kernels/${file}`).then((answer) => answer.arrayBuffer()));
//   const raw = kahuna.memory.array("u1", kahuna.sizes.state);
//   kahuna.call.new(facts, raw);

import { Memory, type Place } from "./memory.ts";
import { SIGNATURES, SIZES, type Calls, type Game, type Sizes } from "./signatures.ts";

/** How an argument is passed: a number, an array with this many dimensions, or a group of named arguments. */
export type Taken = "n" | number | readonly (readonly [name: string, taken: Taken])[];
/** A kernel: the name of its function, how its arguments are passed, and how many results it has. */
export type Signature = readonly [symbol: string, takes: readonly Taken[], results: number];

export interface Kernels<G extends Game> {
  readonly memory: Memory;
  readonly sizes: Sizes;
  readonly call: Calls[G];
}

/** A module of one function that adds vectors: an engine that takes it has SIMD. */
const SIMD = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
]);

/** The file of a game's kernels for this engine; an Error says so if it has no WebAssembly. */
export function fileOf(game: Game, engine: Pick<typeof WebAssembly, "validate"> | undefined = globalThis.WebAssembly) {
  if (!engine) throw new Error("This browser has no WebAssembly: games without a server cannot run here.");
  return engine.validate(SIMD) ? `${game}.simd.wasm` : `${game}.wasm`;
}

/** Load a game's kernels; `read` brings a file of that name. */
export async function load<G extends Game>(
  game: G,
  read: (file: string) => Promise<BufferSource>,
): Promise<Kernels<G>> {
  const file = fileOf(game);
  const { instance } = await WebAssembly.instantiate(await read(file), {});
  return bind(game, instance.exports, file.endsWith(".simd.wasm") ? "simd" : "plain");
}

function bind<G extends Game>(game: G, exports: WebAssembly.Exports, variant: string): Kernels<G> {
  const memory = new Memory(exports);
  const call: Record<string, unknown> = {};
  for (const [name, signature] of Object.entries(SIGNATURES[game] as Record<string, Signature>))
    call[name] = bound(signature, exports[`${signature[0]}_${variant}`] as (...given: number[]) => number, memory);
  return { memory, sizes: SIZES[game], call: call as unknown as Calls[G] };
}

function bound([, takes, results]: Signature, kernel: (...given: number[]) => number, memory: Memory) {
  if (results <= 1) {
    return (...given: unknown[]) => {
      const result = kernel(...flat(takes, given));
      return results ? result : undefined;
    };
  }
  return (...given: unknown[]) => {
    const out = memory.array("f8", results);
    kernel(out.address, ...flat(takes, given));
    const found = [...out.view()];
    memory.release(out);
    return found;
  };
}

function flat(takes: readonly Taken[], given: readonly unknown[]): number[] {
  return takes.flatMap((taken, i) => passed(taken, given[i]));
}

function passed(taken: Taken, given: unknown): number[] {
  if (taken === "n") return [Number(given)];
  if (typeof taken === "number") {
    const { address, shape } = given as Place;
    if (shape.length !== taken) throw new Error(`An array of ${taken} dimensions is wanted, not ${shape.length}.`);
    return [address, ...shape];
  }
  return taken.flatMap(([name, part]) => passed(part, (given as Record<string, unknown>)[name]));
}
