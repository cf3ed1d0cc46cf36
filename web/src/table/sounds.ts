// Sounds that belong to the things, made on the spot: no file is fetched. They begin after the first touch, as browsers
// ask for, and softly.
import { settings } from "@/app/settings.svelte";

/** What is heard: a card, a plank of wood, a stone, a shell, dice, water under a boat, the end. */
export type Sound = "card" | "wood" | "stone" | "shell" | "dice" | "water" | "idol" | "end";

let stage: { on: AudioContext; out: GainNode } | null = null;
let noise: AudioBuffer | null = null;
let touched = false;
for (const event of ["pointerdown", "keydown"])
  addEventListener(event, () => (touched = true), { once: true, passive: true });

export function sound(of: Sound): void {
  if (!settings.sound || !touched || document.hidden || typeof AudioContext === "undefined") return;
  stage ??= built(new AudioContext());
  stage.out.gain.value = settings.volume;
  MADE[of](stage.on, stage.out, stage.on.currentTime + 0.01);
}

/** Where all sounds meet: however many there are at once, they are not cut off at full volume. */
function built(on: AudioContext): { on: AudioContext; out: GainNode } {
  const [out, limit] = [on.createGain(), on.createDynamicsCompressor()];
  [limit.threshold.value, limit.knee.value, limit.ratio.value] = [-9, 6, 20];
  [limit.attack.value, limit.release.value] = [0.002, 0.12];
  out.connect(limit).connect(on.destination);
  return { on, out };
}

/** Loud after a moment, then dying away: nothing begins or ends with a click. */
function envelope(on: AudioContext, out: AudioNode, at: number, loud: number, rise: number, long: number): GainNode {
  const gain = on.createGain();
  gain.gain.setValueAtTime(0, at);
  gain.gain.linearRampToValueAtTime(loud, at + rise);
  gain.gain.exponentialRampToValueAtTime(0.0005, at + long);
  gain.connect(out);
  return gain;
}

interface Hiss {
  /** The middle of the band at first and in the end (Hz). */
  band: [from: number, to: number];
  long: number;
  loud: number;
  rise?: number;
  /** How narrow the band is. */
  narrow?: number;
}

/** Noise through a band: cloth, paper, sand, water. */
function hiss(on: AudioContext, out: AudioNode, at: number, asked: Hiss): void {
  noise ??= made(on);
  const [source, filter] = [on.createBufferSource(), on.createBiquadFilter()];
  source.buffer = noise;
  filter.type = "bandpass";
  filter.Q.value = asked.narrow ?? 0.9;
  filter.frequency.setValueAtTime(asked.band[0], at);
  filter.frequency.exponentialRampToValueAtTime(asked.band[1], at + asked.long);
  source.connect(filter).connect(envelope(on, out, at, asked.loud, asked.rise ?? 0.003, asked.long));
  source.start(at, Math.random());
  source.stop(at + asked.long);
}

/** How a body rings: each of its tones, as a multiple of the lowest, how loud it is and how long it lasts beside it. */
type Body = [ratio: number, loud: number, long: number][];
const WOOD: Body = [
  [1, 1, 1],
  [2.76, 0.42, 0.45],
  [5.4, 0.16, 0.22],
];
const STONE: Body = [
  [1, 1, 1],
  [1.59, 0.5, 0.6],
  [2.91, 0.22, 0.3],
];
const SHELL: Body = [
  [1, 1, 1],
  [2.32, 0.5, 0.8],
  [4.25, 0.2, 0.5],
];
const RESIN: Body = [
  [1, 1, 1],
  [1.83, 0.45, 0.7],
];

/** A body is struck: its tones sound together, the higher ones die sooner. */
function struck(on: AudioContext, out: AudioNode, at: number, body: Body, pitch: number, long: number, loud: number) {
  for (const [ratio, share, lasts] of body) {
    const tone = on.createOscillator();
    tone.frequency.setValueAtTime(pitch * ratio * 1.04, at);
    tone.frequency.exponentialRampToValueAtTime(pitch * ratio, at + 0.02);
    tone.connect(envelope(on, out, at, loud * share, 0.002, long * lasts));
    tone.start(at);
    tone.stop(at + long * lasts);
  }
}

function made(on: AudioContext): AudioBuffer {
  const buffer = on.createBuffer(1, 2 * on.sampleRate, on.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let k = 0; k < samples.length; k++) samples[k] = 2 * Math.random() - 1;
  return buffer;
}

const MADE: Record<Sound, (on: AudioContext, out: AudioNode, at: number) => void> = {
  // It slides over the others, and its corner snaps down.
  card(on, out, at) {
    hiss(on, out, at, { band: [2200, 4200], long: 0.11, loud: 0.45, rise: 0.04 });
    hiss(on, out, at + 0.1, { band: [1500, 700], long: 0.06, loud: 0.7 });
  },
  // A plank is laid down at one end, then at the other.
  wood(on, out, at) {
    struck(on, out, at, WOOD, 196, 0.2, 0.4);
    hiss(on, out, at, { band: [900, 400], long: 0.05, loud: 0.4 });
    struck(on, out, at + 0.13, WOOD, 233, 0.24, 0.45);
    hiss(on, out, at + 0.13, { band: [1100, 450], long: 0.05, loud: 0.45 });
  },
  // It falls into the turf and stays.
  stone(on, out, at) {
    struck(on, out, at, STONE, 92, 0.3, 0.5);
    hiss(on, out, at, { band: [2600, 500], long: 0.07, loud: 0.6 });
    hiss(on, out, at + 0.03, { band: [420, 180], long: 0.16, loud: 0.5, rise: 0.02 });
  },
  shell(on, out, at) {
    struck(on, out, at, SHELL, 1480, 0.11, 0.16);
    struck(on, out, at + 0.07, SHELL, 1760, 0.13, 0.18);
  },
  // Each die knocks against another and thuds onto the felt, softer and softer.
  dice(on, out, at) {
    for (const [k, after] of [0, 0.055, 0.1, 0.17, 0.23, 0.31, 0.4].entries()) {
      const left = 1 - k / 8;
      struck(on, out, at + after, RESIN, 900 + 700 * Math.random(), 0.045, 0.22 * left);
      hiss(on, out, at + after, { band: [520, 210], long: 0.07, loud: 0.75 * left });
    }
  },
  water(on, out, at) {
    hiss(on, out, at, { band: [260, 760], long: 0.7, loud: 0.6, rise: 0.25, narrow: 0.7 });
    hiss(on, out, at + 0.3, { band: [700, 300], long: 0.6, loud: 0.42, rise: 0.2, narrow: 0.7 });
  },
  // A big drum, far away.
  idol(on, out, at) {
    struck(on, out, at, STONE, 65, 0.8, 0.55);
    hiss(on, out, at, { band: [300, 120], long: 0.25, loud: 0.5 });
    struck(on, out, at + 0.28, STONE, 58, 0.9, 0.5);
  },
  // Four bars of a marimba.
  end(on, out, at) {
    [262, 330, 392, 523].forEach((pitch, k) => struck(on, out, at + 0.13 * k, WOOD, pitch, k === 3 ? 0.9 : 0.5, 0.32));
  },
};
