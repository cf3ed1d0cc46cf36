// What a page says of records, for `tests/local/test_verify.py`: node verify.mts RECORDS KERNELS MODULE.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { engine, type Make } from "../../web/src/local/engine.ts";
import { fromPlain } from "../../web/src/local/python.ts";
import type { Game } from "../../web/src/kernels/signatures.ts";

const [file, kernels, module] = process.argv.slice(2) as [string, string, string];
const { game, records } = JSON.parse(readFileSync(file, "utf8")) as { game: Game; records: unknown[] };
const { default: make } = (await import(pathToFileURL(module).href)) as { default: Make };
const made = await engine(game, make, (name) => Promise.resolve(readFileSync(`${kernels}/${name}`)));
process.stdout.write(`[${records.map((record) => made.verified!(fromPlain(record)) as string).join(",")}]`);
