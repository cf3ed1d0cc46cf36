// Times of day as the form and the server have them: "07:30" and 450 minutes.
import type { NoticeWishes } from "@/table/protocol";

export function shown(minute: number): string {
  return [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, "0")).join(":");
}

export function minutes(shown: string): number | null {
  const found = /^([01]\d|2[0-3]):([0-5]\d)/.exec(shown);
  return found ? Number(found[1]) * 60 + Number(found[2]) : null;
}

/** The last moment of a day, "2027-01-31", here. */
export function endOf(day: string): number | null {
  const [year, month, date] = day.split("-").map(Number);
  if (!year || !month || !date) return null;
  return new Date(year, month - 1, date + 1).getTime() - 1;
}

/** The day of a moment, here. */
export function dayOf(moment: number): string {
  const day = new Date(moment);
  return [day.getFullYear(), day.getMonth() + 1, day.getDate()].map((part) => String(part).padStart(2, "0")).join("-");
}

/** What somebody wishes who has never said: their language, and the zone of their device. */
export function usual(language: "en" | "fr"): NoticeWishes {
  return { language, zone: Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC" };
}
