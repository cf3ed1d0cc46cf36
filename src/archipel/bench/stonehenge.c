/* Stonehenge in plain C (druids open, claims automatic): random games, as a measure for the kernel.
 *
 * The same rules and the same way of doing them: a hand is one small number, tables say what is in it.
 */
#include "random_games.h"

enum { CELLS = 18, LINES = 15, MEGALITHS = 8, HANDS = 216, FREE = (1 << CELLS) - 1 };

static const char *LINE[LINES] = {"AB",   "CDE",   "FGHI", "JKLMN", "OPQR", "ACFJ",  "BDGKO", "EHLP",
                                  "IMQ",  "NR",    "BEIN", "ADHMR", "CGLQ", "FKP",   "JO"};
static const int COPIES[6] = {2, 2, 2, 1, 1, 1};
static const int UNIT[6] = {1, 3, 9, 27, 54, 108};

static int8_t length[LINES], lines_at[CELLS][3];
static int8_t best[HANDS][6]; /* the sum of a hand's k best druids */
static int8_t kinds[HANDS];   /* how many different values are in it */
static int8_t kind[HANDS][6]; /* which */

typedef struct {
    uint32_t free;
    int16_t hand[2];
    int8_t druid[CELLS], lead[LINES], room[LINES], owner[LINES], megaliths[2];
    int8_t last[LINES]; /* who placed last on a full and level line; else -1 */
} State;

static void make_hand(int hand) {
    int held[6], n = 0, sum = 0;
    for (int v = 0; v < 6; v++) {
        held[v] = hand / UNIT[v] % (COPIES[v] + 1);
        if (held[v]) kind[hand][kinds[hand]++] = (int8_t)v;
    }
    for (int v = 5; v >= 0; v--)
        for (int i = 0; i < held[v] && n < 5; i++) best[hand][++n] = (int8_t)(sum += v + 1);
    while (n < 5) best[hand][++n] = (int8_t)sum;
}

__attribute__((constructor)) static void make_tables(void) {
    int lines[CELLS] = {0};
    for (int line = 0; line < LINES; line++) {
        length[line] = (int8_t)strlen(LINE[line]);
        for (const char *c = LINE[line]; *c; c++) lines_at[*c - 'A'][lines[*c - 'A']++] = (int8_t)line;
    }
    for (int hand = 0; hand < HANDS; hand++) make_hand(hand);
}

/* Is the line this seat's, whatever the other may still do? */
static inline int dominates(const State *s, int seat, int line) {
    int lead = seat == 0 ? s->lead[line] : -s->lead[line];
    return lead >= best[s->hand[1 - seat]][s->room[line]] + (s->last[line] == seat);
}

/* Bits: the lines without a megalith that the seat dominates. */
static inline uint32_t claimable(const State *s, int seat) {
    uint32_t lines = 0;
    for (int line = 0; line < LINES; line++)
        lines |= (uint32_t)((s->owner[line] < 0) & dominates(s, seat, line)) << line;
    return lines;
}

/* Put the seat's megalith there; has it won? */
static inline int claim(State *s, int seat, int line) {
    s->owner[line] = (int8_t)seat;
    return ++s->megaliths[seat] == MEGALITHS;
}

static inline void place(State *s, int seat, int value, int cell) {
    int points = seat == 0 ? value + 1 : -value - 1;
    s->hand[seat] -= (int16_t)UNIT[value];
    s->druid[cell] = (int8_t)points;
    s->free &= ~(1u << cell);
    for (int k = 0; k < 3; k++) {
        int line = lines_at[cell][k];
        s->lead[line] += (int8_t)points;
        if (--s->room[line] == 0 && s->lead[line] == 0) s->last[line] = (int8_t)seat;
    }
}

static int play(int *winners) {
    State s = {.free = FREE, .hand = {HANDS - 1, HANDS - 1}};
    memcpy(s.room, length, LINES);
    memset(s.last, -1, LINES);
    memset(s.owner, -1, LINES);
    for (int actions = 1;; actions++) {
        int seat = 1 - actions % 2, hand = s.hand[seat];
        int value = kind[hand][below(kinds[hand])], cell = nth(s.free, below(count(s.free)));
        place(&s, seat, value, cell);
        for (int k = 0; k < 3; k++) {
            int line = lines_at[cell][k];
            if (s.owner[line] < 0 && dominates(&s, seat, line) && claim(&s, seat, line)) {
                *winners = 1 << seat;
                return actions;
            }
        }
        for (uint32_t lines = claimable(&s, 1 - seat); lines; lines &= lines - 1)
            if (claim(&s, 1 - seat, first(lines))) {
                *winners = 2 >> seat;
                return actions;
            }
    }
}
