/* What kernels ask of the world outside: memory. Natively that of the C library; in WebAssembly our own. */
#include <stddef.h>
#include <stdint.h>

#ifndef __wasm__

#include <stdlib.h>

void *archipel_allocate(uint64_t size) {
    void *memory = malloc((size_t)size);
    if (!memory) abort();
    return memory;
}

void archipel_release(void *memory) { free(memory); }

#else

/* Pieces of memory come in powers of two, and what is released is kept for the next of its size. */

extern unsigned char __heap_base;
static uintptr_t top;
static void *kept[32];

void *archipel_allocate(uint64_t size) {
    int power = 4;
    while (((uint64_t)1 << power) < size + 16) power++;
    if (power > 30) __builtin_trap();
    void **piece = kept[power];
    if (piece) {
        kept[power] = piece[0];
    } else {
        if (!top) top = ((uintptr_t)&__heap_base + 15) & ~(uintptr_t)15;
        piece = (void **)top;
        top += (uintptr_t)1 << power;
        uintptr_t pages = (top + 65535) >> 16;
        if (pages > __builtin_wasm_memory_size(0) &&
            __builtin_wasm_memory_grow(0, pages - __builtin_wasm_memory_size(0)) == (size_t)-1)
            __builtin_trap();
    }
    *(uint32_t *)piece = (uint32_t)power;
    return (char *)piece + 16;
}

void archipel_release(void *memory) {
    void **piece = (void **)((char *)memory - 16);
    uint32_t power = *(uint32_t *)piece;
    piece[0] = kept[power];
    kept[power] = piece;
}

#endif
