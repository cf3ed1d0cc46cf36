// A throw to look at: the bytes that the table sends, and where each die is at any moment of them.
import { DICE, type Pose, type Quaternion } from "./shape";
import facts from "../facts.json";

const VERSION = 1;
const HEAD = 8;
const NUMBERS = 7;
const STEPS = [1, 1, 1].map(() => facts.tray.grid).concat([1, 1, 1, 1].map(() => 1 / 4095));

export interface Trajectory {
  /** The dice that are seen. */
  dice: string[];
  frames: number;
  /** Frames a second. */
  rate: number;
  /** Frame by frame, die by die: x, y, z, then the quaternion w, x, y, z. */
  poses: Float32Array;
}

export class BadTrajectory extends Error {}

export function seconds({ frames, rate }: Trajectory): number {
  return (frames - 1) / rate;
}

export function bytes(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}

export async function decode(data: Uint8Array<ArrayBuffer>): Promise<Trajectory> {
  if (data.length < HEAD || data[0] !== 0x4b || data[1] !== 0x54) throw new BadTrajectory("no trajectory");
  if (data[2] !== VERSION) throw new BadTrajectory(`version ${data[2]}`);
  const head = new DataView(data.buffer, data.byteOffset, HEAD);
  const mask = head.getUint16(4, true);
  const dice = DICE.filter((_, k) => (mask >> k) & 1);
  const frames = head.getUint16(6, true);
  const planes = await inflated(data.subarray(HEAD));
  if (planes.length !== 2 * dice.length * NUMBERS * frames) throw new BadTrajectory("cut short, or too long");
  return { dice, frames, rate: data[3]!, poses: unfolded(planes, dice.length, frames) };
}

async function inflated(data: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  try {
    const stream = new Blob([data]).stream().pipeThrough(new DecompressionStream("deflate"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  } catch {
    throw new BadTrajectory("damaged");
  }
}

/** Low bytes, then high bytes, of differences from frame to frame; see docs/dice.md. */
function unfolded(planes: Uint8Array, dice: number, frames: number): Float32Array {
  const poses = new Float32Array(frames * dice * NUMBERS);
  const high = planes.length / 2;
  for (let series = 0; series < dice * NUMBERS; series += 1) {
    let now = 0;
    for (let frame = 0; frame < frames; frame += 1) {
      const at = series * frames + frame;
      const folded = planes[at]! | (planes[high + at]! << 8);
      now = ((now + ((folded >> 1) ^ -(folded & 1))) << 16) >> 16;
      poses[frame * dice * NUMBERS + series] = now * STEPS[series % NUMBERS]!;
    }
  }
  return poses;
}

/** Where the k-th of its dice is, this many seconds after the hand let go; before and after, where it began and ended. */
export function pose({ dice, frames, rate, poses }: Trajectory, k: number, time: number): Pose {
  const at = Math.min(Math.max(time * rate, 0), frames - 1);
  const first = Math.min(Math.floor(at), Math.max(frames - 2, 0));
  const share = at - first;
  const from = (first * dice.length + k) * NUMBERS;
  const to = first + 1 < frames ? from + dice.length * NUMBERS : from;
  const [x, y, z, ...turn] = Array.from(
    { length: NUMBERS },
    (_, n) => poses[from + n]! * (1 - share) + poses[to + n]! * share,
  );
  const length = Math.hypot(...turn);
  return { at: [x!, y!, z!], turn: turn.map((number) => number / length) as Quaternion };
}
