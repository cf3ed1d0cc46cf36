// What a player types about real dice: letters, and whether the throw touched anything.
import type { Action } from "../contract";

const SCRATCHED = /^(scratch|rat)/i;
const SAID = /\p{L}+$/u;

/** The landing that was typed: `yyb yrr rrr scratch`, or with the French J for yellow. What cannot be, the table refuses. */
export function read(typed: string, aimed: boolean): Action {
  const said = aimed ? (SAID.exec(typed.trim())?.[0] ?? "") : "";
  const word = said.length > 3 ? said : "";
  const letters = typed.trim().slice(0, typed.trim().length - word.length);
  const faces = letters
    .toUpperCase()
    .replaceAll("J", "Y")
    .replaceAll(/[^\p{L}]/gu, "");
  const sets = (faces.match(/.{1,3}/gu) ?? []).join(" ");
  return { do: "land", faces: sets, ...(aimed && { touched: !SCRATCHED.test(word) }) };
}
