// The worker in which this device's bots think. It gets views and nothing else, and the table goes on meanwhile.
import { loaded } from "./files.ts";
import type { FromThinker, ToThinker } from "./post.ts";

addEventListener("message", (event: MessageEvent<ToThinker>) => void answer(event.data));

async function answer({ id, game, question }: ToThinker): Promise<void> {
  let choice: unknown = null;
  try {
    const made = await loaded(game);
    const asked = Object.assign(Object.create((made.Question as { prototype: object }).prototype), question) as unknown;
    choice = (made.thought as (asked: unknown) => unknown)(asked);
  } finally {
    postMessage({ id, choice } satisfies FromThinker);
  }
}
