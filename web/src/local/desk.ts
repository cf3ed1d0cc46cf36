// One open table of this device: what the page says is decided, kept, and then told; bots move when it is their turn.
import { advised, asked } from "./bots.ts";
import type { Translated } from "./engine.ts";
import { loaded } from "./files.ts";
import { fromPlain, plain } from "./python.ts";
import { NotKept, store } from "./store.ts";

type Post = (told: string) => void;

/** Milliseconds after which a bot's move that could not be kept is tried again. */
const AGAIN = 4_000;

export class Desk {
  #table: Translated;
  #version: number;
  #post: Post | null;
  #queue: Promise<unknown> = Promise.resolve();
  #thinking = false;

  private constructor(
    readonly id: string,
    readonly game: string,
    table: Translated,
    version: number,
    post: Post,
  ) {
    this.#table = table;
    this.#version = version;
    this.#post = post;
  }

  static async open(id: string, post: Post): Promise<Desk | null> {
    const kept = await (await store).table(id);
    if (!kept) return null;
    const entries = await (await store).log(id);
    const game = String(kept.setup.game);
    const { LocalTable } = await loaded(game);
    return new Desk(id, game, new LocalTable(fromPlain(kept.setup), entries), entries.length, post);
  }

  /** One thing after another. */
  #next(work: () => Promise<void>): void {
    this.#queue = this.#queue.then(() => (this.#post ? work() : undefined));
  }

  hear(said: Record<string, unknown>): void {
    this.#next(() => this.#hear(said));
  }

  /** The page has gone: what is not decided yet never is. */
  async close(): Promise<void> {
    this.#post = null;
    await this.#queue;
  }

  async #hear(said: Record<string, unknown>): Promise<void> {
    try {
      const heard = this.#table.hear(fromPlain(said), Date.now());
      this.#tell(heard.answers);
      if (heard.entries.length) await this.#keep(heard.entries);
      if (heard.question) void this.#advise(heard.question);
    } catch (error) {
      return this.#refuse(Number(said.n ?? 0), error);
    }
    this.#letBotsMove();
  }

  #tell(told: string[]): void {
    for (const one of told) this.#post?.(one);
  }

  /** Kept first, then told. */
  async #keep(entries: Translated[]): Promise<void> {
    const texts = entries.map((entry) => JSON.stringify(plain(entry)));
    await (await store).append(this.id, this.#version, texts);
    this.#version += texts.length;
    this.#tell(this.#table.take(entries));
    const summary = JSON.parse(this.#table.summary()) as Record<string, unknown>;
    await (await store).summarise(this.id, summary).catch(() => undefined); // only lists tell it
  }

  #refuse(n: number, error: unknown): void {
    const rule = error instanceof NotKept ? error.rule : "table.not-kept";
    this.#post?.(JSON.stringify({ type: "refused", n, rule, reason: "That could not be saved; try again." }));
  }

  async #advise(question: Translated): Promise<void> {
    const thought = await advised(this.game, question.question);
    if (this.#post) this.#tell([this.#table.advised(question, thought)]);
  }

  #letBotsMove(): void {
    const question = this.#thinking ? null : this.#table.question();
    if (question === null) return;
    this.#thinking = true;
    const [at, wait] = [this.#version, 1000 * this.#table.patience()];
    void Promise.all([asked(this.game, question), new Promise((go) => setTimeout(go, wait))]).then(([choice]) =>
      this.#next(async () => {
        this.#thinking = false;
        try {
          // Meanwhile somebody may have taken a move back, or resigned.
          if (this.#version === at) await this.#keep(this.#table.bot_acts(choice, Date.now()));
        } catch (error) {
          this.#refuse(0, error);
          await new Promise((go) => setTimeout(go, AGAIN));
        }
        this.#letBotsMove();
      }),
    );
  }
}
