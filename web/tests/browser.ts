// What a real browser has and the tests' one lacks.
import { vi } from "vitest";

vi.stubGlobal("matchMedia", (query: string) => ({
  matches: query.includes("reduce"),
  media: query,
  addEventListener: vi.fn(),
  removeEventListener: vi.fn(),
}));
for (const observer of ["ResizeObserver", "IntersectionObserver"])
  vi.stubGlobal(
    observer,
    class {
      observe = vi.fn();
      unobserve = vi.fn();
      disconnect = vi.fn();
    },
  );
Element.prototype.animate ??= () =>
  ({ cancel: vi.fn(), finished: Promise.resolve(), onfinish: null }) as unknown as Animation;
Element.prototype.scrollIntoView ??= vi.fn();
