// Whether a shared screen needs its curtain: is anything in the view another's secret?
import type { AnyView } from "@/games/contract";

/** A view hides something where another seat's part of a list is a number or null, and the own part is more. */
export function hides(view: AnyView): boolean {
  const parts = view as unknown as Record<string, unknown>;
  return ["hands", "pukas"].some((key) => {
    const list = parts[key];
    if (!Array.isArray(list)) return false;
    const kinds = new Set(list.map((part) => (Array.isArray(part) ? "seen" : part === null ? "hidden" : typeof part)));
    return kinds.size > 1 || (view.seat === null && !kinds.has("seen"));
  });
}
