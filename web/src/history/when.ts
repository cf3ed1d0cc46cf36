// Moments as people say them: "3 hours ago", "in 2 days", a date.
import * as m from "@/words/messages";
import { language } from "@/app/language.svelte";

const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
];

function relative(milliseconds: number): string {
  const found = UNITS.find(([, long]) => Math.abs(milliseconds) >= long);
  if (!found) return m.history_now();
  const [unit, length] = found;
  const format = new Intl.RelativeTimeFormat(language.now, { numeric: "auto" });
  return format.format(Math.trunc(milliseconds / length), unit);
}

export function ago(moment: number, now = Date.now()): string {
  return relative(Math.min(0, moment - now));
}

export function until(moment: number, now = Date.now()): string {
  return relative(Math.max(0, moment - now));
}

export function day(moment: number): string {
  return new Intl.DateTimeFormat(language.now, { dateStyle: "medium", timeStyle: "short" }).format(moment);
}
