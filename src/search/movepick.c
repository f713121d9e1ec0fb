// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/movepick.h"

#include <assert.h>
#include <limits.h>

#include "chess/movegen.h"
#include "chess/see.h"
#include "search/params.h"

enum {
    PICK_TT_MOVE,
    PICK_GENERATE_NOISY,
    PICK_GOOD_NOISY,
    PICK_GENERATE_QUIET,
    PICK_QUIET,
    PICK_BAD_NOISY,
    PICK_END
};

enum { INDEX_BITS = 9, INDEX_MAX = (1 << INDEX_BITS) - 1 };

static_assert(MAX_MOVES + PICK_BLOCK <= INDEX_MAX + 1, "an index fits into a key");

/* The key of the move at `index`: of two keys the larger one has the higher score or, among equals,
 * the lower index. Scores are far below 2^22. */
static int make_key(int score, int index)
{
    return score * (1 << INDEX_BITS) + INDEX_MAX - index;
}

static int index_of_key(int key)
{
    return INDEX_MAX - (key & INDEX_MAX);
}

void pick_init(MovePicker *picker, const Position *pos, const Histories *histories,
               HistoryContext context, const Move tt_moves[2], bool noisy_only)
{
    picker->pos = pos;
    picker->histories = histories;
    picker->context = context;
    picker->tt_moves[0] = tt_moves[0];
    picker->tt_moves[1] = tt_moves[1];
    picker->stage = PICK_TT_MOVE;
    picker->noisy_only = noisy_only;
    picker->checks_only = NULL;
    picker->next = picker->end = picker->bad = 0;
}

/* The first TT move is returned in its own stage, so the other stages leave it out. */
static bool is_first_tt_move(const MovePicker *picker, Move move)
{
    return move == picker->tt_moves[0];
}

static int second_bonus(const MovePicker *picker, Move move)
{
    return move == picker->tt_moves[1] ? params.second_tt_move_bonus : 0;
}

/* Score by the victim's value (a promotion adds queen minus pawn) and the capture history. Among
 * equals the least valuable attacker comes first. */
static int noisy_score(const MovePicker *picker, Move move)
{
    const int gain = see_value[pos_captured(picker->pos, move)] +
                     (move_kind(move) == KIND_PROMOTION ? SEE_QUEEN - SEE_PAWN : 0);
    return gain * params.noisy_victim +
           history_noisy(picker->histories, picker->pos, move) * params.noisy_history / 100 -
           piece_type(pos_piece_on(picker->pos, move_from(move)));
}

static void add_move(MovePicker *picker, Move move, int score)
{
    const int index = picker->end++;
    picker->moves[index] = move;
    picker->keys[index] = make_key(score + second_bonus(picker, move), index);
}

/* `count` rounded up to whole blocks. */
static int whole_blocks(int count)
{
    return (count + PICK_BLOCK - 1) / PICK_BLOCK * PICK_BLOCK;
}

/* Fills the block after the last key with `value`. */
static void end_keys(MovePicker *picker, int value)
{
    for (int i = 0; i < PICK_BLOCK; i++)
        picker->keys[picker->end + i] = value;
}

static void add_noisy(MovePicker *picker)
{
    Move moves[MAX_MOVES];
    const int count = gen_noisy(picker->pos, moves);
    for (int i = 0; i < count; i++) {
        if (!is_first_tt_move(picker, moves[i]))
            add_move(picker, moves[i], noisy_score(picker, moves[i]));
    }
    end_keys(picker, INT_MIN);
}

/* Removes `move` from the list, if it is there. Returns the new number of moves. */
static int remove_move(Move *moves, int count, Move move)
{
    int kept = 0;
    for (int i = 0; i < count; i++) {
        moves[kept] = moves[i];
        kept += moves[i] != move;
    }
    return kept;
}

/* Turns results of history_quiet_percent() into keys (MovePicker.keys); `first` is the index of the
 * first move. Works on whole blocks, so that the compiler vectorises the loop. */
static void make_keys(int *sums, int count, int first)
{
    const int padded = whole_blocks(count);
    for (int i = 0; i < padded; i++)
        sums[i] = make_key(sums[i] / 100, first + i);
}

/* Ordering the quiet moves takes much of a node's time, so the loops are short: TT moves, which
 * most nodes do not have, get loops of their own. */
static void add_quiets(MovePicker *picker)
{
    const int first = picker->bad;
    Move *const moves = &picker->moves[first];
    int *const keys = &picker->keys[first];
    history_prefetch(&picker->context, picker->pos->side);
    int count = gen_quiet(picker->pos, moves);
    if (picker->tt_moves[0] != MOVE_NONE)
        count = remove_move(moves, count, picker->tt_moves[0]);
    for (int i = 0; i < count; i++)
        keys[i] = history_quiet_percent(picker->histories, picker->pos, &picker->context, moves[i]);
    picker->next = first;
    picker->end = first + count;
    end_keys(picker, 0); // the last block that make_keys() reads
    make_keys(keys, count, first);
    if (picker->tt_moves[1] != MOVE_NONE)
        for (int i = 0; i < count; i++)
            keys[i] += second_bonus(picker, moves[i]) * (1 << INDEX_BITS);
    end_keys(picker, INT_MIN);
}

/* Removes and returns the best remaining move of a stage; of equals the first in the list. The
 * first remaining move takes its place. The key contains the index, so the loop is a plain
 * maximum over whole blocks, which the compiler vectorises. */
static Move take_best(MovePicker *picker)
{
    const int next = picker->next++;
    const int *const keys = &picker->keys[next];
    const int count = whole_blocks(picker->end - next);
    int best_key = INT_MIN;
    for (int i = 0; i < count; i++)
        best_key = keys[i] > best_key ? keys[i] : best_key;
    const int best = index_of_key(best_key);
    const Move taken = picker->moves[best];
    picker->moves[best] = picker->moves[next];
    picker->keys[best] = keys[0] + next - best;
    return taken;
}

/* Least exchange value of a good capture: the better its history, the lower. */
static int good_capture_threshold(const MovePicker *picker, Move move)
{
    return params.good_capture_see -
           history_noisy(picker->histories, picker->pos, move) / params.good_capture_history;
}

/* The next noisy move. Its static exchange is evaluated only now; moves below the threshold are
 * kept for the last stage. With noisy_only the caller tests the exchange. */
static Move next_good(MovePicker *picker)
{
    while (picker->next < picker->end) {
        const Move move = take_best(picker);
        if (picker->noisy_only || see_ge(picker->pos, move, good_capture_threshold(picker, move)))
            return move;
        picker->moves[picker->bad++] = move;
    }
    return MOVE_NONE;
}

/* The next check among the quiet moves, in the order of the list. */
static Move next_check(MovePicker *picker)
{
    const CheckSquares *const checks = picker->checks_only;
    const Position *const pos = picker->pos;
    const Move *next = &picker->moves[picker->next], *const end = &picker->moves[picker->end];
    while (next < end && !pos_gives_check_fast(checks, pos, *next))
        next++;
    picker->next = (int)(next - picker->moves) + 1;
    return next < end ? *next : MOVE_NONE;
}

/* The next quiet move by history; with checks_only the next check. */
static Move next_quiet(MovePicker *picker)
{
    if (picker->checks_only != NULL)
        return next_check(picker);
    return picker->next < picker->end ? take_best(picker) : MOVE_NONE;
}

Move pick_next(MovePicker *picker)
{
    Move move;
    switch (picker->stage) {
    case PICK_TT_MOVE:
        picker->stage = PICK_GENERATE_NOISY;
        if (picker->tt_moves[0] != MOVE_NONE)
            return picker->tt_moves[0];
        // fall through
    case PICK_GENERATE_NOISY:
        add_noisy(picker);
        picker->stage = PICK_GOOD_NOISY;
        // fall through
    case PICK_GOOD_NOISY:
        move = next_good(picker);
        if (move != MOVE_NONE)
            return move;
        picker->stage = picker->noisy_only ? PICK_END : PICK_GENERATE_QUIET;
        if (picker->stage == PICK_END)
            return MOVE_NONE;
        // fall through
    case PICK_GENERATE_QUIET:
        add_quiets(picker);
        picker->stage = PICK_QUIET;
        // fall through
    case PICK_QUIET:
        move = next_quiet(picker);
        if (move != MOVE_NONE)
            return move;
        picker->next = 0;
        picker->end = picker->bad;
        picker->stage = PICK_BAD_NOISY;
        // fall through
    case PICK_BAD_NOISY:
        if (picker->next < picker->end)
            return picker->moves[picker->next++];
        picker->stage = PICK_END;
        // fall through
    default: return MOVE_NONE;
    }
}
