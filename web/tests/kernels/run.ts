// node run.ts TASK FOLDER VARIANT: play a task, or make recorded calls, with the modules in a folder; print what came of it.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { load } from "../../src/kernels/kernels.ts";
import { results, type Task } from "./played.ts";
import { outcomes, type Recorded } from "./recorded.ts";

const [taskFile, folder, variant] = process.argv.slice(2) as [string, string, string];
if (variant === "plain") WebAssembly.validate = () => false; // an engine without SIMD
const task = JSON.parse(readFileSync(taskFile, "utf8")) as Task | Recorded;
const kernels = await load(task.game, (file) => readFile(`${folder}/${file}`));

async function digest(parts: Iterable<Uint8Array>): Promise<string> {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest("hex");
}

const found =
  "calls" in task ? await outcomes(kernels, task, (part) => digest([part])) : await results(kernels, task, digest);
console.log(JSON.stringify(found));
