// Where the page is: the lobby, a table, a link that was followed. Going back goes back.
import { manifest } from "@/games/registry";
import type { Wanted } from "@/puzzles/choice";
import { ALONE } from "./house.svelte";
import type { Spot } from "@/table/past.svelte";

export type Route =
  | { page: "lobby" }
  | { page: "games" }
  | { page: "device" }
  | { page: "new"; game: string; company: "bot" | "here" | "open" }
  | { page: "table"; id: string; link: string | null; spot: Spot | null }
  | { page: "learn"; game: string }
  | { page: "link"; token: string }
  | { page: "arrive"; token: string }
  | { page: "puzzles" }
  | { page: "proof" }
  | { page: "puzzle"; game: string; number: number; wanted: Wanted | null }
  | { page: "operator" }
  | { page: "nowhere" };

/** The address of a page of ours. A folder of files has one page only: there the rest follows a `#`. */
export function to(path: string): string {
  return ALONE ? `#${path}` : path;
}

/** Where we are, as a path of ours. */
function here(): Pick<URL, "pathname" | "search" | "hash"> {
  return ALONE ? new URL(location.hash.slice(1) || "/", location.origin) : location;
}

/** A step of a game that is over: `?game=1&as=referee&step=42`. */
function spot(): Spot | null {
  const asked = new URLSearchParams(here().search);
  const number = (name: string) => (/^\d{1,5}$/.test(asked.get(name) ?? "") ? Number(asked.get(name)) : null);
  const step = number("step");
  if (step === null) return null;
  return { game: number("game"), eye: asked.get("as") === "referee" ? "referee" : number("as"), step };
}

/** The address of such a step; the secret of a link goes where servers do not see it. */
export function addressOf(table: string, { game, eye, step }: Spot, link: string | null): string {
  const asked = Object.entries({ game, as: eye, step }).filter(([, value]) => value !== null);
  const query = new URLSearchParams(asked.map(([name, value]) => [name, String(value)]));
  return `/table/${table}?${query}${link ? `#${link}` : ""}`;
}

/** With whom a new table is to be: `?with=here`. */
function company(): "bot" | "here" | "open" {
  const asked = new URLSearchParams(here().search).get("with");
  return asked === "here" || asked === "open" ? asked : "bot";
}

/** Which puzzles somebody practises: `?practice=3`. */
function practice(): Wanted | null {
  const asked = new URLSearchParams(here().search).get("practice") ?? "";
  return asked === "suited" ? asked : /^[1-5]$/.test(asked) ? Number(asked) : null;
}

function read(): Route {
  const { pathname, hash } = here();
  const parts = pathname.split("/").filter(Boolean).map(decodeURIComponent);
  const token = hash.slice(1);
  if (parts.length === 0) return { page: "lobby" };
  if (parts[0] === "games") return { page: "games" };
  if (parts[0] === "device") return { page: "device" };
  if (parts[0] === "proof") return { page: "proof" };
  if (parts[0] === "new" && parts[1]) return { page: "new", game: parts[1], company: company() };
  if (parts[0] === "table" && parts[1]) return { page: "table", id: parts[1], link: token || null, spot: spot() };
  if (parts[0] === "join" && (parts[1] || token)) return { page: "link", token: parts[1] ?? token };
  if (parts[0] === "arrive" && parts[1]) return { page: "arrive", token: parts[1] };
  if (parts[0] === "operator") return { page: "operator" };
  if (parts[0] === "puzzles" && parts.length === 1) return { page: "puzzles" };
  if (parts[0] === "puzzles" && manifest(parts[1] ?? "") && /^\d{1,6}$/.test(parts[2] ?? ""))
    return { page: "puzzle", game: parts[1]!, number: Number(parts[2]), wanted: practice() };
  if (parts[0] === "learn" && manifest(parts[1] ?? "")) return { page: "learn", game: parts[1]! };
  return { page: "nowhere" };
}

let now: Route = $state.raw(read());
addEventListener("popstate", () => (now = read()));
if (ALONE) addEventListener("hashchange", () => (now = read()));

export const route = {
  get now(): Route {
    return now;
  },
  go(path: string, replace = false): void {
    history[replace ? "replaceState" : "pushState"](null, "", to(path));
    now = read();
    scrollTo(0, 0);
  },
};

/** A link within the page: a plain click stays here, everything else is the browser's. */
export function follow(event: MouseEvent): void {
  const link = event.currentTarget as HTMLAnchorElement;
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  route.go(ALONE ? link.hash.slice(1) || "/" : link.pathname + link.search + link.hash);
}
