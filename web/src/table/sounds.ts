// Soft sounds, made on the spot: no file is fetched.

const NOTES = { own: [392, 523], other: [330, 392], chance: [262], over: [392, 494, 587] };
let context: AudioContext | null = null;

export function sound(of: keyof typeof NOTES): void {
  context ??= new AudioContext();
  NOTES[of].forEach((pitch, k) => play(context!, pitch, k * 0.09));
}

function play(on: AudioContext, pitch: number, after: number): void {
  const [tone, loudness] = [on.createOscillator(), on.createGain()];
  const start = on.currentTime + after;
  tone.type = "sine";
  tone.frequency.value = pitch;
  loudness.gain.setValueAtTime(0, start);
  loudness.gain.linearRampToValueAtTime(0.06, start + 0.015);
  loudness.gain.exponentialRampToValueAtTime(0.0001, start + 0.35);
  tone.connect(loudness).connect(on.destination);
  tone.start(start);
  tone.stop(start + 0.4);
}
