// Work that can wait until the browser has nothing else to do.

/** Not every browser says when it is idle; a moment later it mostly is. */
const idle = globalThis.requestIdleCallback ?? ((act: () => void) => Number(setTimeout(act, 20)));
const cancel = globalThis.cancelIdleCallback ?? clearTimeout;

/** Act again and again, each time when the browser is idle, as long as `act` returns true. Returns what ends it. */
export function whenIdle(act: () => boolean): () => void {
  const next = (): void => void (act() && (waiting = idle(next)));
  let waiting = idle(next);
  return () => cancel(waiting);
}
