// What to call those who sit at a table.
import * as m from "@/words/messages";
import type { Player } from "@/games/contract";
import type { Chair, Presence, Time } from "./protocol";

const LEVELS: Record<string, () => string> = {
  beachcomber: m.level_beachcomber,
  fisher: m.level_fisher,
  sailor: m.level_sailor,
  navigator: m.level_navigator,
  chief: m.level_chief,
};

/** A bot by its level; one that is no level goes by its own name. */
export function botName(level: string): string {
  return LEVELS[level]?.() ?? level;
}

function left(time: Time | null | undefined, seat: number, now: number): number | null {
  if (!time) return null;
  const gone = time.running === seat ? Math.max(0, now - time.at) : 0;
  return Math.max(0, (time.left[seat] ?? 0) - gone) / 1000;
}

/** Two bots of one level are told apart by a number. */
function told(names: string[], seat: number): string {
  const name = names[seat]!;
  if (names.filter((one) => one === name).length < 2) return name;
  return `${name} ${names.slice(0, seat + 1).filter((one) => one === name).length}`;
}

/** The players as the boards show them; `now` is the server's time. */
export function players(
  chairs: Chair[],
  presence: Presence | null,
  time: Time | null | undefined,
  now: number,
  you: number | null = null,
): Player[] {
  const names = chairs.map(
    (chair) => chair.name || (chair.kind === "bot" ? botName(chair.level ?? "") : m.table_open_seat()),
  );
  return chairs.map((chair, seat) => ({
    name: told(names, seat),
    you: seat === you,
    bot: chair.kind === "bot",
    away: chair.kind === "person" && presence !== null && !presence.here[seat],
    clock: left(time, seat, now),
  }));
}
