// A table in a page, played as `tests/local/test_table.py` says: node table.ts TASK KERNELS MODULE.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { engine, type Make, type Translated } from "../../src/local/engine.ts";
import { fromPlain } from "../../src/local/python.ts";
import type { Game } from "../../src/kernels/signatures.ts";

const [file, kernels, module] = process.argv.slice(2) as [string, string, string];
const task = JSON.parse(readFileSync(file, "utf8")) as {
  game: Game;
  setup: unknown;
  entries: string[];
  script: Record<string, unknown>[];
  records: unknown[];
};
const { default: make } = (await import(pathToFileURL(module).href)) as { default: Make };
const made = await engine(task.game, make, (name) => Promise.resolve(readFileSync(`${kernels}/${name}`)));
const table = new made.LocalTable(fromPlain(task.setup), task.entries);
const told: string[] = [];
let now = 1_000;

function kept(entries: Translated): void {
  told.push(...(table.take(entries) as string[]));
}

function bots(): void {
  for (let question = table.question(); question !== null; question = table.question())
    kept(table.bot_acts(made.thought!(question), (now += 10)));
}

bots();
for (const said of task.script) {
  const heard = table.hear(fromPlain(said), (now += 10));
  told.push(...(heard.answers as string[]));
  if (heard.entries.length) kept(heard.entries);
  if (heard.question) told.push(table.advised(heard.question, made.thought!(heard.question.question)));
  bots();
}
told.push(table.summary());
if (table.table.game < 2) {
  process.stdout.write(JSON.stringify(told)); // it went another way: the messages show where
  process.exit(0);
}
for (const [game, eye, since] of [
  [1, null, 0],
  [1, "referee", 48],
  [1, 0, 0],
])
  told.push(table.replay(game, eye, since));
told.push(table.record(1));
for (const record of task.records) told.push(made.verified!(fromPlain(record)));
const claims = made.claims!(fromPlain(task.records[0])) as Translated[];
told.push(
  made.judged!(
    claims,
    claims.map(({ question }) => question && made.thought!(question)),
  ),
);
process.stdout.write(JSON.stringify(told));
