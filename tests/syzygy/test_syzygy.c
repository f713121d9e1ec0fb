// SPDX-License-Identifier: GPL-3.0-or-later
#include "syzygy/syzygy.h"

#include <check.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/thread.h"
#include "chess/game.h"
#include "chess/notation.h"
#include "chess/pos_from_fen.h"
#include "skip.h"
#include "syzygy/root.h"
#include "syzygy/syzygy_fixture.h"

static SyzygyTables tables;

/* Opens tables that must be good. */
static void open_good(const char *folders)
{
    char error[SYZYGY_ERROR_MAX];
    ck_assert_msg(syzygy_open(folders, &tables, error), "%s", error);
}

/* Opens tables that must be refused with a message that contains `wanted`. */
static void open_bad(const char *folders, const char *wanted)
{
    char error[SYZYGY_ERROR_MAX] = "";
    ck_assert_msg(!syzygy_open(folders, &tables, error), "%s is accepted", folders);
    ck_assert_msg(strstr(error, wanted) != NULL, "'%s' lacks '%s'", error, wanted);
    ck_assert_int_eq(tables.men, 0);
    ck_assert_int_eq(tables.wdl_files + tables.dtz_files, 0);
}

static bool is_missing(void)
{
    if (!syzygy_is_linked())
        skip_test("built without libfathom");
    return !syzygy_is_linked();
}

START_TEST(without_the_library_nothing_opens)
{
    if (syzygy_is_linked()) {
        skip_test("built with libfathom");
        return;
    }
    made_tables();
    open_bad(made_folder, "without libfathom");
    const Position pos = pos_from_fen("8/8/8/8/8/2k5/8/K1B5 w - - 0 1");
    SyzygyView view;
    ck_assert_int_eq(syzygy_probe(&pos), SYZYGY_UNKNOWN);
    syzygy_look_up(&pos, true, false, &view);
    ck_assert_int_eq(view.source, SYZYGY_BY_NOTHING);
    ck_assert_int_eq(view.count, 0);
}
END_TEST

START_TEST(tables_that_are_found_are_counted)
{
    if (is_missing())
        return;
    made_tables();
    open_good(made_folder);
    ck_assert_int_eq(tables.men, 3);
    ck_assert_int_eq(tables.wdl_files, 2);
    ck_assert_int_eq(tables.dtz_files, 2);
    const Position pos = pos_from_fen("8/8/8/8/8/2k5/8/K1B5 w - - 0 1");
    ck_assert_int_eq(syzygy_probe(&pos), SYZYGY_DRAW);
}
END_TEST

START_TEST(a_distance_table_alone_adds_no_men)
{
    char path[FILE_PATH_MAX];
    size_t size;
    if (!shared_tables(path))
        return;
    snprintf(path + strlen(path), sizeof path - strlen(path), "/KBBvK.rtbz");
    uint8_t *const bytes = made_read(path, &size);
    made_tables();
    made_write("KBBvK.rtbz", bytes, size);
    open_good(made_folder);
    ck_assert_int_eq(tables.men, 3);
    ck_assert_int_eq(tables.dtz_files, 3);
    free(bytes);
}
END_TEST

START_TEST(a_table_in_two_folders_is_counted_once)
{
    if (is_missing())
        return;
    uint8_t bytes[MADE_TABLE_BYTES];
    char list[512], other[sizeof made_folder];
    made_tables();
    memcpy(other, made_folder, sizeof other);
    made_setup(); // another folder
    made_table(bytes, 'N', false);
    made_write("KNvK.rtbw", bytes, sizeof bytes);
    snprintf(list, sizeof list, "%s:%s:%s", other, made_folder, other);
    open_good(list);
    ck_assert_int_eq(tables.wdl_files, 2);
    ck_assert_int_eq(tables.dtz_files, 2);
    made_write("KNvK.rtbw", bytes, sizeof bytes - 1); // each copy is checked
    open_bad(list, "KNvK.rtbw is cut short");
    made_teardown();
    memcpy(made_folder, other, sizeof other);
}
END_TEST

START_TEST(wrong_folders_are_refused)
{
    if (is_missing())
        return;
    char list[512];
    open_bad("/tmp/no such folder of palimpsest", "cannot read the folder");
    open_bad(made_folder, "there are no tables"); // it is empty
    open_bad(":::", "there are no tables");
    made_tables();
    snprintf(list, sizeof list, "%s:/tmp/no such folder of palimpsest", made_folder);
    open_bad(list, "cannot read the folder");
    snprintf(list, sizeof list, "::%s::", made_folder);
    open_good(list);
    ck_assert_int_eq(tables.wdl_files, 2);
}
END_TEST

/* Kinds of damage to one file among good ones, with the message. */
static const struct {
    size_t size;
    int altered; // index of the changed byte, -1: none
    const char *fault;
} DAMAGES[] = {
    {0, -1, "is empty"},
    {MADE_TABLE_BYTES - 1, -1, "is cut short or too long"},
    {MADE_TABLE_BYTES - 64, -1, "is cut short"},
    {MADE_TABLE_BYTES + 1, -1, "is cut short or too long"},
    {MADE_TABLE_BYTES + 64, -1, "is too long"},
    {MADE_TABLE_BYTES, 0, "has a wrong magic number"},
    {MADE_TABLE_BYTES, 8, "is a table of other material"},
};

START_TEST(one_damaged_file_and_the_whole_path_is_refused)
{
    if (is_missing())
        return;
    const Position pos = pos_from_fen("8/8/8/8/8/2k5/8/K1B5 w - - 0 1");
    for (int is_dtz = 0; is_dtz < 2; is_dtz++) {
        const char *const name = is_dtz ? "KNvK.rtbz" : "KNvK.rtbw";
        char wanted[128];
        uint8_t bytes[MADE_TABLE_BYTES + 64] = {0};
        made_tables();
        open_good(made_folder);
        made_table(bytes, 'N', is_dtz);
        if (DAMAGES[_i].altered >= 0)
            bytes[DAMAGES[_i].altered] ^= 7;
        made_write(name, bytes, DAMAGES[_i].size);
        snprintf(wanted, sizeof wanted, "%s %s (in %s)", name, DAMAGES[_i].fault, made_folder);
        open_bad(made_folder, wanted);
    }
    made_tables();
    open_good(made_folder);
    ck_assert_int_eq(syzygy_probe(&pos), SYZYGY_DRAW);
}
END_TEST

START_TEST(a_folder_with_the_name_of_a_table_is_refused)
{
    if (is_missing())
        return;
    char path[512];
    made_tables();
    snprintf(path, sizeof path, "%s/KQvK.rtbw", made_folder);
    ck_assert_int_eq(mkdir(path, 0700), 0);
    open_bad(made_folder, "KQvK.rtbw is a folder");
}
END_TEST

START_TEST(the_folders_can_be_changed_any_number_of_times)
{
    char shared[FILE_PATH_MAX];
    if (!shared_tables(shared))
        return;
    const Position drawn = pos_from_fen("8/8/8/8/8/2k5/8/K1B5 w - - 0 1");
    const Position won = pos_from_fen("8/8/8/8/8/2k5/7R/K7 w - - 0 1");
    made_tables();
    for (int i = 0; i < 20; i++) {
        open_good(made_folder);
        ck_assert_int_eq(tables.men, 3);
        ck_assert_int_eq(syzygy_probe(&drawn), SYZYGY_DRAW);
        ck_assert_int_eq(syzygy_probe(&won), SYZYGY_UNKNOWN);
        open_bad("/tmp/no such folder of palimpsest", "cannot read");
        open_good(shared);
        ck_assert_int_eq(tables.men, 5);
        ck_assert_int_eq(tables.wdl_files, 46);
        ck_assert_int_eq(tables.dtz_files, 46);
        ck_assert_int_eq(syzygy_probe(&drawn), SYZYGY_DRAW);
        ck_assert_int_eq(syzygy_probe(&won), SYZYGY_WIN);
    }
}
END_TEST

static const char *wdl_digits(SyzygyWdl wdl)
{
    static const char *const digits[] = {"-2", "-1", "0", "1", "2", "-"};
    return digits[wdl + 2];
}

/* The moves of the view as the oracle writes them, sorted by their text. With `top_only`: only the
 * names of the moves of the best rank. */
static void write_moves(const SyzygyView *view, bool top_only, char *out)
{
    char lines[MAX_MOVES][64];
    int count = 0, best = -2000;
    for (int i = 0; i < view->count; i++)
        best = view->moves[i].rank > best ? view->moves[i].rank : best;
    for (int i = 0; i < view->count; i++) {
        const SyzygyMove *const m = &view->moves[i];
        char name[MOVE_TEXT_MAX];
        move_to_uci(m->move, false, name);
        if (top_only && m->rank == best)
            snprintf(lines[count++], 64, "%s", name);
        else if (!top_only)
            snprintf(lines[count++], 64, "%s:%s:%d:%d", name, wdl_digits(m->wdl), m->dtz, m->rank);
    }
    qsort(lines, (size_t)count, sizeof lines[0], (int (*)(const void *, const void *))strcmp);
    *out = '\0';
    for (int i = 0; i < count; i++)
        sprintf(out + strlen(out), "%s%s", i > 0 ? " " : "", lines[i]);
}

static void check_row(const OracleRow *row)
{
    const SyzygyUse use = {.men = tables.men, .depth = 1, .rule50 = true};
    char error[SYZYGY_ERROR_MAX], text[ORACLE_TEXT_MAX], dtz[16] = "-";
    SyzygyView view;
    Path path;
    path_start(&path, &row->pos);
    const bool is_known = syzygy_root_look_up(&use, &row->pos, &path, &view, error);
    ck_assert_msg(is_known == (strcmp(row->tb, "no") != 0), "%s: %s", row->id, error);
    ck_assert_msg(strcmp(wdl_digits(view.wdl), row->wdl) == 0, "%s: WDL %d", row->id, view.wdl);
    if (view.has_dtz)
        snprintf(dtz, sizeof dtz, "%d", view.dtz);
    ck_assert_msg(strcmp(dtz, row->dtz) == 0, "%s: DTZ %s", row->id, dtz);
    if (strcmp(row->tb, "yes") != 0) {
        ck_assert_msg(view.count == 0, "%s has ranked moves", row->id);
        return;
    }
    ck_assert_int_eq(view.source, SYZYGY_BY_DTZ);
    write_moves(&view, false, text);
    ck_assert_msg(strcmp(text, row->moves) == 0, "%s: %s", row->id, text);
    write_moves(&view, true, text);
    ck_assert_msg(strcmp(text, row->top_rank) == 0, "%s: %s", row->id, text);
    int best = -2000;
    for (int i = 0; i < view.count; i++)
        best = view.moves[i].rank > best ? view.moves[i].rank : best;
    const SyzygyWdl outcome = syzygy_outcome(best, true);
    ck_assert_msg(strcmp(wdl_digits(outcome), row->wdl50) == 0, "%s: %d", row->id, outcome);
}

START_TEST(every_row_of_the_oracle_is_reproduced)
{
    int count;
    char path[FILE_PATH_MAX];
    OracleRow *const rows = oracle_read(&count);
    if (rows == NULL)
        return;
    ck_assert(shared_tables(path));
    open_good(path);
    for (int i = 0; i < count; i++)
        check_row(&rows[i]);
    printf("oracle: %d rows reproduced\n", count);
    ck_assert_int_ge(count, 900);
    free(rows);
}
END_TEST

/* Makes a folder without DTZ tables: it has links to the WDL tables only. */
static bool link_wdl(void *ctx, const SyzygyFile *file)
{
    (void)ctx;
    char path[FILE_PATH_MAX], at[FILE_PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", made_folder, file->name);
    if (!file->is_dtz) {
        ck_assert_ptr_nonnull(realpath(file->path, at));
        ck_assert_int_eq(symlink(at, path), 0);
    }
    return true;
}

/* Without the distances the search must still find the way to win: it goes on to probe. */
static void expect_filtered_but_not_known(const Position *pos)
{
    const SyzygyUse use = {.men = tables.men, .depth = 1, .rule50 = true};
    SyzygyRoot root;
    Path path;
    path_start(&path, pos);
    syzygy_root_filter(&use, pos, &path, NULL, 0, 1, &root);
    ck_assert_int_gt(root.move_count, 0);
    ck_assert(!root.is_known);
}

START_TEST(without_dtz_moves_are_ranked_by_wdl)
{
    int count, by_wdl = 0;
    char path[FILE_PATH_MAX], error[SYZYGY_ERROR_MAX];
    OracleRow *const rows = oracle_read(&count);
    if (rows == NULL)
        return;
    ck_assert(shared_tables(path));
    ck_assert(syzygy_files_visit(path, link_wdl, NULL, error));
    open_good(made_folder);
    ck_assert_int_eq(tables.dtz_files, 0);
    for (int i = 0; i < count; i++) {
        if (strcmp(rows[i].tb, "yes") != 0 || rows[i].pos.rule50 != 0)
            continue;
        SyzygyView view;
        syzygy_look_up(&rows[i].pos, true, false, &view);
        if (view.source == SYZYGY_BY_DTZ) { // the distance of draws and zeroing moves is known
            char text[ORACLE_TEXT_MAX];
            write_moves(&view, true, text);
            ck_assert_str_eq(text, rows[i].top_rank);
            continue;
        }
        by_wdl++;
        ck_assert_int_eq(view.source, SYZYGY_BY_WDL);
        ck_assert(!view.has_dtz);
        ck_assert_str_eq(wdl_digits(view.wdl), rows[i].wdl);
        if (view.count > 0)
            expect_filtered_but_not_known(&rows[i].pos);
        for (int j = 0; j < view.count; j++) {
            static const int ranks[] = {-1000, -899, 0, 899, 1000};
            ck_assert_int_eq(view.moves[j].rank, ranks[view.moves[j].wdl + 2]);
        }
    }
    ck_assert_int_gt(by_wdl, 100);
    free(rows);
}
END_TEST

/* A thread that probes all positions of the oracle, from row `from` on, once all threads have
 * started.
 */
typedef struct {
    const OracleRow *rows;
    int count, from, wrong;
    atomic_int *awaited; // threads that have not started yet
} ProbeThread;

static void *probe_all(void *arg)
{
    ProbeThread *const self = arg;
    atomic_fetch_sub(self->awaited, 1);
    while (atomic_load(self->awaited) > 0)
        ;
    for (int i = 0; i < self->count; i++) {
        const OracleRow *const row = &self->rows[(i + self->from) % self->count];
        if (popcount(pos_occupied(&row->pos)) <= tables.men)
            self->wrong += strcmp(wdl_digits(syzygy_probe(&row->pos)), row->wdl) != 0;
    }
    return NULL;
}

START_TEST(threads_can_probe_fresh_tables_at_once)
{
    enum { ROUNDS = 200, THREADS = 2 };
    int count;
    char path[FILE_PATH_MAX];
    OracleRow *const rows = oracle_read(&count);
    if (rows == NULL)
        return;
    ck_assert(shared_tables(path));
    for (int round = 0; round < ROUNDS; round++) {
        Thread threads[THREADS];
        ProbeThread probers[THREADS];
        atomic_int awaited = THREADS;
        open_good(path);
        for (int i = 0; i < THREADS; i++) {
            probers[i] = (ProbeThread){
                .rows = rows, .count = count, .from = round * 17, .awaited = &awaited};
            ck_assert(thread_start(&threads[i], probe_all, &probers[i]));
        }
        for (int i = 0; i < THREADS; i++) {
            thread_join(&threads[i]);
            ck_assert_int_eq(probers[i].wrong, 0);
        }
    }
    free(rows);
}
END_TEST

START_TEST(the_search_probes_only_where_the_result_is_valid)
{
    const SyzygyUse use = {.men = 4, .depth = 6, .rule50 = true};
    const Position four = pos_from_fen("8/8/8/8/1r6/2k5/7R/K7 w - - 0 1");
    const Position three = pos_from_fen("8/8/8/8/8/2k5/7R/K7 w - - 0 1");
    const Position five = pos_from_fen("8/8/8/8/1r5b/2k5/7R/K7 w - - 0 1");
    const Position late = pos_from_fen("8/8/8/8/8/2k5/7R/K7 w - - 1 1");
    const Position castling = pos_from_fen("8/8/8/8/8/2k5/8/4K2R w K - 0 1");
    const SyzygyUse none = {.men = 0, .depth = 1, .rule50 = true};
    ck_assert(syzygy_may_probe(&use, &four, 6));
    ck_assert(!syzygy_may_probe(&use, &four, 5));
    ck_assert(syzygy_may_probe(&use, &three, 1));
    ck_assert(!syzygy_may_probe(&use, &five, 20));
    ck_assert(!syzygy_may_probe(&use, &late, 20));
    ck_assert(!syzygy_may_probe(&use, &castling, 20));
    ck_assert(!syzygy_may_probe(&none, &three, 20));
}
END_TEST

START_TEST(scores_are_those_of_table_wins)
{
    for (int ply = 0; ply <= MAX_PLY; ply++) {
        ck_assert_int_eq(syzygy_score(SYZYGY_WIN, true, ply), SCORE_TB - ply);
        ck_assert_int_eq(syzygy_score(SYZYGY_LOSS, true, ply), ply - SCORE_TB);
        ck_assert_int_eq(syzygy_score(SYZYGY_CURSED_WIN, false, ply), SCORE_TB - ply);
        ck_assert_int_eq(syzygy_score(SYZYGY_BLESSED_LOSS, false, ply), ply - SCORE_TB);
        ck_assert_int_eq(syzygy_score(SYZYGY_DRAW, true, ply), SCORE_DRAW);
        ck_assert_int_eq(syzygy_score(SYZYGY_DRAW, false, ply), SCORE_DRAW);
        ck_assert_int_eq(syzygy_score(SYZYGY_CURSED_WIN, true, ply), SCORE_DRAW + 2);
        ck_assert_int_eq(syzygy_score(SYZYGY_BLESSED_LOSS, true, ply), SCORE_DRAW - 2);
    }
}
END_TEST

START_TEST(ranks_fall_into_bands)
{
    static const struct {
        int rank;
        SyzygyWdl strict, lenient; // with the fifty-move rule, without
    } BANDS[] = {
        {1000, SYZYGY_WIN, SYZYGY_WIN},
        {900, SYZYGY_WIN, SYZYGY_WIN},
        {899, SYZYGY_CURSED_WIN, SYZYGY_WIN},
        {1, SYZYGY_CURSED_WIN, SYZYGY_WIN},
        {0, SYZYGY_DRAW, SYZYGY_DRAW},
        {-1, SYZYGY_BLESSED_LOSS, SYZYGY_LOSS},
        {-899, SYZYGY_BLESSED_LOSS, SYZYGY_LOSS},
        {-900, SYZYGY_LOSS, SYZYGY_LOSS},
        {-1000, SYZYGY_LOSS, SYZYGY_LOSS},
    };
    for (size_t i = 0; i < sizeof BANDS / sizeof BANDS[0]; i++) {
        ck_assert_int_eq(syzygy_outcome(BANDS[i].rank, true), BANDS[i].strict);
        ck_assert_int_eq(syzygy_outcome(BANDS[i].rank, false), BANDS[i].lenient);
    }
}
END_TEST

Suite *suite_syzygy(void);
Suite *suite_syzygy(void)
{
    Suite *const suite = suite_create("syzygy");
    TCase *const tcase = tcase_create("tables");
    tcase_add_checked_fixture(tcase, made_setup, made_teardown);
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, without_the_library_nothing_opens);
    tcase_add_test(tcase, tables_that_are_found_are_counted);
    tcase_add_test(tcase, a_table_in_two_folders_is_counted_once);
    tcase_add_test(tcase, a_distance_table_alone_adds_no_men);
    tcase_add_test(tcase, wrong_folders_are_refused);
    tcase_add_loop_test(tcase, one_damaged_file_and_the_whole_path_is_refused, 0,
                        (int)(sizeof DAMAGES / sizeof DAMAGES[0]));
    tcase_add_test(tcase, a_folder_with_the_name_of_a_table_is_refused);
    tcase_add_test(tcase, the_folders_can_be_changed_any_number_of_times);
    tcase_add_test(tcase, every_row_of_the_oracle_is_reproduced);
    tcase_add_test(tcase, without_dtz_moves_are_ranked_by_wdl);
    tcase_add_test(tcase, threads_can_probe_fresh_tables_at_once);
    suite_add_tcase(suite, tcase);
    TCase *const rules = tcase_create("rules");
    tcase_add_test(rules, the_search_probes_only_where_the_result_is_valid);
    tcase_add_test(rules, scores_are_those_of_table_wins);
    tcase_add_test(rules, ranks_fall_into_bands);
    suite_add_tcase(suite, rules);
    return suite;
}
