/* What the C loops share: the same random numbers as the kernels, and a main
 * that plays so many games and prints what it saw:
 *
 *     a.out GAMES SEED  ->  CPU-SECONDS ACTIONS WINS-OF-SEAT-0
 *
 * where a win shared by two counts half.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static uint64_t rng;

/* SplitMix64. */
static inline uint64_t word(void) {
    uint64_t bits = rng += 0x9E3779B97F4A7C15u;
    bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9u;
    bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBu;
    return bits ^ (bits >> 31);
}

/* A number from 0 to n-1. */
static inline int below(int n) { return (int)(((word() >> 32) * (uint64_t)n) >> 32); }

static inline int count(uint32_t bits) { return __builtin_popcount(bits); }
static inline int first(uint32_t bits) { return __builtin_ctz(bits); }

/* The number of the set bit that has n set bits below it. */
static inline int nth(uint32_t bits, int n) {
    while (n--) bits &= bits - 1;
    return first(bits);
}

/* Play one game; how many actions it took. Its winners are written as bits. */
static int play(int *winners);

static double cpu_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int main(int argc, char **argv) {
    if (argc != 3) return 2;
    long games = atol(argv[1]), actions = 0;
    double wins = 0, start = cpu_seconds();
    rng = strtoull(argv[2], NULL, 10);
    for (long i = 0; i < games; i++) {
        int winners = 0;
        actions += play(&winners);
        wins += winners & 1 ? 1.0 / count((uint32_t)winners) : 0;
    }
    printf("%.9f %ld %.3f\n", cpu_seconds() - start, actions, wins);
    return 0;
}
