// The language of the page: as the link asks (?lang=fr), as chosen here once, else as the browser asks. Words follow it
// at once.
import { baseLocale, isLocale, locales, overwriteGetLocale, type Locale } from "@/words/runtime";

const KEY = "archipel-language";

function asked(): Locale {
  const linked = new URLSearchParams(location.search).get("lang") ?? "";
  const wanted = [linked, localStorage.getItem(KEY) ?? "", ...navigator.languages.map((tag) => tag.slice(0, 2))];
  return wanted.find(isLocale) ?? baseLocale;
}

const first = asked();
let now: Locale = $state(first);
overwriteGetLocale(() => now);
document.documentElement.lang = first;

export const language = {
  all: locales,
  get now(): Locale {
    return now;
  },
  speak(locale: Locale): void {
    now = locale;
    localStorage.setItem(KEY, locale);
    document.documentElement.lang = locale;
  },
};
