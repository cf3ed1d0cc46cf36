// @vitest-environment jsdom
// Every kind of event of every game is told, in both languages, in the narration line and in the log.
import { cleanup, render } from "@testing-library/svelte";
import { afterEach, expect, test } from "vitest";
import "./browser";
import { language } from "@/app/language.svelte";
import type { Move } from "@/games/contract";
import { own, playable } from "@/games/registry";
import { counted, news, story } from "@/table/log";
import Moves from "@/table/Moves.svelte";
import Story from "@/table/Story.svelte";
import * as m from "@/words/messages";
import { misprints } from "./typography";
import events from "./stories.json";

afterEach(() => {
  cleanup();
  language.speak("en");
});

/** What must be heard of each kind of event. */
const SAID: Record<string, [en: RegExp, fr: RegExp]> = {
  "kahuna bridge": [/^\w+ built \w+–\w+ with/, /^\w+ a construit \w+–\w+ avec/],
  "kahuna cut": [/cut \w+–\w+ with \w+ \+ \w+/, /a coupé/],
  "kahuna won island": [/won [A-Z]{4}/, /a gagné [A-Z]{4}/],
  "kahuna strip": [/The bridges .+ and .+ came off/, /Les ponts .+ et .+ sont retirés/],
  "kahuna lost stone": [/lost [A-Z]{4}/, /a perdu [A-Z]{4}/],
  "kahuna refill": [/built on the line just cut/, /a construit sur la ligne coupée/],
  "kahuna row": [/took [A-Z]{4} from the row/, /a pris [A-Z]{4} parmi les cartes visibles/],
  "kahuna deck": [/drew from the deck/, /a pioché une carte cachée/],
  "kahuna discard": [/discarded/, /a défaussé/],
  "kahuna pass": [/passed/, /a passé/],
  "kahuna round end": [/Round 1: Anna \d – Ben \d islands. 1 point for (Anna|Ben)/, /Manche 1.+îles. 1 point pour/],
  "kahuna tied round": [/A tie: nobody scores/, /Égalité.+personne ne marque/],
  "kahuna last turns": [/one last turn each/, /un dernier tour chacun/],
  "kahuna sudden end": [/last bridge: sudden end/, /dernier pont adverse.+fin soudaine/],
  "kahuna no bridge left": [/(Anna|Ben) won: the opponent has no bridge left/, /a gagné.+n’a plus aucun pont/],
  "kahuna hidden copy": [/\(hidden\)/, /\(cachée\)/],
  "kahuna handicap": [/as a handicap/, /comme handicap/],
  "stonehenge place": [/placed \d on [A-R]\./, /a placé \d en [A-R]\./],
  "stonehenge claim": [/claimed the lines? [A-R]{2,5}/, /a réclamé (la|les) lignes? [A-R]{2,5}/],
  "stonehenge own claim": [/^\w+ claimed the line [A-R]{2,5}\.$/, /^\w+ a réclamé la ligne [A-R]{2,5}\.$/],
  "stonehenge revealed": [/Turned up: \d \([A-R]\)/, /Retournés.+\d \([A-R]\)/],
  "kula_kula sail": [/sailed to/, /a navigué jusqu’à/],
  "kula_kula pukas": [/picked up 2 Pukas/, /a ramassé 2 Pukas/],
  "kula_kula toll": [/paid a toll: a Puka (each )?to/, /a payé le péage/],
  "kula_kula oracle": [/consulted the oracle/, /a consulté l’oracle/],
  "kula_kula dolphin": [/dolphin pointed to \d+: \d Pukas lie there/, /dauphin montre \d+.+\d Pukas s’y trouvent/],
  "kula_kula full space": [/went back to the supply/, /retournent à la réserve/],
  "kula_kula fish": [/drew fish \(\+2\)/, /a pioché poissons \(\+2\)/],
  "kula_kula idol": [/drew an idol: turn lost\./, /a pioché une idole.+tour perdu\./],
  "kula_kula idol with cards": [/turn lost, and \d cards with it/, /tour perdu, et \d cartes avec/],
  "kula_kula trade": [/traded for a Kauri at/, /contre un Kauri à/],
  "kula_kula turn limit": [/turn limit is reached/, /limite de tours est atteinte/],
  "krakatoa keep": [/kept the nine dice/, /a gardé les neuf dés/],
  "krakatoa reroll": [/rolled all nine dice again/, /a relancé les neuf dés/],
  "krakatoa opening roll": [/^Opening roll: /, /^Lancer de départ.: /],
  "krakatoa nine dice": [/^New turn, all nine dice: /, /^Nouveau tour, les neuf dés.: /],
  "krakatoa throw": [/threw (steam|ash|lava) at (steam|ash|lava) \d/, /a lancé (vapeur|cendre|lave) sur/],
  "krakatoa quake": [/Quake! The total is \d+: next throw ×[24]/, /Séisme.+prochain lancer ×[24]/],
  "krakatoa rumble": [/Rumble! Only two colours: next throw ×[24]/, /Grondement.+×[24]/],
  "krakatoa eruption": [
    /Eruption! Three volcanoes: next two throws ×[24]/,
    /Éruption.+les deux prochains lancers ×[24]/,
  ],
  "krakatoa scratch": [/Scratch: (Anna|Ben) touched no die.+No points/, /Raté.+n’a touché aucun dé.+Aucun point/],
  "krakatoa bonus box": [/Bonus box:/, /Case bonus/],
};
const NAMES = ["Anna", "Ben", "Chloé", "David", "Emma"];

test("every game tells of something, and nothing is left out", () => {
  expect([...new Set(events.map(({ game }) => game))].sort()).toEqual([...own].sort());
  expect(events.map(({ game, kind }) => `${game} ${kind}`).sort()).toEqual(Object.keys(SAID).sort());
});

test.each(events)("$game: $kind", async ({ game, kind, seats, previous, by, move }) => {
  const { narrate } = await playable(game);
  const moves = [previous, move].flatMap((one, v) => (one ? [{ ...one, v } as Move] : []));
  const players = NAMES.slice(0, seats).map((name) => ({ name }));
  for (const [locale, said] of [
    ["en", SAID[`${game} ${kind}`]![0]],
    ["fr", SAID[`${game} ${kind}`]![1]],
  ] as const) {
    language.speak(locale);
    const words = narrate(moves.at(-1)!, players, previous ? moves[0]! : null, by);
    expect(words.join(" ")).toMatch(said);
    expect(words.join(" ")).not.toMatch(/undefined|null|NaN|\{|\d@|>|\bx [A-Z]{4}/);
    expect(words.flatMap((one) => misprints(one, locale))).toEqual([]);
    const told = story(moves, players, narrate);
    const line = render(Story, { goal: "", news: words, hint: "" });
    expect(line.container.querySelector(".line")!.textContent).toContain(words.at(-1));
    cleanup();
    const log = render(Moves, { told: [{ ...told.at(-1)!, words }], players });
    for (const one of words) expect(log.container.textContent).toContain(one);
    cleanup();
  }
});

test.each([
  ["kahuna", { do: "draw", from: "JOJO" }, { do: "deal", card: "ALOA" }, "ALOA joined the row."],
  ["kahuna", { do: "draw", from: "deck" }, { do: "deal", card: "ALOA" }, "You drew ALOA."],
  ["kahuna", { do: "pass" }, { do: "discard", card: null }, "You discarded a card face down."],
  ["stonehenge", null, { do: "place", cell: "K", druid: null }, "You placed a druid face down on K."],
  ["krakatoa", { do: "reroll" }, { do: "land", faces: "RRR BBB YYY" }, "All nine: "],
])("what %s shows to some only, or after something else: %j, %j", async (game, before, action, said) => {
  const { narrate } = await playable(game);
  const players = [{ name: "Anna", you: true }, { name: "Ben" }];
  const seat = ["deal", "land"].includes(action.do) ? null : 0;
  const previous = before && ({ v: 0, seat: 0, action: before, notation: "" } as Move);
  const told = narrate({ v: 1, seat, action, notation: "" } as Move, players, previous, 0);
  expect(told.join(" ")).toContain(said);
  language.speak("fr");
  expect(narrate({ v: 1, seat, action, notation: "" } as Move, players, previous, 0)).toHaveLength(told.length);
});

test("the reader is told what they did themselves as theirs", async () => {
  const { narrate } = await playable("kahuna");
  const move = { v: 1, seat: 0, action: { do: "draw", from: "JOJO" }, notation: "draw JOJO" } as Move;
  const players = [{ name: "Anna", you: true }, { name: "Ben" }];
  expect(narrate(move, players, null, 0)).toEqual(["You took JOJO from the row."]);
  language.speak("fr");
  expect(narrate(move, players, null, 0)).toEqual(["Vous avez pris JOJO parmi les cartes visibles."]);
});

test("deals are not moves", () => {
  const acted = (v: number, seat: number | null) =>
    ({ v, seat, action: { do: seat === null ? "deal" : "pass" }, notation: "" }) as Move;
  const told = story([acted(1, null), acted(2, 0), acted(3, null), acted(4, 1)], [], () => ["."]);
  expect(told.map(({ n }) => n)).toEqual([0, 1, 1, 2]);
  expect(told.map(({ by }) => by)).toEqual([null, 0, 0, 1]);
  expect(counted([-1, 0, -1, 1, -2], 4)).toBe(2);
  expect(news(told, 0)).toEqual([".", "."]);
  expect(news(told, null)).toEqual(["."]);
});

test("one is singular, and so is none in French", () => {
  const said = () =>
    [0, 1, 2].map((n) => [m.kula_pukas({ n }), m.kula_kauri_of({ n, goal: 6 }), m.kahuna_bridges({ n })]);
  expect(said()).toEqual([
    ["0 Pukas", "0 of 6 Kauri", "0 bridges"],
    ["1 Puka", "1 of 6 Kauri", "1 bridge"],
    ["2 Pukas", "2 of 6 Kauri", "2 bridges"],
  ]);
  language.speak("fr");
  expect(said().map((line) => line.map((text) => text.replaceAll("\u00a0", " ")))).toEqual([
    ["0 Puka", "0 Kauri sur 6", "0 pont"],
    ["1 Puka", "1 Kauri sur 6", "1 pont"],
    ["2 Pukas", "2 Kauris sur 6", "2 ponts"],
  ]);
});
