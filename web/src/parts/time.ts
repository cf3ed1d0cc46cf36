// Time left, as a clock shows it.
import * as m from "@/words/messages";

export function time(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds));
  const hours = Math.floor(whole / 3600);
  if (hours >= 48) return m.clock_days({ days: Math.floor(hours / 24) });
  const rest = `${String(Math.floor(whole / 60) % 60).padStart(2, "0")}:${String(whole % 60).padStart(2, "0")}`;
  return hours ? `${hours}:${rest}` : rest;
}
