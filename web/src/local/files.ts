// A game's engine from the files beside the page: `local/games.json` names them.
import type { Game } from "../kernels/signatures.ts";
import type { Games } from "../table/protocol.ts";
import { engine, type Make, type Translated } from "./engine.ts";

interface Files {
  module: string;
  plain: string;
  simd: string;
  /** Stonehenge's: the winner's strategy, to be checked. */
  certificate?: string;
}
/** What can be played here. */
export interface Listed extends Games {
  files: Record<string, Files>;
}

/** A worker's script lies in `assets/`, beside `local/`. */
const at = (name: string): URL => new URL(`../local/${name}`, location.href);

let listed: Promise<Listed> | null = null;
const engines = new Map<string, Promise<Record<string, Translated>>>();

export async function fetched(name: string, init?: RequestInit): Promise<Response> {
  const answer = await fetch(at(name), init);
  if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
  return answer;
}

/** Ask again after a failure: the network may be back. */
function again<T>(found: Promise<T>, forget: () => void): Promise<T> {
  found.catch(forget);
  return found;
}

export function list(): Promise<Listed> {
  listed ??= again(
    fetched("games.json", { cache: "no-cache" }).then((answer) => answer.json() as Promise<Listed>),
    () => (listed = null),
  );
  return listed;
}

/** A game's engine, loaded once. */
export function loaded(game: string): Promise<Record<string, Translated>> {
  const known = engines.get(game);
  if (known) return known;
  const made = again(load(game), () => engines.delete(game));
  engines.set(game, made);
  return made;
}

async function load(game: string): Promise<Record<string, Translated>> {
  const { files } = await list();
  const own = files[game];
  if (!own) throw new Error(`There is no game ${game}.`);
  const { default: make } = (await import(/* @vite-ignore */ at(own.module).href)) as { default: Make };
  const read = (file: string) => fetched(file.endsWith(".simd.wasm") ? own.simd : own.plain);
  return engine(game as Game, make, (file) => read(file).then((answer) => answer.arrayBuffer()));
}
