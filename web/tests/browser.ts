// What a real browser has and the tests' one lacks. It stays when a test takes its own stubs away: all files share one world.
import { vi } from "vitest";

class Observer {
  observe = vi.fn();
  unobserve = vi.fn();
  disconnect = vi.fn();
}

Object.assign(globalThis, {
  matchMedia: (query: string) => ({
    matches: query.includes("reduce"),
    media: query,
    addEventListener: vi.fn(),
    removeEventListener: vi.fn(),
  }),
  ResizeObserver: Observer,
  IntersectionObserver: Observer,
});
Element.prototype.animate ??= () =>
  ({ cancel: vi.fn(), finished: Promise.resolve(), onfinish: null }) as unknown as Animation;
Element.prototype.scrollIntoView ??= vi.fn();
