// Sounds that belong to the things, made on the spot: no file is fetched. They begin after the first touch, as browsers
// ask for, and softly.
import { settings } from "@/app/settings.svelte";

/** What is heard: a card, a plank of wood, a stone, a shell, dice, water under a boat, the end. */
export type Sound = "card" | "wood" | "stone" | "shell" | "dice" | "water" | "idol" | "end";

let context: AudioContext | null = null;
let noise: AudioBuffer | null = null;
let touched = false;
for (const event of ["pointerdown", "keydown"])
  addEventListener(event, () => (touched = true), { once: true, passive: true });

export function sound(of: Sound): void {
  if (!settings.sound || !touched || document.hidden || typeof AudioContext === "undefined") return;
  context ??= new AudioContext();
  const out = context.createGain();
  out.gain.value = settings.volume;
  out.connect(context.destination);
  MADE[of](context, out, context.currentTime + 0.01);
}

/** Noise through a band: cloth, paper, sand. */
function hiss(on: AudioContext, out: AudioNode, at: number, [from, to]: [number, number], long: number, loud: number) {
  noise ??= made(on);
  const [source, band, gain] = [on.createBufferSource(), on.createBiquadFilter(), on.createGain()];
  source.buffer = noise;
  band.type = "bandpass";
  band.Q.value = 1.2;
  band.frequency.setValueAtTime(from, at);
  band.frequency.exponentialRampToValueAtTime(to, at + long);
  gain.gain.setValueAtTime(loud, at);
  gain.gain.exponentialRampToValueAtTime(0.001, at + long);
  source.connect(band).connect(gain).connect(out);
  source.start(at, Math.random());
  source.stop(at + long);
}

/** Something hard is struck: a tone that falls and dies at once. */
function knock(on: AudioContext, out: AudioNode, at: number, pitch: number, long: number, loud: number): void {
  const [tone, gain] = [on.createOscillator(), on.createGain()];
  tone.type = "triangle";
  tone.frequency.setValueAtTime(pitch * 1.5, at);
  tone.frequency.exponentialRampToValueAtTime(pitch, at + 0.03);
  gain.gain.setValueAtTime(loud, at);
  gain.gain.exponentialRampToValueAtTime(0.001, at + long);
  tone.connect(gain).connect(out);
  tone.start(at);
  tone.stop(at + long);
}

function made(on: AudioContext): AudioBuffer {
  const buffer = on.createBuffer(1, 2 * on.sampleRate, on.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let k = 0; k < samples.length; k++) samples[k] = 2 * Math.random() - 1;
  return buffer;
}

const MADE: Record<Sound, (on: AudioContext, out: AudioNode, at: number) => void> = {
  card: (on, out, at) => hiss(on, out, at, [3200, 1400], 0.12, 0.5),
  wood(on, out, at) {
    knock(on, out, at, 190, 0.12, 0.7);
    hiss(on, out, at, [900, 400], 0.05, 0.4);
    knock(on, out, at + 0.11, 240, 0.1, 0.5);
  },
  stone(on, out, at) {
    knock(on, out, at, 110, 0.16, 0.9);
    hiss(on, out, at, [2400, 700], 0.04, 0.5);
  },
  shell(on, out, at) {
    knock(on, out, at, 1900, 0.07, 0.25);
    knock(on, out, at + 0.06, 2300, 0.06, 0.2);
  },
  dice(on, out, at) {
    for (const after of [0, 0.06, 0.11, 0.19, 0.24, 0.33]) {
      knock(on, out, at + after, 320 + 160 * Math.random(), 0.05, 0.5 - after);
      hiss(on, out, at + after, [1200, 500], 0.04, 0.35);
    }
  },
  water: (on, out, at) => hiss(on, out, at, [300, 900], 0.5, 0.35),
  idol(on, out, at) {
    knock(on, out, at, 82, 0.5, 0.9);
    knock(on, out, at, 61, 0.7, 0.8);
  },
  end(on, out, at) {
    [262, 330, 392, 523].forEach((pitch, k) => knock(on, out, at + 0.12 * k, pitch, 0.5, 0.35));
  },
};
