// node run.ts TASK FOLDER VARIANT: play a task with the modules in a folder, and print the digests.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { load } from "../../src/kernels/kernels.ts";
import { results, type Task } from "./played.ts";

const [taskFile, folder, variant] = process.argv.slice(2) as [string, string, string];
if (variant === "plain") WebAssembly.validate = () => false; // an engine without SIMD
const task = JSON.parse(readFileSync(taskFile, "utf8")) as Task;
const kernels = await load(task.game, (file) => readFile(`${folder}/${file}`));
const found = await results(kernels, task, async (parts) => {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest("hex");
});
console.log(JSON.stringify(found));
