// Shares in the draws: hashes by the standard, and promises that cannot be changed behind one's back.
import { createHash } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { bytes, digits, sha256 } from "../src/parts/sha256";
import { code, fits, promise, promised, seal, shareOf } from "../src/table/shares";

const kept = new Map<string, string>();
beforeEach(() => {
  kept.clear();
  Object.assign(globalThis, {
    localStorage: {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => kept.set(key, value),
    },
  });
});

test("the hash is SHA-256 for messages of every length around a block", () => {
  for (let length = 0; length < 200; length++) {
    const message = Uint8Array.from({ length }, (_, n) => (n * 31 + length) % 256);
    expect(sha256(message)).toBe(createHash("sha256").update(message).digest("hex"));
  }
});

test("digits lead to bytes and back", () => {
  expect(digits(bytes("00ff10"))).toBe("00ff10");
});

test("a share is kept under its hash, and the oldest are forgotten", () => {
  const first = seal();
  expect(sha256(bytes(shareOf(first)!))).toBe(first);
  for (let n = 0; n < 200; n++) seal();
  expect(shareOf(first)).toBeNull();
});

test("what was frozen first is what counts, until everybody has a new hash", () => {
  const [mine, theirs] = [seal(), "b".repeat(64)];
  const frozen = { commit: "c", seals: [mine, theirs] };
  expect(promise("table", 1, frozen)).toBe(true);
  expect(promise("table", 1, frozen)).toBe(true);
  expect(promise("table", 1, { commit: "d", seals: [mine, theirs] })).toBe(false);
  expect(promise("table", 1, { commit: "c", seals: [mine, "a".repeat(64)] })).toBe(false);
  expect(promised("table", 1)).toEqual(frozen);
  expect(promise("table", 1, { commit: "c", seals: [seal(), "a".repeat(64)] })).toBe(true);
});

test("a game fits if commit, hashes, shares and seed do", () => {
  const hash = seal();
  const [seed, salt] = ["11".repeat(32), "22".repeat(32)];
  const frozen = { commit: sha256(bytes(salt + seed)), seals: [hash, "server"] };
  const shown = { ...frozen, seeds: [shareOf(hash)!, ""], seed, salt };
  expect(fits(frozen, shown)).toBe(true);
  expect(fits(frozen, { ...shown, seed: "33".repeat(32) })).toBe(false);
  expect(fits(frozen, { ...shown, seeds: ["44".repeat(32), ""] })).toBe(false);
  expect(fits(frozen, { ...shown, seeds: [shareOf(hash)!, "55".repeat(32)] })).toBe(false);
  expect(fits(frozen, { ...shown, seals: [hash, "absent"] })).toBe(false);
  expect(code(frozen)).toBe(createHash("sha256").update(`${frozen.commit} ${hash} server`).digest("hex"));
  expect(code({ ...frozen, seals: [] })).toBe(frozen.commit);
});
