// How the client is built: into the Python package, or (mode `gallery`) as a page of boards for those who draw them.
/// <reference types="vitest/config" />
import { resolve } from "node:path";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig, type Plugin } from "vite";
import { words } from "./scripts/words.ts";

const here = import.meta.dirname;

/** A server shows the page at many paths, so its own files are named from the root; `archipel site` undoes this. */
const rooted: Plugin = {
  name: "rooted",
  transformIndexHtml: { order: "post", handler: (page) => page.replaceAll('="./', '="/') },
};

/** What the pages share comes in one file, not in fifty: each file costs a phone a request, and the page a task. */
const CHUNKS = [
  { name: "svelte", test: /node_modules\/(svelte|clsx|esm-env)\// },
  { name: "art", test: /src\/games\/\w+\/Art\.svelte/, includeDependenciesRecursively: false },
  {
    name: "shared",
    test: /src\/(app\/(house|me|route|settings|shell)|games\/(registry|served)|table\/(api|names|refusal|shares)|parts\/(Badge|Icon|icons|Piece))\.\w+/,
  },
];

export default defineConfig(({ mode }) => {
  const gallery = mode === "gallery";
  return {
    base: "./", // the same files serve under any path
    plugins: [words(resolve(here, "messages"), resolve(here, "src/words")), svelte(), ...(gallery ? [] : [rooted])],
    worker: { format: "es" },
    resolve: { alias: { "@": resolve(here, "src") }, ...(mode === "test" && { conditions: ["browser"] }) },
    server: { fs: { allow: [resolve(here, "..")] } }, // the rules pages are the Python package's
    build: {
      outDir: gallery ? resolve(here, "build/gallery") : resolve(here, "../src/archipel/table/client"),
      emptyOutDir: true,
      manifest: ".chunks.json", // from it the server names in a page what that page will load
      target: "es2022",
      cssTarget: ["chrome125", "firefox128", "safari17.5"],
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      chunkSizeWarningLimit: 600, // three.js, in a chunk of its own
      rolldownOptions: {
        input: resolve(here, gallery ? "gallery.html" : "index.html"),
        output: gallery ? {} : { codeSplitting: { groups: CHUNKS } },
        onLog(level, log, report) {
          // A word that no language has is an error, not a warning.
          if (log.code === "MISSING_EXPORT" || log.code === "IMPORT_IS_UNDEFINED") throw new Error(log.message);
          report(level, log);
        },
      },
    },
    test: {
      include: ["tests/**/*.test.ts"],
      isolate: false,
      testTimeout: 300_000, // a busy machine is no fault of the page
      pool: "threads",
      maxWorkers: 1,
    },
  };
});
