// node homes.ts TASK FOLDER: random games and simulations a second in WebAssembly, printed as JSON.
import { readFileSync } from "node:fs";
import { measure, type Task } from "./homes_page.ts";

const [taskFile, folder] = process.argv.slice(2) as [string, string];
const task = JSON.parse(readFileSync(taskFile, "utf8")) as Task;
console.log(JSON.stringify(await measure(task, async (file) => readFileSync(`${folder}/${file}`))));
