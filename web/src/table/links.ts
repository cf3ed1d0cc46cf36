// The links that this browser made: their secrets are nowhere else, so that they can be copied again only here.
const KEY = "archipel-links";
const MOST = 100;

function all(): Record<string, string> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}") as Record<string, string>;
  } catch {
    return {};
  }
}

/** Keep the address of a link that was made here. */
export function keep(id: string, url: string): void {
  const kept = Object.entries({ ...all(), [id]: url }).slice(-MOST);
  localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(kept)));
}

/** The address of a link, if it was made here. */
export function kept(id: string): string | null {
  return all()[id] ?? null;
}

export function forget(id: string): void {
  localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(Object.entries(all()).filter(([one]) => one !== id))));
}
