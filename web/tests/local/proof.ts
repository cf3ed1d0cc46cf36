// Stonehenge proved in a page, for `tests/local/test_proof.py`: node proof.ts TASK KERNELS MODULE.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { engine, type Make, type Translated } from "../../src/local/engine.ts";
import { fromPlain } from "../../src/local/python.ts";

const [file, kernels, module] = process.argv.slice(2) as [string, string, string];
const { certificates, positions } = JSON.parse(readFileSync(file, "utf8")) as {
  certificates: { certificate: unknown; quick: boolean }[];
  positions: string[];
};
const { default: make } = (await import(pathToFileURL(module).href)) as { default: Make };
const made = await engine("stonehenge", make, (name) => Promise.resolve(readFileSync(`${kernels}/${name}`)));

/** What goes wrong, or what comes of it. */
function outcome(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Error) || !("args" in error)) throw error;
    return { error: error.message };
  }
}

function checked(certificate: unknown, quick: boolean): unknown {
  const check = new made.Check!(fromPlain(certificate), quick) as Translated;
  return Array.from({ length: check.parts() as number }, (_, part) => {
    const names = check.part(part) as string[];
    for (const name of names) check.try_out(name);
    return names;
  });
}

function solved(moves: string): unknown {
  const task = new made.Task!(moves) as Translated;
  for (const step of task.steps()) if (!(step.share <= 1)) throw new Error(`A share of ${step.share}.`);
  return [task.winner(), task.move()];
}

const said = {
  checks: certificates.map(({ certificate, quick }) => outcome(() => checked(certificate, quick))),
  winners: positions.map((moves) => outcome(() => solved(moves))),
};
process.stdout.write(JSON.stringify(said));
