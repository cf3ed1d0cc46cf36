"""The build of every kernel as a native library and as WebAssembly, from the functions that Numba compiles."""
