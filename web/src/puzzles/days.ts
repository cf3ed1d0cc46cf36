// Days as people say them.
import { language } from "@/app/language.svelte";

/** "18 November 2026": a day is the same everywhere, so it is read as UTC. */
export function dayName(day: string): string {
  return new Intl.DateTimeFormat(language.now, { dateStyle: "long", timeZone: "UTC" }).format(Date.parse(day));
}
