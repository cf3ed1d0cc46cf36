// A table as the page knows it: what the server told, kept together and up to date.
import { settings } from "@/app/settings.svelte";
import type { Action, AnyView, AtTable, Legal } from "@/games/contract";
import { socketTo } from "./api";
import { Connection, type Standing, type Wish } from "./connection";
import { heard, joined, since, standing, type Entry } from "./log";
import type { Told } from "./refusal.svelte";
import { code, fits, promise, promised, seal, shareOf } from "./shares";
import type {
  About,
  Aim,
  Audience,
  Chair,
  Hint,
  Opening,
  Position,
  Presence,
  Refused,
  Remark,
  ServerMessage,
  Update,
} from "./protocol";

/** After these there is no use in coming again. */
const FINAL = new Set([
  "table.no-such-table",
  "table.link-needed",
  "table.link",
  "table.link-revoked",
  "table.other-rules",
  "table.removed",
  "table.session-ended",
  "table.local-older",
]);

export class Table {
  standing: Standing = $state("connecting");
  about: About | null = $state.raw(null);
  commit = $state("");
  chairs: Chair[] = $state.raw([]);
  yours: number[] = $state.raw([]);
  host = $state(false);
  presence: Presence | null = $state.raw(null);
  /** Who watches; told to the host alone. */
  audience: Audience | null = $state.raw(null);
  position: Position | null = $state.raw(null);
  entries: Entry[] = $state.raw([]);
  remarks: Remark[] = $state.raw([]);
  before: AnyView | null = $state.raw(null);
  /** On a shared screen each seat has a view of its own to compare with. */
  #befores = new Map<number | null, AnyView>();
  refused: Refused | null = $state.raw(null);
  hint: Hint | null = $state.raw(null);
  /** A hint was asked for, and has not come. */
  hinting = $state(false);
  /** The seat through whose eyes this screen looks. */
  eye: number | null = $state(null);
  /** How far the server's clock is ahead of ours, in milliseconds. */
  ahead = $state(0);
  waiting = $state(0);
  /** Others acted while the connection was cut: the version up to which we had seen everything. */
  missed: number | null = $state(null);
  gone: Told | null = $state.raw(null);
  /** What keeps the table from letting us in, while we keep trying. */
  trouble: Told | null = $state.raw(null);
  /** A seat that was ours until somebody else sat down. */
  lost: number | null = $state(null);

  /** What was frozen does not have this browser's share, or is not what it was before. */
  leftOut = $state(false);

  readonly moves = $derived(standing(this.entries));
  readonly #started = $derived(this.entries.findLast((entry) => entry.kind === "started"));
  /** The code that binds the draws of the game that runs, or else of the next. */
  readonly code = $derived(
    this.#started && this.commit === this.#started.commit ? code({ seals: [], ...this.#started }) : this.commit,
  );
  /** When a game is over: was it drawn from what this browser saw frozen? Null if it saw nothing. */
  readonly kept = $derived.by(() => {
    const [started, ended] = [this.#started, this.entries.findLast((entry) => entry.kind === "ended")];
    const frozen = started && ended && ended.v > started.v ? promised(this.id, started.game) : null;
    return frozen && started && ended
      ? fits(frozen, { seals: [], ...started, seed: ended.seed, salt: ended.salt })
      : null;
  });
  /** Whose shares are still to be opened, by where they sit now. */
  readonly unopened = $derived.by(() => {
    const { seals = [], opened = [] } = this.position?.opening ?? {};
    const closed = seals.flatMap((hash, seat) => (hash.length === 64 && !opened.includes(seat) ? [seat] : []));
    return closed.map((seat) => this.chairOf(seat));
  });
  /** My seats whose shares only another device can open. */
  readonly elsewhere = $derived(
    this.unopened.filter((chair) => this.yours.includes(chair) && shareOf(this.#sealAt(chair)) === null),
  );
  readonly recent = $derived(since(this.moves, this.position?.seat ?? null));
  /** Nobody else's secrets are at stake, or the table allows it. */
  readonly hints = $derived(
    this.about?.hints === true || this.chairs.every(({ kind }, seat) => kind === "bot" || this.yours.includes(seat)),
  );
  readonly view = $derived((this.position?.view ?? null) as AnyView | null);
  readonly at: AtTable = $derived({
    moves: this.moves,
    thrower: this.about?.dice ?? null,
    dice: this.position?.dice ?? null,
    ask: (v: number) => this.#ask(v),
  });
  readonly legal = $derived((this.waiting > 0 ? [] : (this.position?.legal ?? [])) as Legal[]);

  #version: number | null = null;
  #back = false;
  /** We have just come: a hash that another device sent is replaced by one of ours. */
  #came = false;
  /** Commands that nobody at this screen gave, by number: their refusals are nobody's to read. */
  #ownAccord = new Set<number>();
  #opened = new Set<string>();
  /** Who waits for the trajectory of a throw. */
  #asked = new Map<number, (way: string | null) => void>();
  #connection: Connection;

  constructor(
    readonly id: string,
    readonly link: string | null = null,
  ) {
    this.#connection = new Connection(() => socketTo(id), {
      hello: () => ({
        since: this.#version,
        hash: this.position?.hash ?? null,
        eye: this.eye,
        link: this.link,
        heard: this.remarks.at(-1)?.number ?? null,
        pace: settings.bots,
      }),
      heard: (message) => this.#hear(message),
      changed: (now) => {
        this.#back = now === "open" && this.standing === "lost";
        this.standing = now;
      },
    });
  }

  act(action: Action | string, aim?: Aim): void {
    if (this.#version !== null) this.#command({ type: "act", at: this.#version, action, ...(aim && { aim }) });
  }

  /** Ask what a strong bot would do. */
  ask(): void {
    this.hinting = true;
    this.#command({ type: "ask-hint" });
  }

  command(wish: Wish): void {
    this.#command(wish);
  }

  /** On a shared screen: look through another seat's eyes, or through nobody's. */
  look(seat: number | null): void {
    this.eye = seat;
    this.before = this.#befores.get(seat) ?? null;
    this.#connection.tell({ type: "look", seat });
  }

  /** The seat of the person who will have this one in the next game: after each game everybody moves one seat on. */
  chairOf(seat: number): number {
    return (seat + ((this.position?.game ?? 0) > 0 ? 1 : 0)) % this.chairs.length;
  }

  /** Come anew: the server has to see who we are now. */
  come(): void {
    this.#connection.resync();
  }

  close(): void {
    this.#connection.close();
  }

  #ask(v: number): Promise<string | null> {
    const told = this.moves.find((move) => move.v === v)?.fall?.trajectory;
    if (told) return Promise.resolve(told);
    return new Promise((answer) => {
      this.#asked.set(v, answer);
      this.#connection.tell({ type: "ask-throw", v });
    });
  }

  #command(wish: Wish): void {
    this.refused = null;
    this.missed = null;
    this.#connection.command(wish);
    this.waiting = this.#connection.unanswered;
  }

  #hear(message: ServerMessage): void {
    this.waiting = this.#connection?.unanswered ?? 0;
    switch (message.type) {
      case "welcome":
        this.#came = true;
        this.about = message.table;
        this.trouble = null;
        this.commit = message.commit;
        this.ahead = message.now - Date.now();
        break;
      case "yours":
        this.lost = message.seats.length === 0 ? (this.yours[0] ?? null) : null;
        this.yours = message.seats;
        this.host = message.host;
        break;
      case "update":
        this.#update(message);
        break;
      case "refused":
        if (!this.#ownAccord.has(message.n)) this.refused = message;
        this.hinting = false;
        break;
      case "presence":
        this.presence = message;
        break;
      case "said":
        this.remarks = heard(this.remarks, message.remarks);
        break;
      case "audience":
        this.audience = message;
        break;
      case "hint":
        this.hint = message;
        this.hinting = false;
        break;
      case "thrown":
        this.#asked.get(message.v)?.(message.trajectory);
        this.#asked.delete(message.v);
        break;
      case "pong":
        this.ahead = message.now - Date.now();
        break;
      case "trouble":
      case "goodbye":
        this.#troubled(message.type === "trouble" ? message : { ...message, reason: "" });
    }
  }

  #troubled(told: Told): void {
    if (FINAL.has(told.rule)) {
      this.gone = told;
      this.close();
    } else if (told.reason && this.about === null) this.trouble = told;
  }

  #update(update: Update): void {
    const entries = joined(this.entries, this.#version ?? 0, update);
    if (entries === null) return this.#connection.resync();
    if (this.#back) this.#note(update);
    this.entries = entries;
    this.#version = update.version;
    if (update.chairs) this.chairs = update.chairs;
    if (update.commit !== undefined) this.commit = update.commit;
    if (update.position) this.#place(update.position, update);
    if (update.position?.opening?.frozen) this.#open(update.position.opening);
    else if (this.#came) this.#sealHere();
    this.#came = false;
  }

  /** Open our shares, if what was frozen is what we may open them for. */
  #open(opening: Opening): void {
    const own = opening.seals.filter((hash) => shareOf(hash) !== null && !this.#opened.has(hash));
    this.leftOut = !promise(this.id, opening.game, opening);
    for (const hash of this.leftOut ? [] : own) {
      this.#opened.add(hash);
      const seat = opening.seals.indexOf(hash);
      if (!opening.opened?.includes(seat)) this.#accord({ type: "open", seat, share: shareOf(hash)! });
    }
  }

  /** Before a game: a person who comes with another device brings another share, for the first one may be out of reach. */
  #sealHere(): void {
    const { game = 0, over, opening, closed } = this.position ?? {};
    if (closed || opening?.void || (game > 0 && !over)) return;
    for (const seat of this.yours) {
      const wants = game === 0 || over?.again?.includes(seat);
      if (wants && this.chairs[seat]?.kind === "person" && shareOf(this.#sealAt(seat)) === null)
        this.#accord({ type: "seal", seat, seal: seal() });
    }
  }

  /** The hash for the next game of the person who sits here now. */
  #sealAt(chair: number): string {
    const seals = this.position?.opening?.seals ?? [];
    return seals.find((_, seat) => this.chairOf(seat) === chair) ?? "";
  }

  #accord(wish: Wish): void {
    this.#ownAccord.add(this.#connection.command(wish));
    this.waiting = this.#connection.unanswered;
  }

  #note(update: Update): void {
    this.#back = false;
    const others = update.entries.some((entry) => entry.kind === "acted" && entry.seat !== this.position?.seat);
    this.missed = !update.whole && others ? (this.#version ?? 0) : null;
  }

  #place(position: Position, update: Update): void {
    const turned = position.game !== this.position?.game;
    const own = update.entries.findLast((entry) => entry.kind === "acted")?.seat === position.seat;
    if (turned) this.#befores.clear();
    if (turned || position.seat !== this.position?.seat) this.before = this.#befores.get(position.seat) ?? null;
    if (own && !update.whole) this.#befores.set(position.seat, (this.before = position.view as AnyView));
    if (position.moves !== this.position?.moves) [this.hint, this.hinting] = [null, false];
    this.position = position;
    if (position.seat !== null && this.yours.length <= 1) this.eye = position.seat;
  }
}
