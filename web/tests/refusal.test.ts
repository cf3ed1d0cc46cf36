// @vitest-environment jsdom
// A refusal is said in the language of the page.
import { afterEach, expect, test } from "vitest";
import { language } from "@/app/language.svelte";
import { learn, refusal } from "@/table/refusal.svelte";

afterEach(() => language.speak("en"));

async function french(words: string, gaps: Record<string, string | string[]>, rule = "kahuna.hand"): Promise<string> {
  language.speak("fr");
  await learn("fr");
  return refusal({ rule, reason: "in English", words, gaps });
}

test("English is as the server says it", () => {
  expect(refusal({ rule: "kahuna.hand", reason: "You hold no ALOA card." })).toBe("You hold no ALOA card.");
});

test("a gap is filled with what the server says, or with its name in the language", async () => {
  expect(await french("You hold no {card} card.", { card: "ALOA" })).toBe("Vous n’avez pas de carte ALOA.");
  expect(await french("Throw {n} is with {due}, not with {meant}.", { n: "3", due: "steam", meant: "lava" })).toBe(
    "Le lancer 3 se fait avec vapeur, pas avec lave.",
  );
});

test("a choice is listed as the language lists it", async () => {
  expect(await french("{text} may mean {meant}.", { text: "'x'", meant: ["a", "b", "c"] })).toBe(
    "'x' peut vouloir dire a, b ou c.",
  );
});

test("what nobody has put into French is at least a French sentence", async () => {
  expect(await french("Nobody ever said this.", {})).toBe("Les règles ne le permettent pas.");
});
