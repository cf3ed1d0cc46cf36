// What a person likes, kept in this browser: theme, sounds, how dice fall, the text view, a level for quick games.

/** Times as fast as it was. */
export const SPEEDS = { slow: 0.4, usual: 0.75, fast: 2 };

interface Settings {
  theme: "auto" | "light" | "dark";
  sound: boolean;
  /** From 0 to 1. */
  volume: number;
  text: boolean;
  /** How fast dice are seen to fall. */
  throws: keyof typeof SPEEDS | "off";
  /** How fast bots answer. */
  bots: "instant" | "quick" | "human";
  level: Record<string, string>;
}

const KEY = "archipel-settings";
const USUAL: Settings = {
  theme: "auto",
  sound: true,
  volume: 0.25,
  text: false,
  throws: "usual",
  bots: "human",
  level: {},
};

function kept(): Settings {
  try {
    return { ...USUAL, ...(JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Settings>) };
  } catch {
    return USUAL;
  }
}

export const settings: Settings = $state(kept());

$effect.root(() => {
  $effect(() => {
    localStorage.setItem(KEY, JSON.stringify(settings));
    const root = document.documentElement;
    if (settings.theme === "auto") delete root.dataset.theme;
    else root.dataset.theme = settings.theme;
  });
});
