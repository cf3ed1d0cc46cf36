// Sitting down: a name if there is none yet, then a new table.
import { api } from "@/table/api";
import type { GameInfo, NewChair, NewTable } from "@/table/protocol";
import { seal } from "@/table/shares";
import { route } from "@/app/route.svelte";
import { settings } from "@/app/settings.svelte";

/** The level that was chosen last, or the middle one. */
export function usualLevel(game: GameInfo): string {
  const kept = settings.level[game.name];
  if (kept && game.levels.includes(kept)) return kept;
  return game.levels[Math.floor((game.levels.length - 1) / 2)] ?? "";
}

/** Make the table and go there. Refusals are the caller's to show. */
export async function sitDown(table: NewTable): Promise<void> {
  const chairs = table.chairs.map((chair) =>
    chair.kind === "me" || chair.kind === "here" ? { ...chair, seal: seal() } : chair,
  );
  const { id } = await api.open({ ...table, chairs });
  route.go(`/table/${id}`);
}

/** One click: against as many bots as the game needs, at the usual level. */
export async function playNow(game: GameInfo, name: string, level = usualLevel(game)): Promise<void> {
  const seats = game.seats[0] ?? 2;
  const bot: NewChair = { kind: "bot", level };
  await sitDown({ game: game.name, chairs: [{ kind: "me", name }, ...Array.from({ length: seats - 1 }, () => bot)] });
}
