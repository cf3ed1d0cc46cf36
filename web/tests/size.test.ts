// The first load stays small: the page, a table and the largest board together.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "vite";
import { expect, test, vi } from "vitest";

const BUDGET = 100 * 1024;
const ROOT = join(import.meta.dirname, "..");

interface Chunk {
  file: string;
  css?: string[];
  imports?: string[];
}

test("under 100 KB gzipped", async () => {
  const folder = mkdtempSync(join(tmpdir(), "client-"));
  vi.stubEnv("NODE_ENV", "production"); // as players get it, without what helps those who write it
  try {
    await build({
      root: ROOT,
      mode: "production",
      logLevel: "silent",
      build: { outDir: folder, manifest: "made.json" },
    });
    const chunks = JSON.parse(readFileSync(join(folder, "made.json"), "utf8")) as Record<string, Chunk>;
    const files = (name: string): string[] => {
      const chunk = chunks[name]!;
      return [chunk.file, ...(chunk.css ?? []), ...(chunk.imports ?? []).flatMap(files)];
    };
    const size = (names: string[]) =>
      [...new Set(names.flatMap(files))].reduce(
        (sum, file) => sum + gzipSync(readFileSync(join(folder, file))).length,
        0,
      );
    const games = Object.keys(chunks).filter((name) => /^src\/games\/\w+\/play\.ts$/.test(name));
    const first = games.map((game) => size(["index.html", "src/table/TablePage.svelte", game]));
    const lobby = size(["index.html", "src/lobby/Lobby.svelte"]);
    console.log(`first load: lobby ${lobby}, table ${first.join(", ")} bytes`);
    const tray = "src/games/krakatoa/dice/stage.ts";
    const alone = gzipSync(readFileSync(join(folder, chunks[tray]!.file))).length;
    console.log(`and Krakatoa's tray, when it is needed: ${alone} bytes`);
    expect(games.length).toBe(4);
    expect(games.flatMap(files)).not.toContain(chunks[tray]!.file);
    expect(Math.max(lobby, ...first)).toBeLessThan(BUDGET);
  } finally {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  }
});
