// This device's tables in the browser's database: a log each, to which entries are only appended. What has been
// acknowledged is on the disk.

/** A table as it is kept. `summary` is what lists tell of it. */
export interface Kept {
  id: string;
  /** The version of this form. */
  form: 1;
  setup: Record<string, unknown>;
  summary: Record<string, unknown>;
}
/** An entry of a table's log. */
interface Line {
  table: string;
  v: number;
  text: string;
}

/** Why something could not be kept: the rule of a refusal. */
export class NotKept extends Error {
  constructor(readonly rule: "table.local-full" | "table.not-kept" | "table.local-elsewhere") {
    super(rule);
  }
}

export interface Store {
  /** False: everything is forgotten when the page closes, for this browser keeps nothing. */
  readonly lasting: boolean;
  tables(): Promise<Kept[]>;
  table(id: string): Promise<Kept | undefined>;
  log(id: string): Promise<string[]>;
  /** Keep a new table with its first entries. */
  create(table: Kept, entries: string[]): Promise<void>;
  /** Append entries after the first `after` ones. */
  append(id: string, after: number, entries: string[]): Promise<void>;
  summarise(id: string, summary: Record<string, unknown>): Promise<void>;
  remove(id: string): Promise<void>;
  name(): Promise<string>;
  rename(name: string): Promise<void>;
}

function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((good, bad) => {
    request.onsuccess = () => good(request.result);
    request.onerror = () => bad(request.error ?? new Error("The database failed."));
  });
}

function reason(error: unknown): NotKept {
  const name = error instanceof DOMException ? error.name : "";
  if (name === "QuotaExceededError") return new NotKept("table.local-full");
  return new NotKept(name === "ConstraintError" ? "table.local-elsewhere" : "table.not-kept");
}

class Database implements Store {
  readonly lasting = true;
  constructor(readonly database: IDBDatabase) {}

  /** Change something in one transaction; it is on the disk when this is done. */
  #change(stores: string[], work: (transaction: IDBTransaction) => void): Promise<void> {
    return new Promise((good, bad) => {
      const transaction = this.database.transaction(stores, "readwrite", { durability: "strict" });
      transaction.oncomplete = () => good();
      transaction.onabort = () => bad(reason(transaction.error));
      try {
        work(transaction);
      } catch (error) {
        bad(reason(error));
      }
    });
  }

  #read<T>(store: string, work: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
    return done(work(this.database.transaction(store).objectStore(store)));
  }

  tables(): Promise<Kept[]> {
    return this.#read("tables", (store) => store.getAll() as IDBRequest<Kept[]>);
  }

  table(id: string): Promise<Kept | undefined> {
    return this.#read("tables", (store) => store.get(id) as IDBRequest<Kept | undefined>);
  }

  async log(id: string): Promise<string[]> {
    const lines = await this.#read("entries", (store) => store.getAll(all(id)) as IDBRequest<Line[]>);
    return lines.map(({ text }) => text);
  }

  create(table: Kept, entries: string[]): Promise<void> {
    return this.#change(["tables", "entries"], (transaction) => {
      transaction.objectStore("tables").add(table);
      add(transaction, table.id, 0, entries);
    });
  }

  append(id: string, after: number, entries: string[]): Promise<void> {
    return this.#change(["entries"], (transaction) => add(transaction, id, after, entries));
  }

  summarise(id: string, summary: Record<string, unknown>): Promise<void> {
    return this.#change(["tables"], (transaction) => {
      const store = transaction.objectStore("tables");
      const found = store.get(id) as IDBRequest<Kept | undefined>;
      found.onsuccess = () => found.result && store.put({ ...found.result, summary });
    });
  }

  remove(id: string): Promise<void> {
    return this.#change(["tables", "entries"], (transaction) => {
      transaction.objectStore("tables").delete(id);
      transaction.objectStore("entries").delete(all(id));
    });
  }

  async name(): Promise<string> {
    return (await this.#read("about", (store) => store.get("name") as IDBRequest<string | undefined>)) ?? "";
  }

  rename(name: string): Promise<void> {
    return this.#change(["about"], (transaction) => void transaction.objectStore("about").put(name, "name"));
  }
}

function all(id: string): IDBKeyRange {
  return IDBKeyRange.bound([id, 0], [id, Infinity]);
}

/** Entries are added, never replaced: two windows cannot both write the same one. */
function add(transaction: IDBTransaction, table: string, after: number, entries: string[]): void {
  const store = transaction.objectStore("entries");
  entries.forEach((text, k) => store.add({ table, v: after + k + 1, text } satisfies Line));
}

/** For browsers that keep nothing: as long as the page is open. */
class Memory implements Store {
  readonly lasting = false;
  #tables = new Map<string, Kept>();
  #logs = new Map<string, string[]>();
  #name = "";

  tables = () => Promise.resolve([...this.#tables.values()]);
  table = (id: string) => Promise.resolve(this.#tables.get(id));
  log = (id: string) => Promise.resolve([...(this.#logs.get(id) ?? [])]);
  create(table: Kept, entries: string[]): Promise<void> {
    this.#tables.set(table.id, table);
    this.#logs.set(table.id, [...entries]);
    return Promise.resolve();
  }
  append(id: string, _: number, entries: string[]): Promise<void> {
    this.#logs.get(id)?.push(...entries);
    return Promise.resolve();
  }
  summarise(id: string, summary: Record<string, unknown>): Promise<void> {
    const found = this.#tables.get(id);
    if (found) this.#tables.set(id, { ...found, summary });
    return Promise.resolve();
  }
  remove(id: string): Promise<void> {
    this.#tables.delete(id);
    this.#logs.delete(id);
    return Promise.resolve();
  }
  name = () => Promise.resolve(this.#name);
  rename(name: string): Promise<void> {
    this.#name = name;
    return Promise.resolve();
  }
}

/** Open the database; where the browser forbids it, a memory that ends with the page. */
async function open(): Promise<Store> {
  try {
    const asked = indexedDB.open("archipel", 1);
    asked.onupgradeneeded = () => {
      asked.result.createObjectStore("tables", { keyPath: "id" });
      asked.result.createObjectStore("entries", { keyPath: ["table", "v"] });
      asked.result.createObjectStore("about");
    };
    return new Database(await done(asked));
  } catch {
    return new Memory();
  }
}

export const store: Promise<Store> = open();
