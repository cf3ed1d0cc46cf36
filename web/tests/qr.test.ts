// QR codes: texts that fill a code to the last byte, against what another program draws with the same mask.
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { qr } from "@/parts/qr";

const TEXT = "http://archipel.example/join/8PJbSh9OVrcueyNErVF-lA/".repeat(6);

test.each([
  [14, 21, "4629413480b45e58"],
  [26, 25, "e083b5de2bc6a72e"],
  [42, 29, "e3027ed1daa8c697"],
  [62, 33, "9e9a457fd9ff2f12"],
  [84, 37, "75f6ebda755e8061"],
  [106, 41, "0cf03ad99820c2e3"],
  [122, 45, "ce608059ec1f851a"],
  [152, 49, "ddbf499208373418"],
  [180, 53, "acb3600fa3507783"],
  [213, 57, "d85eef617383997a"],
])("%i letters", (length, size, digest) => {
  const rows = qr(TEXT.slice(0, length)).map((row) => row.map((dark) => (dark ? "#" : ".")).join(""));
  expect(rows.length).toBe(size);
  expect(createHash("sha256").update(rows.join("\n")).digest("hex").slice(0, 16)).toBe(digest);
});

test("a text that is too long is refused", () => {
  expect(() => qr("x".repeat(400))).toThrow(RangeError);
});
