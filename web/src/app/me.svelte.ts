// Who sits in front of this page: a name, kept by the server in a session.
import { api } from "@/table/api";

let name = $state("");
/** What was typed and not yet sent: it goes along from page to page. */
let typed: string | null = $state(null);
let asked: Promise<void> | null = null;

export const me = {
  get name(): string {
    return name;
  },
  /** What stands in the field for the name. */
  get typed(): string {
    return typed ?? name;
  },
  set typed(words: string) {
    typed = words;
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
  async arrive(token: string, replace: boolean): Promise<void> {
    name = (await api.arrive(token, replace)).name;
  },
  /** Become the person to whom this recovery phrase belongs. */
  async recover(phrase: string, replace: boolean): Promise<void> {
    name = (await api.recover(phrase, replace)).name;
  },
  async introduce(as: string): Promise<void> {
    const wanted = as.trim();
    if (wanted && wanted !== name) name = (await api.introduce(wanted)).name;
  },
};
