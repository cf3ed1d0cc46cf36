/* Kula Kula in plain C (three players, no variants, the default board): random games, as a measure for the kernel.
 *
 * The same rules and the same way of doing them: a state is a small record of numbers, changed in place.
 */
#include "random_games.h"

enum { SEATS = 3, SPACES = 24, NUMBERED = SPACES / 2, GOAL = 6, PRICE = 3, LIMIT = 3, SUPPLY = 70, TURNS = 1500 };
enum { BOAT, FISH, IDOL };
enum { CHOOSING, SPINNING, TURNING, PUSHING, TRADING, ENDED };
enum { SAIL, ORACLE };

static const int16_t CARDS[3] = {18, 12, 12};
static const int8_t STARTS[SEATS] = {0, 8, 16};
/* Even spaces are islands and have Kauri; odd ones are the sea and have Pukas. */
static const int8_t SHELLS[SPACES] = {2, 1, 1, 0, 1, 1, 1, 0, 3, 1, 2, 0, 1, 1, 2, 0, 2, 1, 1, 0, 1, 1, 2, 0};

typedef struct {
    int8_t phase, seat, idol, winners, boats[SEATS], shells[SPACES];
    int16_t supply, drawn, way, deck[3], discard[3], pukas[SEATS], kauris[SEATS];
    int32_t turn;
} State;

static inline int sum(const int16_t *cards) { return cards[BOAT] + cards[FISH] + cards[IDOL]; }
static inline int is_island(int space) { return space % 2 == 0; }

/* The seats with the most of something, as bits, among some. */
static int leaders(const int16_t *held, int among) {
    int most = -1, seats = 0;
    for (int seat = 0; seat < SEATS; seat++) {
        if (!(among >> seat & 1)) continue;
        if (held[seat] > most) {
            most = held[seat];
            seats = 0;
        }
        if (held[seat] == most) seats |= 1 << seat;
    }
    return seats;
}

static void finish(State *s, int winners) {
    s->phase = ENDED;
    s->winners = (int8_t)winners;
}

static inline void end_turn(State *s) {
    for (int kind = 0; kind < 3; kind++) s->discard[kind] = CARDS[kind] - s->deck[kind];
    s->drawn = s->way = s->idol = 0;
    s->seat = (int8_t)((s->seat + 1) % SEATS);
    s->phase = CHOOSING;
    if (++s->turn == TURNS) finish(s, leaders(s->pukas, leaders(s->kauris, (1 << SEATS) - 1)));
}

static inline void after_landing(State *s) {
    int seat = s->seat, space = s->boats[seat];
    if (s->kauris[seat] >= GOAL)
        finish(s, 1 << seat);
    else if (is_island(space) && s->shells[space] > 0 && s->pukas[seat] >= PRICE)
        s->phase = TRADING;
    else
        end_turn(s);
}

static inline void land(State *s, int steps) {
    int seat = s->seat, space = (s->boats[seat] + steps) % SPACES;
    s->boats[seat] = (int8_t)space;
    for (int k = 1; k < SEATS; k++) {
        int other = (seat + k) % SEATS;
        if (s->boats[other] == space && s->pukas[seat] > 0) {
            s->pukas[seat]--;
            s->pukas[other]++;
        }
    }
    if (!is_island(space)) {
        s->pukas[seat] += s->shells[space];
        s->shells[space] = 0;
    }
    after_landing(s);
}

static inline void trade(State *s) {
    int seat = s->seat;
    s->pukas[seat] -= PRICE;
    s->supply += PRICE;
    s->shells[s->boats[seat]]--;
    s->kauris[seat]++;
    after_landing(s);
}

static inline void call_for_card(State *s) {
    if (!sum(s->deck)) {
        memcpy(s->deck, s->discard, sizeof s->deck);
        memset(s->discard, 0, sizeof s->discard);
    }
    s->phase = TURNING;
}

static inline void turn_dolphin(State *s) {
    int8_t *pukas = &s->shells[2 * below(NUMBERED) + 1];
    if (*pukas == LIMIT) {
        s->supply += *pukas;
        *pukas = 0;
    } else if (s->supply > 0) {
        s->supply--;
        ++*pukas;
    }
    call_for_card(s);
}

static inline void turn_up(State *s) {
    int card = below(sum(s->deck));
    int kind = card < s->deck[BOAT] ? BOAT : card < s->deck[BOAT] + s->deck[FISH] ? FISH : IDOL;
    s->deck[kind]--;
    if (kind == IDOL) {
        end_turn(s);
        return;
    }
    s->drawn++;
    s->way += (int16_t)(kind + 1);
    s->phase = PUSHING;
}

/* One of the two things that the seat may do, each as likely. */
static inline void act(State *s) {
    if (s->phase == PUSHING && !sum(s->deck) && !sum(s->discard)) {
        land(s, s->way);
        return;
    }
    int second = below(2);
    if (s->phase == CHOOSING) {
        if (second == SAIL)
            land(s, 1);
        else
            s->phase = SPINNING;
    } else if (s->phase == PUSHING) {
        if (second)
            land(s, s->way);
        else
            call_for_card(s);
    } else if (second) {
        end_turn(s);
    } else {
        trade(s);
    }
}

static int play(int *winners) {
    State s = {.supply = SUPPLY};
    int actions = 0;
    memcpy(s.deck, CARDS, sizeof s.deck);
    memcpy(s.boats, STARTS, sizeof s.boats);
    memcpy(s.shells, SHELLS, sizeof s.shells);
    for (int space = 1; space < SPACES; space += 2) s.supply -= SHELLS[space];
    for (; s.phase != ENDED; actions++) {
        if (s.phase == SPINNING)
            turn_dolphin(&s);
        else if (s.phase == TURNING)
            turn_up(&s);
        else
            act(&s);
    }
    *winners = s.winners;
    return actions;
}
