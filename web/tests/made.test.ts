// What is made from elsewhere is current: the protocol's types, and the lock file.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { TARGET, written } from "../scripts/protocol.ts";

test("the protocol's types are those of the table's schema", async () => {
  expect(readFileSync(TARGET, "utf8")).toBe(await written());
});

test("the lock file names no registry", () => {
  const lock = readFileSync(join(import.meta.dirname, "../package-lock.json"), "utf8");
  expect(lock).not.toMatch(/"resolved": "(?!https:\/\/registry\.npmjs\.org\/)/);
});
