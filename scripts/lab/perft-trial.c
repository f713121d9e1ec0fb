// SPDX-License-Identifier: GPL-3.0-or-later
// clang-format off
/* perft-trial RANDOM KEYS TABLES: perft 5 to 7 from the start position through always-replace tables of 2^26 entries, with
 * the counters of hits and collisions summed over the three runs, as a programmer of chess on GPUs reported them. It makes
 * its own Zobrist keys, to find out which weakness of the keys explains his count (scripts/lab/results/README.md).
 *   RANDOM  0: splitmix64; 1, 6, 12, 13: two rand() of Microsoft's C (15 bits) side by side (30 bits), multiplied, or
 *           overlapping (28 or 26 bits); 3, 9: rand() of glibc (31 bits), or two of them shifted; 4: a linear congruential
 *           generator of 32 bits
 *   KEYS    1: index and check come from one key; 2: the check is a second key
 *   TABLES  1: one table; 7: one for each remaining depth
 * It prints a row: settings, error, hits / collisions in % of the probes at depth 1 to 5, probes at depth 4 and 5.
 * To build, after `make tools`:
 *   gcc -O2 -Isrc -flto -march=native -no-pie -o perft-trial scripts/lab/perft-trial.c \
 *       build/native-release-gcc/src/{chess,base}/?*.o -lm -lpthread */
// clang-format on
#include <stdio.h>
#include <stdlib.h>

#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/play.h"
#include "chess/position.h"

enum { FIRST = 5, LAST = 7, SLOTS = 1 << 26 };

typedef struct {
    uint32_t key, check;
    uint64_t count; // depth (8 bits) and leaves; 0: empty
} Entry;

/* Two keys of 32 bits. */
typedef struct {
    uint32_t part[2];
} Pair;

typedef struct {
    uint64_t probes, hits, collisions;
} Level;

static Pair piece_keys[PIECE_NB][SQ_NB], side_key, castling_keys[4], file_keys[8];
static Entry *tables[LAST + 1];
static Level levels[LAST + 1];
static int kind, keys, table_count;

static uint32_t microsoft_rand(void)
{
    static uint32_t state = 1;
    state = state * 214013u + 2531011u;
    return state >> 16 & 0x7fff;
}

static uint32_t splitmix(void)
{
    static uint64_t state = 1;
    uint64_t z = state += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return (uint32_t)((z ^ z >> 31) >> 32);
}

static uint32_t next(void)
{
    static uint32_t congruential = 1;
    uint32_t first;
    switch (kind) {
    case 1: first = microsoft_rand(); return first | microsoft_rand() << 16;
    case 3: return (uint32_t)rand();
    case 4: return congruential = congruential * 1664525u + 1013904223u;
    case 6: first = microsoft_rand(); return first * microsoft_rand();
    case 9: first = (uint32_t)rand(); return first << 16 ^ (uint32_t)rand();
    case 12: first = microsoft_rand(); return first << 13 ^ microsoft_rand();
    case 13: first = microsoft_rand(); return first << 11 ^ microsoft_rand();
    default: return splitmix();
    }
}

static Pair next_pair(void)
{
    Pair pair;
    pair.part[0] = next();
    pair.part[1] = next();
    return pair;
}

static void add(Pair *sum, Pair key)
{
    sum->part[0] ^= key.part[0];
    sum->part[1] ^= key.part[1];
}

static Pair key_of(const Position *pos)
{
    Pair sum = {{0, 0}};
    for (Square s = 0; s < SQ_NB; s++)
        if (pos->board[s] != NO_PIECE)
            add(&sum, piece_keys[pos->board[s]][s]);
    if (pos->side == BLACK)
        add(&sum, side_key);
    for (int right = 0; right < 4; right++)
        if (pos->castling >> right & 1)
            add(&sum, castling_keys[right]);
    if (pos->ep != SQ_NONE)
        add(&sum, file_keys[file_of(pos->ep)]);
    return sum;
}

static uint64_t count(const Position *pos, int depth)
{
    const Pair key = key_of(pos);
    const uint32_t check = key.part[keys - 1];
    Entry *const entry = &tables[table_count == 1 ? 0 : depth][key.part[0] % SLOTS];
    Level *const level = &levels[depth];
    level->probes++;
    if (entry->count != 0) {
        if (entry->check == check && (int)(entry->count >> 56) == depth) {
            level->hits++;
            return entry->count & 0xffffffffffffff;
        }
        level->collisions += entry->check != check;
    }
    uint64_t leaves = 0;
    if (depth == 1) {
        leaves = (uint64_t)gen_count(pos);
    } else {
        Move moves[MAX_MOVES];
        const int move_count = gen_legal(pos, moves);
        for (int i = 0; i < move_count; i++) {
            Position after;
            pos_play(&after, pos, moves[i]);
            leaves += count(&after, depth - 1);
        }
    }
    *entry = (Entry){key.part[0], check, (uint64_t)depth << 56 | leaves};
    return leaves;
}

int main(int argc, char **argv)
{
    if (argc != 4)
        return 2;
    kind = (int)strtol(argv[1], NULL, 10);
    keys = (int)strtol(argv[2], NULL, 10);
    table_count = (int)strtol(argv[3], NULL, 10);
    chess_init();
    for (int piece = 0; piece < PIECE_NB; piece++)
        for (int s = 0; s < SQ_NB; s++)
            piece_keys[piece][s] = next_pair();
    side_key = next_pair();
    for (int i = 0; i < 4; i++)
        castling_keys[i] = next_pair();
    for (int i = 0; i < 8; i++)
        file_keys[i] = next_pair();
    Position start;
    char error[FEN_ERROR_MAX];
    if (!fen_parse(&start, FEN_START, false, error))
        return 1;
    uint64_t leaves = 0;
    for (int depth = FIRST; depth <= LAST; depth++) {
        for (int i = 0; i <= LAST; i++) {
            free(tables[i]);
            tables[i] = table_count == 1 && i > 0 ? NULL : calloc(SLOTS, sizeof(Entry));
            if (tables[i] == NULL && (table_count > 1 || i == 0))
                return 1;
        }
        leaves = count(&start, depth);
    }
    printf("%s %s %s,%lld", argv[1], argv[2], argv[3], (long long)(leaves - 3195901860));
    for (int d = 1; d <= 5; d++)
        printf(",%.3f / %.3f", 100.0 * (double)levels[d].hits / (double)levels[d].probes,
               100.0 * (double)levels[d].collisions / (double)levels[d].probes);
    printf(",%llu,%llu\n", (unsigned long long)levels[4].probes,
           (unsigned long long)levels[5].probes);
    return 0;
}
