// One stop of the Tab key for a whole group; the arrow keys go to the nearest thing in their direction.
import type { Attachment } from "svelte/attachments";

const THINGS = "[data-rove]";
type Thing = HTMLElement | SVGElement;

interface Spot {
  x: number;
  y: number;
}

const STEPS: Record<string, Spot> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

function middle(thing: Element): Spot {
  const { left, top, width, height } = thing.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
}

/** How far something lies in a direction; going aside counts double, going back not at all. */
function distance(from: Spot, to: Spot, step: Spot): number {
  const along = (to.x - from.x) * step.x + (to.y - from.y) * step.y;
  const aside = Math.abs((to.x - from.x) * step.y) + Math.abs((to.y - from.y) * step.x);
  return along > 1 ? along + 2 * aside : Infinity;
}

function nearest(things: Thing[], now: Thing, step: Spot): Thing | undefined {
  const from = middle(now);
  const far = (thing: Thing) => distance(from, middle(thing), step);
  const best = things.reduce((a, b) => (far(b) < far(a) ? b : a), now);
  return best === now ? beside(things, now, step) : best;
}

/** Where everything has one place (or none is drawn): the next or the one before. */
function beside(things: Thing[], now: Thing, step: Spot): Thing | undefined {
  const drawn = things.some((thing) => middle(thing).x !== middle(now).x || middle(thing).y !== middle(now).y);
  return drawn ? undefined : things[things.indexOf(now) + step.x + step.y];
}

export const rove: Attachment<Element> = (group) => {
  const things = () => [...group.querySelectorAll<Thing>(THINGS)];

  function stop(at?: Thing): void {
    const all = things();
    const kept = at ?? all.find((thing) => thing.tabIndex === 0) ?? all[0];
    for (const thing of all) {
      const index = thing === kept ? "0" : "-1";
      if (thing.getAttribute("tabindex") !== index) thing.setAttribute("tabindex", index);
    }
  }

  function go(event: Event): void {
    const { key } = event as KeyboardEvent;
    const now = (event.target as Element).closest<Thing>(THINGS);
    if (!now) return;
    const all = things();
    const step = STEPS[key];
    const next = step ? nearest(all, now, step) : key === "Home" ? all[0] : key === "End" ? all.at(-1) : undefined;
    if (!step && key !== "Home" && key !== "End") return;
    event.preventDefault();
    next?.focus();
  }

  const arrived = (event: Event) => stop((event.target as Element).closest<Thing>(THINGS) ?? undefined);
  const watcher = new MutationObserver(() => stop());
  stop();
  // A thing that can no longer be chosen may stay where it is: then the Tab key must stop at another.
  watcher.observe(group, { childList: true, subtree: true, attributeFilter: ["data-rove"] });
  group.addEventListener("keydown", go);
  group.addEventListener("focusin", arrived);
  return () => {
    watcher.disconnect();
    group.removeEventListener("keydown", go);
    group.removeEventListener("focusin", arrived);
  };
};

/** Enter and the space bar do what a click does: for shapes of a drawing, which browsers do not press by themselves. */
export function pressed(act: () => void): (event: KeyboardEvent) => void {
  return (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    act();
  };
}
