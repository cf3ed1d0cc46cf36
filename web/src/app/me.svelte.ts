// Who sits in front of this page: a name, kept by the server in a session.
import { api } from "@/table/api";

let name = $state("");
let asked: Promise<void> | null = null;

export const me = {
  get name(): string {
    return name;
  },
  /** Ask the server once who we are. */
  known(): Promise<void> {
    asked ??= api
      .session()
      .then((session) => void (name = session.name))
      .catch(() => undefined);
    return asked;
  },
  /** Become who one is on another device. */
  async arrive(token: string): Promise<void> {
    name = (await api.arrive(token)).name;
  },
  async introduce(as: string): Promise<void> {
    const wanted = as.trim();
    if (wanted && wanted !== name) name = (await api.introduce(wanted)).name;
  },
};
