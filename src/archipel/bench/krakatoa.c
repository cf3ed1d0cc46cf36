/* Krakatoa in plain C (two players, the advanced game, dice by odds): random games, as a measure for the kernel.
 *
 * The same rules and the same way of doing them: a set of three dice is one small number, tables say what is in it.
 */
#include "random_games.h"

enum { SEATS = 2, SETS = 3, FACES = 12, FALLS = 27, ROUNDS = 6, THROWS = 5, BOXES = 3, TARGETS = 6 };
enum { FREE = 3, SCALE = 1 << 21, TOUCHES = 1971323, DIE_BITS = 21 };
enum { THROWOFF, DECIDE, AIM, LAND, DONE };
enum { Y, R, B };

/* What a die shows after a throw that touched: limits in parts of SCALE, by role (aimed at?) and letter before. */
static const int32_t LIMITS[2][3][2] = {{{1604301, 1823346}, {164284, 1823346}, {164284, 383329}},
                                        {{691614, 1316298}, {468513, 1316298}, {468513, 1093196}}};

static int8_t points[FALLS], letter[FALLS][3], colours[FALLS], volcano[FALLS], opening[FALLS], quake[100];
static int8_t tumbles[FACES * FACES * FACES];

typedef struct {
    int8_t phase, round, throw_no, order[SEATS], throwers, turn, rerolled, dice[SETS], aim, throwoff[SEATS];
    int8_t marks[SEATS][2], boxes, winners;
    int16_t totals[SEATS];
} State;

__attribute__((constructor)) static void make_tables(void) {
    static const int8_t same[3] = {10, 5, 3};
    for (int fall = 0; fall < FALLS; fall++) {
        int yellow = 0;
        for (int die = 0, rest = fall; die < 3; die++, rest /= 3) letter[fall][2 - die] = (int8_t)(rest % 3);
        for (int die = 0; die < 3; die++) {
            colours[fall] |= (int8_t)(1 << letter[fall][die]);
            yellow += letter[fall][die] == Y;
        }
        volcano[fall] = count((uint32_t)colours[fall]) == 1 ? colours[fall] : 0;
        points[fall] = (int8_t)(volcano[fall] ? same[letter[fall][0]] : yellow);
        opening[fall] = (int8_t)(volcano[fall] ? 2 : yellow == 2);
    }
    for (int n = 0; n < 100; n++) quake[n] = (int8_t)(n % 20 == 0 ? 2 : n % 11 == 0);
    const char faces[] = "YYYRRRRBBBBB";
    for (int n = 0; n < FACES * FACES * FACES; n++) {
        int shows = 0;
        for (int place = FACES * FACES; place; place /= FACES) {
            char face = faces[n / place % FACES];
            shows = 3 * shows + (face == 'Y' ? Y : face == 'R' ? R : B);
        }
        tumbles[n] = (int8_t)shows;
    }
}

static inline int tumble(void) { return tumbles[below(FACES * FACES * FACES)]; }

static void start_turn(State *s) {
    s->throw_no = 1;
    s->phase = LAND;
}

static void start_round(State *s, int first) {
    s->round++;
    s->throwers = SEATS;
    for (int k = 0; k < SEATS; k++) s->order[k] = (int8_t)((first + k) % SEATS);
    s->turn = 0;
    start_turn(s);
}

static inline int leader(const State *s) {
    int one = s->order[0], other = s->order[1];
    return s->totals[other] > s->totals[one] ? other : one;
}

static inline void go_on(State *s) {
    int bonus = s->round == ROUNDS && s->boxes > 0 && s->marks[s->order[s->turn]][0] > 0;
    if (s->throw_no < THROWS || bonus) {
        s->throw_no++;
        s->phase = AIM;
    } else if (s->turn + 1 < s->throwers) {
        s->turn++;
        start_turn(s);
    } else if (s->round < ROUNDS) {
        start_round(s, leader(s));
    } else {
        int best = s->totals[leader(s)];
        s->phase = DONE;
        for (int seat = 0; seat < SEATS; seat++)
            if (s->totals[seat] == best) s->winners |= (int8_t)(1 << seat);
    }
}

static inline void earn(State *s, int seat, int changed) {
    int a = s->dice[0], b = s->dice[1], c = s->dice[2];
    int volcanoes = (volcano[a] > 0) + (volcano[b] > 0) + (volcano[c] > 0);
    int rumble = count((uint32_t)(colours[a] | colours[b] | colours[c])) != 2 ? 0 : volcanoes < 2 ? 1 : 2;
    int kinds = count((uint32_t)(volcano[a] | volcano[b] | volcano[c]));
    int lasting = volcanoes < 3 ? 0 : kinds == 1 ? 2 : kinds == 3;
    int now = s->marks[seat][0] + (changed ? quake[s->totals[seat] % 100] : 0) + rumble + lasting;
    s->marks[seat][0] = (int8_t)(now < 2 ? now : 2);
    s->marks[seat][1] = (int8_t)lasting;
}

static inline void score(State *s, int touched) {
    int seat = s->order[s->turn];
    int gain = touched ? (points[s->dice[0]] + points[s->dice[1]] + points[s->dice[2]]) << s->marks[seat][0] : 0;
    s->totals[seat] += (int16_t)gain;
    s->marks[seat][0] = s->marks[seat][1];
    s->marks[seat][1] = 0;
    if (touched) earn(s, seat, gain > 0);
    if (s->throw_no > THROWS) s->boxes--;
    go_on(s);
}

/* The opening roll: the best throw on, the others mark their first boxes. */
static void throw_off(State *s) {
    s->throwoff[s->order[s->turn]] = (int8_t)tumble();
    if (++s->turn < s->throwers) return;
    int best = 0, level = 0;
    s->turn = 0;
    for (int k = 0; k < s->throwers; k++)
        if (points[s->throwoff[s->order[k]]] > best) best = points[s->throwoff[s->order[k]]];
    for (int k = 0; k < s->throwers; k++)
        if (points[s->throwoff[s->order[k]]] == best) s->order[level++] = s->order[k];
    s->throwers = (int8_t)level;
    if (level > 1) return;
    for (int seat = 0; seat < SEATS; seat++) s->marks[seat][0] = opening[s->throwoff[seat]];
    start_round(s, s->order[0]);
}

/* What a set on the table shows after a throw that touched. */
static inline int jolt(const State *s, int set, int thrown) {
    int target = s->aim % TARGETS - 3 * (set - (set > thrown)), shows = 0;
    uint64_t luck = word() >> 1;
    for (int die = 0; die < 3; die++, luck >>= DIE_BITS) {
        const int32_t *limits = LIMITS[die == target][letter[s->dice[set]][die]];
        int32_t part = (int32_t)(luck & (SCALE - 1));
        shows = 3 * shows + (part >= limits[0]) + (part >= limits[1]);
    }
    return shows;
}

static inline void land(State *s) {
    if (s->aim < 0) {
        for (int set = 0; set < SETS; set++) s->dice[set] = (int8_t)tumble();
        if (s->rerolled) {
            s->rerolled = 0;
            score(s, 1);
        } else {
            s->phase = DECIDE;
        }
        return;
    }
    int touched = below(SCALE) < TOUCHES, thrown = s->aim / TARGETS;
    for (int set = 0; set < SETS; set++) {
        if (set == thrown)
            s->dice[set] = (int8_t)tumble();
        else if (touched)
            s->dice[set] = (int8_t)jolt(s, set, thrown);
    }
    s->aim = -1;
    score(s, touched);
}

/* One of all that the seat may do, each as likely. */
static inline void act(State *s) {
    if (s->phase == DECIDE) {
        if (below(2)) {
            s->rerolled = 1;
            s->phase = LAND;
        } else {
            score(s, 1);
        }
        return;
    }
    int due = s->throw_no >= 3 && s->throw_no <= THROWS ? s->throw_no - 3 : FREE;
    s->aim = (int8_t)(due == FREE ? below(SETS * TARGETS) : due * TARGETS + below(TARGETS));
    s->phase = LAND;
}

static int play(int *winners) {
    State s = {.throwers = SEATS, .order = {0, 1}, .boxes = BOXES, .aim = -1};
    int actions = 0;
    for (; s.phase != DONE; actions++) {
        if (s.phase == THROWOFF)
            throw_off(&s);
        else if (s.phase == LAND)
            land(&s);
        else
            act(&s);
    }
    *winners = s.winners;
    return actions;
}
