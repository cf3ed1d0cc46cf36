// Which module of kernels a browser gets.
import { afterEach, expect, test, vi } from "vitest";
import { fileOf, load } from "@/kernels/kernels";

afterEach(() => vi.unstubAllGlobals());

test("an engine with SIMD gets the module with SIMD, any other the plain one", () => {
  expect(fileOf("kahuna", { validate: () => true })).toBe("kahuna.simd.wasm");
  expect(fileOf("kahuna", { validate: () => false })).toBe("kahuna.wasm");
  expect(fileOf("krakatoa")).toBe("krakatoa.simd.wasm");
});

test("a browser without WebAssembly gets a sentence, and nothing is fetched", async () => {
  vi.stubGlobal("WebAssembly", undefined);
  const read = vi.fn<() => Promise<BufferSource>>();
  await expect(load("kahuna", read)).rejects.toThrow("This browser has no WebAssembly");
  expect(read).not.toHaveBeenCalled();
});
