// SPDX-License-Identifier: GPL-3.0-or-later
#include "syzygy/syzygy.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tbprobe.h>

#include "base/file.h"
#include "base/strbuf.h"
#include "chess/movegen.h"
#include "chess/play.h"

/* The board as the first eight arguments of the library's probe functions. */
#define BOARD(pos)                                                                                 \
    (pos)->by_color[WHITE], (pos)->by_color[BLACK], (pos)->by_type[KING], (pos)->by_type[QUEEN],   \
        (pos)->by_type[ROOK], (pos)->by_type[BISHOP], (pos)->by_type[KNIGHT], (pos)->by_type[PAWN]

bool syzygy_is_linked(void)
{
    return true;
}

/* Returns the en passant square for the library, where 0 means none: a1 is never an en passant
 * square. */
static unsigned ep_square(const Position *pos)
{
    return pos->ep == SQ_NONE ? 0 : pos->ep;
}

/* Returns the fifty-move counter for the library. Above 100 the order of the ranks stays the same.
 * There the library may take a long win for a loss, and after 255 its counter begins at 0 again. */
static unsigned rule50_counter(const Position *pos)
{
    return pos->rule50 < 100 ? pos->rule50 : 100;
}

/* State of count_file(): the tables so far, and the fault of the first faulty file. */
typedef struct {
    SyzygyTables tables;
    StrBuf names; // of the tables so far, with a slash before each
    char *error;
} TableCount;

/* Adds a name to the list. Returns false when the list has it: another folder has the same table,
 * and the library uses only one of them. */
static bool add_name(StrBuf *names, const char *name)
{
    char entry[32];
    snprintf(entry, sizeof entry, "/%.20s", name);
    if (names->text != NULL && strstr(names->text, entry) != NULL)
        return false;
    strbuf_add(names, "%s", entry);
    return true;
}

static bool count_file(void *ctx, const SyzygyFile *file)
{
    TableCount *const count = ctx;
    const char *const fault = syzygy_file_fault(file);
    if (fault != NULL) {
        snprintf(count->error, SYZYGY_ERROR_MAX, "%.20s %s (in %.400s)", file->name, fault,
                 file->folder);
        return false;
    }
    if (!add_name(&count->names, file->name))
        return true;
    count->tables.wdl_files += !file->is_dtz;
    count->tables.dtz_files += file->is_dtz;
    if (!file->is_dtz && file->material.men > count->tables.men)
        count->tables.men = file->material.men;
    return true;
}

/* Makes the library map the table now: it does so at the first probe of a table, without a lock.
 * The position has no captures, because a winning capture would answer the probe without this
 * table. */
static bool touch_table(void *ctx, const SyzygyFile *file)
{
    (void)ctx;
    Position pos;
    if (!file->is_dtz && file->material.men <= (int)TB_LARGEST &&
        syzygy_material_quiet(&file->material, &pos))
        syzygy_probe(&pos);
    return true;
}

/* Copies the list without empty names: after an empty name, the library reads beyond the end of the
 * list. The caller frees the copy. NULL when out of memory. */
static char *clean_list(const char *folders)
{
    char *const clean = malloc(strlen(folders) + 1);
    size_t length = 0;
    for (; clean != NULL && *folders != '\0'; folders++) {
        const bool is_end = folders[1] == FILE_LIST_SEPARATOR || folders[1] == '\0';
        if (*folders != FILE_LIST_SEPARATOR || (length > 0 && !is_end))
            clean[length++] = *folders;
    }
    if (clean != NULL)
        clean[length] = '\0';
    return clean;
}

/* tb_init() always returns true, and an empty path does not close the old tables. So an empty path
 * is never passed, and callers must not probe while syzygy_open() has found nothing. */
static bool init_library(const char *folders, char *error)
{
    char *const list = file_list_for_library(folders);
    if (list == NULL) {
        snprintf(error, SYZYGY_ERROR_MAX, "%s",
                 errno == EILSEQ ? "libfathom cannot open a folder of this name; rename it"
                                 : "no memory");
        return false;
    }
    const int kept = file_mute_stderr(); // a false warning for each table that is closed
    tb_init(list);
    file_unmute_stderr(kept);
    free(list);
    return true;
}

bool syzygy_open(const char *folders, SyzygyTables *found, char *error)
{
    char reason[SYZYGY_ERROR_MAX] = "";
    TableCount count = {.error = reason};
    *found = (SyzygyTables){0};
    char *const clean = clean_list(folders);
    if (clean == NULL)
        snprintf(error, SYZYGY_ERROR_MAX, "no memory");
    else if (!syzygy_files_visit(clean, count_file, &count, error)) {
        if (*reason != '\0')
            memcpy(error, reason, sizeof reason);
    } else if (count.names.is_cut)
        snprintf(error, SYZYGY_ERROR_MAX, "no memory");
    else if (count.tables.men == 0)
        snprintf(error, SYZYGY_ERROR_MAX, "there are no tables in '%.400s'", clean);
    else if (init_library(clean, error)) {
        syzygy_files_visit(clean, touch_table, NULL, error);
        if ((int)TB_LARGEST == count.tables.men)
            *found = count.tables;
        else
            snprintf(error, SYZYGY_ERROR_MAX, "libfathom finds tables of %u men, not %d",
                     TB_LARGEST, count.tables.men);
    }
    strbuf_free(&count.names);
    free(clean);
    return found->men > 0;
}

SyzygyWdl syzygy_probe(const Position *pos)
{
    const unsigned answer =
        tb_probe_wdl(BOARD(pos), 0, pos->castling, ep_square(pos), pos->side == WHITE);
    return answer == TB_RESULT_FAILED ? SYZYGY_UNKNOWN : (SyzygyWdl)((int)answer - TB_DRAW);
}

/* Returns true if `move` has these squares and this promotion (0 none, 1 queen .. 4 knight), as the
 * library writes a move. */
static bool is_same_move(Move move, unsigned from, unsigned to, unsigned promotes)
{
    const unsigned own =
        move_kind(move) == KIND_PROMOTION ? (unsigned)(QUEEN + 1 - move_promoted(move)) : 0;
    return (unsigned)move_from(move) == from && (unsigned)move_to(move) == to && own == promotes;
}

/* Returns the library's entry of a move, or NULL. */
static const struct TbRootMove *find_ranked(const struct TbRootMoves *list, Move move)
{
    for (unsigned i = 0; i < list->size; i++) {
        const TbMove m = list->moves[i].move;
        if (is_same_move(move, TB_MOVE_FROM(m), TB_MOVE_TO(m), TB_MOVE_PROMOTES(m)))
            return &list->moves[i];
    }
    return NULL;
}

/* Ranks the moves by DTZ or, if a DTZ table is missing, by WDL. */
static void rank_moves(const Position *pos, bool rule50, bool has_repeated, SyzygyView *view)
{
    struct TbRootMoves list; // 102 kB on the stack
    const bool white = pos->side == WHITE;
    const unsigned clock = rule50_counter(pos), castling = pos->castling, ep = ep_square(pos);
    if (tb_probe_root_dtz(BOARD(pos), clock, castling, ep, white, has_repeated, rule50, &list))
        view->source = SYZYGY_BY_DTZ;
    else if (tb_probe_root_wdl(BOARD(pos), clock, castling, ep, white, rule50, &list))
        view->source = SYZYGY_BY_WDL;
    else
        return;
    for (int i = 0; i < view->count; i++) {
        const struct TbRootMove *const ranked = find_ranked(&list, view->moves[i].move);
        if (ranked == NULL) { // the lists of moves differ: use no rank
            view->source = SYZYGY_BY_NOTHING;
            return;
        }
        view->moves[i].rank = ranked->tbRank;
    }
}

/* Probes the distances to a zeroing move of the position and its moves. */
static void look_up_distances(const Position *pos, SyzygyView *view)
{
    unsigned results[TB_MAX_MOVES];
    const unsigned answer = tb_probe_root(BOARD(pos), rule50_counter(pos), pos->castling,
                                          ep_square(pos), pos->side == WHITE, results);
    if (answer == TB_RESULT_FAILED || view->count == 0)
        return;
    view->has_dtz = true;
    view->dtz = (int)TB_GET_DTZ(answer) * (TB_GET_WDL(answer) < TB_DRAW ? -1 : 1);
    for (const unsigned *r = results; *r != TB_RESULT_FAILED; r++)
        for (int i = 0; i < view->count; i++)
            if (is_same_move(view->moves[i].move, TB_GET_FROM(*r), TB_GET_TO(*r),
                             TB_GET_PROMOTES(*r)))
                view->moves[i].dtz = (int)TB_GET_DTZ(*r) * (TB_GET_WDL(*r) < TB_DRAW ? -1 : 1);
}

void syzygy_look_up(const Position *pos, bool rule50, bool has_repeated, SyzygyView *view)
{
    Move moves[MAX_MOVES];
    *view = (SyzygyView){.wdl = syzygy_probe(pos)};
    if (view->wdl == SYZYGY_UNKNOWN)
        return; // even if the tables contain all its moves
    view->count = gen_legal(pos, moves);
    for (int i = 0; i < view->count; i++) {
        Position after;
        pos_play(&after, pos, moves[i]);
        const SyzygyWdl reply = syzygy_probe(&after);
        view->moves[i] = (SyzygyMove){
            .move = moves[i],
            .wdl = reply == SYZYGY_UNKNOWN ? SYZYGY_UNKNOWN : (SyzygyWdl) - (int)reply,
        };
    }
    rank_moves(pos, rule50, has_repeated, view);
    if (view->source == SYZYGY_BY_NOTHING)
        view->count = 0;
    else
        look_up_distances(pos, view);
}
