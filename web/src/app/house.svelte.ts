// Which house this is: a server's, or a folder of files without one. Where no server answers, games are this device's.

/** The page comes from a folder of files (`archipel site`): there is no server at all. */
export const ALONE = globalThis.document?.documentElement.dataset.house === "static";

let away = $state(false);

export const house = {
  /** Games are played on this device alone: there is no server, or it does not answer. */
  get here(): boolean {
    return ALONE || away;
  },
  /** The server does not answer, or answers again. */
  set away(now: boolean) {
    away = now;
  },
};

/** Is this the id of a table that this device keeps? */
export function isLocal(table: string): boolean {
  return table.startsWith("local-");
}
