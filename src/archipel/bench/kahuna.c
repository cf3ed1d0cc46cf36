/* Kahuna in plain C (first edition, no variants): random games, as a measure for the kernel.
 *
 * The same rules and the same way of doing them: a pile of cards is 24 bits, bit c for a card of island c and
 * bit 12 + c for a second one; what a seat may do is counted by kinds, never listed.
 */
#include "random_games.h"

enum { ISLANDS = 12, LINES = 27, DEAL = 3, HAND_LIMIT = 5, BRIDGES = 25, ROUNDS = 3 };
enum { ONES = (1 << ISLANDS) - 1, ALL_CARDS = (1 << 2 * ISLANDS) - 1, ALL_LINES = (1 << LINES) - 1 };
enum { DEALING, TURN, DRAWN, REPLACING, ENDED };

/* Each line by the letters of its islands, A to L. */
static const char *LINE[LINES] = {"AB", "AD", "AH", "BC", "BD", "BE", "BF", "CF", "CG", "CK", "DE", "DH", "EF", "EH",
                                  "EI", "EJ", "FG", "FJ", "GJ", "GK", "HI", "HL", "IJ", "IK", "IL", "JK", "KL"};

static int8_t ends[LINES][2], degree[ISLANDS];
static uint32_t lines_of[ISLANDS];

typedef struct {
    int8_t phase, turn, round, left, played, discarded, passed, last_turns, winners, scores[2];
    uint32_t bridges[2], stones[2], hands[2], known[2], maybe[2], hidden[2], open, deck, discard;
    int8_t since[2][2 * ISLANDS];
} State;

__attribute__((constructor)) static void make_tables(void) {
    for (int line = 0; line < LINES; line++)
        for (int k = 0; k < 2; k++) {
            int island = ends[line][k] = (int8_t)(LINE[line][k] - 'A');
            lines_of[island] |= 1u << line;
            degree[island]++;
        }
}

/* Piles. */

static inline int has(uint32_t pile, int card) { return pile >> card & 1; }
static inline int has_two(uint32_t pile, int card) { return pile >> (card + ISLANDS) & 1; }

static inline uint32_t with(uint32_t pile, int card) {
    return has(pile, card) ? pile | 1u << (card + ISLANDS) : pile | 1u << card;
}

static inline uint32_t without(uint32_t pile, int card) {
    return has_two(pile, card) ? pile & ~(1u << (card + ISLANDS)) : pile & ~(1u << card);
}

static inline uint32_t together(uint32_t a, uint32_t b) { return a | b | (a & b & ONES) << ISLANDS; }

/* Islands. */

static inline int majority(uint32_t bridges, int island) {
    return 2 * count(bridges & lines_of[island]) > degree[island];
}

static void finish(State *s, int winners) {
    s->winners = (int8_t)winners;
    s->phase = ENDED;
}

static inline void take_away(State *s, uint32_t lines) {
    int foe = 1 - s->turn;
    uint32_t lost = s->bridges[foe] & lines;
    if (!lost) return;
    s->bridges[foe] ^= lost;
    for (uint32_t held = s->stones[foe]; held; held &= held - 1)
        if (!majority(s->bridges[foe], first(held))) s->stones[foe] &= ~(1u << first(held));
    if (s->round > 1 && !s->bridges[foe]) finish(s, 1 << s->turn);
}

static inline void build(State *s, int line) {
    int mine = s->turn;
    uint32_t stripped = 0;
    s->bridges[mine] |= 1u << line;
    for (int k = 0; k < 2; k++) {
        int island = ends[line][k];
        if (!has(s->stones[mine], island) && majority(s->bridges[mine], island)) {
            s->stones[mine] |= 1u << island;
            stripped |= lines_of[island];
        }
    }
    take_away(s, stripped);
}

/* Cards. */

static inline void put_away(State *s, int card) {
    int seat = s->turn;
    if (has(s->known[seat], card)) {
        s->known[seat] = without(s->known[seat], card);
    } else if (has(s->maybe[seat], card)) {
        int gone = has_two(s->maybe[seat], card) ? card + ISLANDS : card;
        s->maybe[seat] &= ~(1u << gone);
        s->since[seat][gone] = 0;
    }
    s->hands[seat] = without(s->hands[seat], card);
    s->discard = with(s->discard, card);
}

static inline void lay_down(State *s, int card) {
    int seat = s->turn;
    s->hands[seat] = without(s->hands[seat], card);
    s->hidden[seat] = with(s->hidden[seat], card);
    s->maybe[seat] = together(s->maybe[seat], s->known[seat]);
    s->known[seat] = 0;
    for (uint32_t cards = s->maybe[seat]; cards; cards &= cards - 1) s->since[seat][first(cards)]++;
}

/* Turns and rounds. */

static inline void begin_turn(State *s, int seat) {
    s->phase = TURN;
    s->turn = (int8_t)seat;
    s->played = s->discarded = 0;
}

static inline int score(State *s, int points) {
    int ahead = count(s->stones[0]) - count(s->stones[1]);
    if (ahead) s->scores[ahead < 0] += (int8_t)points;
    return ahead;
}

static void end_round(State *s) {
    begin_turn(s, 1 - s->turn);
    if (s->round == ROUNDS) {
        s->last_turns = 2;
        return;
    }
    score(s, s->round++);
    s->deck = together(s->discard, together(s->hidden[0], s->hidden[1]));
    s->discard = s->hidden[0] = s->hidden[1] = s->maybe[0] = s->maybe[1] = 0;
    memset(s->since, 0, sizeof s->since);
    s->phase = DEALING;
    s->left = DEAL;
}

static void end_game(State *s) {
    int third = count(s->stones[0]) - count(s->stones[1]);
    score(s, abs(third));
    int ahead = s->scores[0] - s->scores[1];
    if (!ahead) ahead = third;
    if (!ahead) ahead = count(s->bridges[0]) - count(s->bridges[1]);
    finish(s, ahead == 0 ? 3 : ahead > 0 ? 1 : 2);
}

static inline void after_draw(State *s) {
    s->passed = 0;
    if (s->deck | s->open)
        begin_turn(s, 1 - s->turn);
    else
        end_round(s);
}

static inline void after_pass(State *s) {
    s->passed = 1;
    if (s->last_turns && --s->last_turns == 0)
        end_game(s);
    else
        begin_turn(s, 1 - s->turn);
}

static inline void deal(State *s) {
    int card = nth(s->deck, below(count(s->deck))) % ISLANDS;
    s->deck = without(s->deck, card);
    if (s->phase == DRAWN) {
        s->hands[s->turn] = with(s->hands[s->turn], card);
        after_draw(s);
    } else if (s->phase == REPLACING) {
        s->open = with(s->open, card);
        after_draw(s);
    } else {
        uint32_t *to = s->left > 2 * DEAL ? &s->hands[0] : s->left > DEAL ? &s->hands[1] : &s->open;
        *to = with(*to, card);
        if (--s->left == 0) begin_turn(s, s->turn);
    }
}

/* What a seat does. */

static inline void build_with(State *s, int line, int card) {
    s->played = 1;
    put_away(s, card);
    build(s, line);
}

static inline void cut(State *s, int line, int one, int other) {
    s->played = 1;
    put_away(s, one);
    put_away(s, other);
    take_away(s, 1u << line);
}

/* The n-th bridge or cut, in the order in which `act` counts them. */
static inline void play_cards(State *s, uint32_t hand, uint32_t lines, uint32_t foes, uint32_t between, int n) {
    for (uint32_t cards = hand & ONES; cards; cards &= cards - 1) {
        int card = first(cards), here = count(lines & lines_of[card]);
        if (n < here) {
            build_with(s, nth(lines & lines_of[card], n), card);
            return;
        }
        n -= here;
        if (has_two(hand, card)) {
            here = count(foes & lines_of[card]);
            if (n < here) {
                cut(s, nth(foes & lines_of[card], n), card, card);
                return;
            }
            n -= here;
        }
    }
    int line = nth(foes & between, n);
    cut(s, line, ends[line][0], ends[line][1]);
}

/* One of all that the seat may do, each as likely. */
static inline void act(State *s) {
    int seat = s->turn, plays = 0, left = (s->deck | s->open) != 0;
    uint32_t hand = s->hands[seat], foes = s->bridges[1 - seat], between = 0;
    uint32_t lines = count(s->bridges[seat]) >= BRIDGES ? 0 : ALL_LINES & ~(s->bridges[0] | s->bridges[1]);
    if (!s->discarded) {
        uint32_t reached = 0;
        for (uint32_t cards = hand & ONES; cards; cards &= cards - 1) {
            int card = first(cards);
            between |= reached & lines_of[card];
            reached |= lines_of[card];
            plays += count(lines & lines_of[card]);
            if (has_two(hand, card)) plays += count(foes & lines_of[card]);
        }
        plays += count(foes & between);
    }
    int may_draw = count(hand) < HAND_LIMIT;
    int discards = left && !s->played ? count(hand & ONES) : 0;
    int draws = may_draw ? count(s->open & ONES) : 0;
    int decks = may_draw && s->deck;
    int passes = !left || !s->passed;
    int n = below(plays + discards + draws + decks + passes);
    if (n < plays) {
        play_cards(s, hand, lines, foes, between, n);
    } else if ((n -= plays) < discards) {
        s->discarded = 1;
        lay_down(s, nth(hand & ONES, n));
    } else if ((n -= discards) < draws) {
        int card = nth(s->open & ONES, n);
        s->open = without(s->open, card);
        s->hands[seat] = with(hand, card);
        s->known[seat] = with(s->known[seat], card);
        if (s->deck)
            s->phase = REPLACING;
        else
            after_draw(s);
    } else if (n - draws < decks) {
        s->phase = DRAWN;
    } else {
        after_pass(s);
    }
}

static int play(int *winners) {
    State s = {.phase = DEALING, .round = 1, .left = 3 * DEAL, .deck = ALL_CARDS};
    int actions = 0;
    for (; s.phase != ENDED; actions++) {
        if (s.phase == TURN)
            act(&s);
        else
            deal(&s);
    }
    *winners = s.winners;
    return actions;
}
