// Alt+Page Down and Alt+Page Up lead from table to table: to those that wait for you, or else to all that go on.
import { route } from "@/app/route.svelte";
import { api } from "@/table/api";
import type { Summary } from "@/table/protocol";

/** The table after (1) or before (-1) the one that is shown. */
export function beside(tables: Summary[], shown: string, step: 1 | -1): string | null {
  const waiting = tables.filter((table) => table.your_turn);
  const among = (waiting.length > 0 ? waiting : tables).map(({ id }) => id);
  if (among.length === 0) return null;
  const at = among.indexOf(shown);
  if (at < 0) return among[step === 1 ? 0 : among.length - 1]!;
  const next = among[(at + step + among.length) % among.length]!;
  return next === shown ? null : next;
}

export async function turnPage(event: KeyboardEvent): Promise<void> {
  const step = event.key === "PageDown" ? 1 : event.key === "PageUp" ? -1 : null;
  if (step === null || !event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const { now } = route;
  const running = await api.running().catch(() => null);
  const next = running && beside(running.tables, now.page === "table" ? now.id : "", step);
  if (next) route.go(`/table/${next}`);
}
