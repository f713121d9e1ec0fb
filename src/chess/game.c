// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/game.h"

#include <assert.h>
#include <string.h>

#include "chess/movegen.h"
#include "chess/zobrist.h"

/* A cuckoo hash table of all reversible moves: every entry has two possible slots. Inserting into a
 * full slot moves the old entry to its other slot. A move and its reverse share an entry. There are
 * 3668 entries: pieces other than pawns, each with two squares between which it can move. */
enum { CUCKOO_SIZE = 8192, REVERSIBLE_MOVES = 3668 };

typedef struct {
    Key key;      // change of the position key by the move, including the side to move
    uint8_t a, b; // the two squares
} Cuckoo;

static Cuckoo cuckoo[CUCKOO_SIZE]; // constant after game_init()

static unsigned first_slot(Key key)
{
    return key & (CUCKOO_SIZE - 1);
}

static unsigned second_slot(Key key)
{
    return key >> 16 & (CUCKOO_SIZE - 1);
}

static void cuckoo_insert(Cuckoo entry)
{
    unsigned slot = first_slot(entry.key);
    while (true) {
        const Cuckoo evicted = cuckoo[slot];
        cuckoo[slot] = entry;
        if (evicted.key == 0)
            return;
        entry = evicted;
        slot ^= first_slot(entry.key) ^ second_slot(entry.key);
    }
}

void game_init(void)
{
    memset(cuckoo, 0, sizeof cuckoo);
    int count = 0;
    for (Piece piece = W_KNIGHT; piece < PIECE_NB; piece++)
        for (Square a = A1; a < SQ_NB; a++)
            for (Square b = a + 1; b < SQ_NB; b++) {
                if (!bb_has(attacks_of(piece_type(piece), a, 0), b))
                    continue;
                const Key key = zobrist_piece[piece][a] ^ zobrist_piece[piece][b] ^ zobrist_black;
                cuckoo_insert((Cuckoo){.key = key, .a = (uint8_t)a, .b = (uint8_t)b});
                count++;
            }
    assert(count == REVERSIBLE_MOVES);
    (void)count;
}

void path_start(Path *path, const Position *pos)
{
    path->keys[0] = pos->key;
    path->count = 1;
}

void path_extend(Path *path, const Position *pos)
{
    if (path->count >= PATH_GAME) {
        const int dropped = path->count - PATH_GAME + 1;
        path->count -= dropped;
        memmove(path->keys, path->keys + dropped, (size_t)path->count * sizeof path->keys[0]);
    }
    path_push(path, pos->key);
}

bool path_contains(const Path *path, Key key)
{
    for (int i = 0; i < path->count; i++)
        if (path->keys[i] == key)
            return true;
    return false;
}

/* Number of plies back within which a position can equal the last one. */
static int path_reach(const Path *path, const Position *pos)
{
    return pos->reversible < path->count - 1 ? pos->reversible : path->count - 1;
}

/* The loops of path_is_repetition() and path_upcoming_repetition(). Most positions are too close to
 * an irreversible move to need them, so they are not inlined: a node then tests one counter. */
__attribute__((noinline)) static bool find_repetition(const Path *path, int reach, int ply)
{
    const Key *last = &path->keys[path->count - 1];
    bool seen = false;
    for (int i = 4; i <= reach; i += 2) {
        if (last[-i] != *last)
            continue;
        if (i < ply || seen)
            return true;
        seen = true;
    }
    return false;
}

bool path_is_repetition(const Path *path, const Position *pos, int ply)
{
    const int reach = path_reach(path, pos);
    return reach >= 4 && find_repetition(path, reach, ply);
}

int path_occurrences(const Path *path, const Position *pos)
{
    const Key *last = &path->keys[path->count - 1];
    const int reach = path_reach(path, pos);
    int count = 0;
    for (int i = 4; i <= reach; i += 2)
        count += last[-i] == *last;
    return count;
}

bool path_has_repeated(const Path *path, const Position *pos)
{
    const Key *last = &path->keys[path->count - 1];
    const int reach = path_reach(path, pos);
    for (int i = 0; i + 4 <= reach; i++)
        for (int j = i + 4; j <= reach; j += 2)
            if (last[-i] == last[-j])
                return true;
    return false;
}

/* True when the side to move can play the move of the entry: the opponent's moves undo each other,
 * so the piece on one of its squares is that of the side to move. Needs no test for check, because
 * the resulting position occurred before. */
static bool can_play(const Position *pos, const Cuckoo *entry)
{
    assert(((bb_of(entry->a) | bb_of(entry->b)) & pos->by_color[pos->side]) != 0);
    return (bb_between(entry->a, entry->b) & pos_occupied(pos)) == 0;
}

__attribute__((noinline)) static bool find_upcoming(const Path *path, const Position *pos,
                                                    int reach, int ply)
{
    const Key *last = &path->keys[path->count - 1];
    /* One move repeats an earlier position only if the opponent's moves since then undo each other.
     * Their sum is tested first, because the table entry is seldom in the cache. */
    Key opponent = last[0] ^ last[-1] ^ zobrist_black;
    for (int i = 3; i <= reach; i += 2) {
        opponent ^= last[1 - i] ^ last[-i] ^ zobrist_black;
        if (opponent != 0)
            continue;
        const Key difference = *last ^ last[-i];
        const Cuckoo *entry = &cuckoo[first_slot(difference)];
        if (entry->key != difference)
            entry = &cuckoo[second_slot(difference)];
        if (entry->key != difference || !can_play(pos, entry))
            continue;
        if (i < ply)
            return true;
        for (int j = i + 4; j <= reach; j += 2)
            if (last[-j] == last[-i])
                return true;
    }
    return false;
}

bool path_upcoming_repetition(const Path *path, const Position *pos, int ply)
{
    const int reach = path_reach(path, pos);
    return reach >= 3 && find_upcoming(path, pos, reach, ply);
}

bool game_fifty_moves(const Position *pos)
{
    return pos->rule50 >= 100 && (!pos_in_check(pos) || gen_any(pos));
}

GameEnd game_end(const Position *pos, const Path *path)
{
    if (!gen_any(pos))
        return pos_in_check(pos) ? END_MATE : END_STALEMATE;
    if (path_occurrences(path, pos) >= 2)
        return END_REPETITION;
    if (game_fifty_moves(pos))
        return END_FIFTY;
    return pos_insufficient_material(pos) ? END_MATERIAL : END_NONE;
}
