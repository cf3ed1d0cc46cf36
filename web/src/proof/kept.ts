// What has been checked of the certificate, in the browser's database: it goes on where it was. Where the browser keeps
// nothing, it counts as long as the page is open.

export interface Part {
  names: string[];
  done: boolean;
}

const opened: Promise<IDBDatabase | null> = new Promise((good) => {
  try {
    const asked = indexedDB.open("archipel-proof", 1);
    asked.onupgradeneeded = () => {
      asked.result.createObjectStore("parts");
      asked.result.createObjectStore("tried");
    };
    asked.onsuccess = () => good(asked.result);
    asked.onerror = () => good(null);
  } catch {
    good(null);
  }
});

/** How somebody checks: with the solver's own search, or with code that it does not share. Each counts by itself. */
const under = (quick: boolean): string => (quick ? "quick" : "whole");
const all = (quick: boolean): IDBKeyRange => IDBKeyRange.bound([under(quick)], [under(quick), []]);

function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((good, bad) => {
    request.onsuccess = () => good(request.result);
    request.onerror = () => bad(request.error ?? new Error("The database failed."));
  });
}

async function read<T>(store: string, work: (store: IDBObjectStore) => IDBRequest<T>, otherwise: T): Promise<T> {
  const database = await opened;
  return database ? done(work(database.transaction(store).objectStore(store))) : otherwise;
}

async function write(store: string, key: IDBValidKey, value: unknown): Promise<void> {
  const database = await opened;
  // A full database keeps no more: then what is checked counts for this visit.
  if (database)
    await done(database.transaction(store, "readwrite").objectStore(store).put(value, key)).catch(() => null);
}

export async function parts(quick: boolean): Promise<Map<number, Part>> {
  const keys = await read("parts", (store) => store.getAllKeys(all(quick)), []);
  const values = await read("parts", (store) => store.getAll(all(quick)) as IDBRequest<Part[]>, []);
  return new Map(keys.map((key, at) => [(key as [string, number])[1], values[at]!]));
}

export async function tried(quick: boolean): Promise<Set<string>> {
  const keys = await read("tried", (store) => store.getAllKeys(all(quick)), []);
  return new Set(keys.map((key) => (key as [string, string])[1]));
}

export const isTried = async (quick: boolean, name: string): Promise<boolean> =>
  (await read("tried", (store) => store.count([under(quick), name]), 0)) > 0;
export const keepTried = (quick: boolean, name: string): Promise<void> => write("tried", [under(quick), name], 1);
export const keepPart = (quick: boolean, part: number, kept: Part): Promise<void> =>
  write("parts", [under(quick), part], kept);
