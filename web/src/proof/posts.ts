// What the page of Stonehenge's proof and its workers post to each other.

/** To a worker: check a part of the certificate, or find out who wins after these moves. */
export type ToProver = { kind: "check"; part: number; quick: boolean } | { kind: "solve"; moves: string };

export type FromProver =
  /** The certificate has so many parts. */
  | { kind: "parts"; parts: number }
  /** The moves of a part have been followed to these positions. */
  | { kind: "followed"; part: number; names: string[] }
  | { kind: "tried"; name: string }
  | { kind: "done"; part: number }
  | { kind: "progress"; nodes: number; share: number }
  | { kind: "solved"; winner: number; move: string | null; nodes: number }
  /** A position that cannot be, or a certificate that does not hold: the sentence in English, and how it is put together. */
  | { kind: "refused"; reason: string; words?: string; gaps?: Record<string, string | string[]> };
