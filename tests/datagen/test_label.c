// SPDX-License-Identifier: GPL-3.0-or-later
#include "datagen/label.h"

#include <check.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "chess/chess960.h"
#include "chess/epd.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/see.h"
#include "datagen/game.h"
#include "datagen/generate.h"
#include "eval/bootstrap.h"
#include "whole_file.h"

static const EvalSource SOURCE = {.bootstrap = bootstrap_eval};
static char games[64], other_games[64], out[64];
static char *const paths[] = {games};
static char error[LABEL_ERROR_MAX];

enum { POSITIONS = 32 };

typedef struct {
    Key keys[POSITIONS];
    int count, in_games;
    int number_sum; // of the numbers of these games
} Labelled;

/* Makes a file of 80 short games, from normal and Chess960 arrays. */
static void make_games(const char *path, uint64_t seed)
{
    char reason[GAMEFILE_ERROR_MAX];
    GenerateResult result;
    const GenerateOptions options = {.path = path,
                                     .threads = 1,
                                     .games = 80,
                                     .hash_mib = 1,
                                     .selfplay = {.opening = {.plies = 8, .chess960_percent = 20},
                                                  .soft_nodes = 30,
                                                  .win_score = 1500,
                                                  .hard_nodes = 120,
                                                  .seed = seed},
                                     .eval = &SOURCE,
                                     .is_silent = true};
    ck_assert_msg(generate_games(&options, &result, reason), "%s", reason);
}

/* The games are made once, because that takes longer than most tests, which only read them. */
static void make_common_games(void)
{
    snprintf(games, sizeof games, "/tmp/palimpsest-label-games-%ld", (long)getpid());
    make_games(games, 5);
}

static void remove_common_games(void)
{
    remove(games);
}

static void setup(void)
{
    snprintf(other_games, sizeof other_games, "/tmp/palimpsest-label-other-%ld", (long)getpid());
    snprintf(out, sizeof out, "/tmp/palimpsest-label-%ld.epd", (long)getpid());
}

static void teardown(void)
{
    remove(other_games);
    remove(out);
}

static LabelOptions options_for(int threads)
{
    return (LabelOptions){.out = out,
                          .paths = paths,
                          .path_count = 1,
                          .positions = POSITIONS,
                          .nodes = 400,
                          .seed = 3,
                          .threads = threads,
                          .eval = &SOURCE,
                          .eval_name = "bootstrap",
                          .is_silent = true};
}

static LabelResult label_from(bool is_from_tree, int threads)
{
    LabelOptions options = options_for(threads);
    LabelResult result;
    options.is_from_tree = is_from_tree;
    ck_assert_msg(label_positions(&options, &result, error), "%s", error);
    return result;
}

static LabelResult label(int threads)
{
    return label_from(false, threads);
}

/* Calls `expect` for each labelled position; returns their number. */
static int visit_labels(void (*expect)(const EpdRecord *record))
{
    FILE *const file = fopen(out, "r");
    ck_assert_ptr_nonnull(file);
    EpdRecord record;
    char reason[FEN_ERROR_MAX];
    int count = 0;
    for (; epd_next(file, &record, true, reason) == 1; count++)
        expect(&record);
    fclose(file);
    return count;
}

static void expect_quiet_with_score(const EpdRecord *record)
{
    Move moves[MAX_MOVES];
    char text[EPD_TEXT_MAX];
    const int noisy = gen_noisy(&record->pos, moves);
    ck_assert(!pos_in_check(&record->pos));
    for (int i = 0; i < noisy; i++)
        ck_assert(!see_ge(&record->pos, moves[i], 1));
    ck_assert(epd_operand(record, "ce", text, sizeof text));
}

START_TEST(every_labelled_position_is_quiet_and_has_a_score)
{
    const LabelResult result = label_from(_i == 1, 1);
    ck_assert_int_gt(result.selected, 8);
    ck_assert_int_eq(result.labelled, result.selected);
    ck_assert_int_eq(visit_labels(expect_quiet_with_score), result.labelled);
}
END_TEST

static int in_range[PIECE_COUNT_RANGES]; // labelled positions

static void count_range(const EpdRecord *record)
{
    in_range[pos_piece_count_range(&record->pos)]++;
}

START_TEST(a_number_that_is_no_multiple_of_the_ranges_is_reached)
{
    LabelOptions options = options_for(1);
    LabelResult result;
    options.positions = PIECE_COUNT_RANGES + 3;
    options.nodes = 1;
    ck_assert_msg(label_positions(&options, &result, error), "%s", error);
    memset(in_range, 0, sizeof in_range);
    ck_assert_int_eq(visit_labels(count_range), options.positions);
    for (int i = 0; i < PIECE_COUNT_RANGES; i++)
        ck_assert_int_eq(in_range[i], i < 5 ? 1 : 2);
}
END_TEST

static void expect_standard(const EpdRecord *record)
{
    ck_assert(!pos_needs_chess960(&record->pos));
}

/* So engines that do not know Chess960 can score the labels, too. */
START_TEST(no_position_needs_chess960)
{
    LabelOptions options = options_for(1);
    LabelResult result;
    options.positions = 80 * PIECE_COUNT_RANGES; // all games
    options.nodes = 1;
    ck_assert_msg(label_positions(&options, &result, error), "%s", error);
    const int count = visit_labels(expect_standard);
    ck_assert_int_gt(count, 40);
    ck_assert_int_eq(count, result.labelled);
}
END_TEST

/* A random move that is neither capture nor pawn move; MOVE_NONE when there is none. */
static Move slow_move(const Position *pos, Rng *rng)
{
    Move moves[MAX_MOVES];
    const int count = gen_legal(pos, moves);
    int slow = 0;
    for (int i = 0; i < count; i++)
        if (gamecode_keeps_material(pos, moves[i]) &&
            piece_type(pos_piece_on(pos, move_from(moves[i]))) != PAWN)
            moves[slow++] = moves[i];
    return slow > 0 ? moves[rng_below(rng, (uint64_t)slow)] : MOVE_NONE;
}

/* Writes games of such moves, of up to 80 plies. */
static void make_slow_games(const char *path)
{
    RecordWriter writer;
    Rng rng;
    rng_seed(&rng, 7);
    ck_assert(record_log_append_open(&writer, path, GAMECODE_MAGIC, NULL, error));
    for (uint32_t number = 0; number < 40; number++) {
        SelfplayGame game;
        uint8_t bytes[GAME_MAX_BYTES];
        selfplay_game_start(&game, number, CHESS960_STANDARD, CHESS960_STANDARD);
        while (game.record.plies < 80 && selfplay_game_end(&game) == END_NONE) {
            const Move move = slow_move(&game.pos, &rng);
            if (move == MOVE_NONE)
                break;
            selfplay_game_play(&game, move, 0);
        }
        game.record.result = GAME_DRAW;
        ck_assert(record_log_append(&writer, bytes, gamecode_pack(&game.record, bytes)));
    }
    ck_assert(record_log_append_close(&writer));
}

static void expect_low_counter(const EpdRecord *record)
{
    char text[EPD_TEXT_MAX];
    ck_assert(epd_operand(record, "hmvc", text, sizeof text));
    ck_assert_int_le(atoi(text), 20);
}

START_TEST(no_position_is_close_to_the_fifty_move_rule)
{
    char *const slow[] = {other_games};
    LabelOptions options = options_for(1);
    LabelResult result;
    make_slow_games(other_games);
    options.paths = slow;
    options.nodes = 1;
    options.positions = 40 * PIECE_COUNT_RANGES; // all games
    ck_assert_msg(label_positions(&options, &result, error), "%s", error);
    ck_assert_int_gt(visit_labels(expect_low_counter), 10);
}
END_TEST

/* A GamefileVisit: counts the positions of the game that are labelled. */
static bool count_labelled(void *ctx, const GameRecord *game, const GameBlock *block)
{
    (void)block;
    Labelled *const labelled = ctx;
    SelfplayGame replay;
    selfplay_game_start(&replay, game->number, game->setup[WHITE], game->setup[BLACK]);
    for (int ply = 0; ply < game->plies; ply++) {
        for (int i = 0; i < labelled->count; i++)
            if (labelled->keys[i] == replay.pos.key) {
                labelled->in_games++;
                labelled->number_sum += (int)game->number;
            }
        selfplay_game_play(&replay, game->moves[ply], game->scores[ply]);
    }
    return true;
}

/* Finds the labelled positions in the games. */
static Labelled find_in_games(void)
{
    Labelled labelled = {0};
    GamefileTally tally;
    EpdRecord record;
    char reason[FEN_ERROR_MAX];
    FILE *const file = fopen(out, "r");
    ck_assert_ptr_nonnull(file);
    while (labelled.count < POSITIONS && epd_next(file, &record, false, reason) == 1)
        labelled.keys[labelled.count++] = record.pos.key;
    fclose(file);
    ck_assert(
        gamefile_read(&(GamefileSource){.path = games}, count_labelled, &labelled, &tally, error));
    return labelled;
}

START_TEST(positions_are_drawn_from_games_or_from_searches)
{
    const LabelResult of_games = label_from(false, 1);
    ck_assert_int_ge(find_in_games().in_games, of_games.labelled);
    remove(out);
    const LabelResult of_searches = label_from(true, 1);
    ck_assert_int_eq(of_searches.labelled, of_games.labelled);
    ck_assert_int_lt(find_in_games().in_games, of_games.labelled / 4);
}
END_TEST

START_TEST(every_game_has_the_same_chance)
{
    int found = 0, sum = 0;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        LabelOptions options = options_for(1);
        LabelResult result;
        options.positions = PIECE_COUNT_RANGES; // one for each range: the first game would win
        options.nodes = 1;
        options.seed = seed;
        ck_assert_msg(label_positions(&options, &result, error), "%s", error);
        const Labelled labelled = find_in_games();
        found += labelled.in_games;
        sum += labelled.number_sum;
        remove(out);
    }
    ck_assert_int_gt(found, 40);
    ck_assert_int_gt(sum, 32 * found); // of the numbers 0 to 79
    ck_assert_int_lt(sum, 48 * found);
}
END_TEST

START_TEST(the_file_does_not_depend_on_the_number_of_threads)
{
    size_t size;
    label(1);
    uint8_t *const whole = whole_file_read(out, &size);
    remove(out);
    label(3);
    whole_file_expect(out, whole, size);
    free(whole);
}
END_TEST

START_TEST(an_interrupted_file_is_completed)
{
    size_t size;
    label_from(_i == 1, 1);
    uint8_t *const whole = whole_file_read(out, &size);
    const uint8_t *cut = whole; // after the first line and five positions
    for (int i = 0; i < 6; i++)
        cut = (const uint8_t *)memchr(cut, '\n', size) + 1;
    const int left_of_next_line = _i == 2 ? 10 : 0;
    ck_assert_int_eq(truncate(out, cut - whole + left_of_next_line), 0);
    label_from(_i == 1, 2);
    whole_file_expect(out, whole, size);
    free(whole);
}
END_TEST

/* Labels with a progress bar; returns what it prints, which the caller frees. */
static char *label_with_progress(void)
{
    size_t size;
    LabelOptions options = options_for(1);
    LabelResult result;
    const int kept = dup(STDERR_FILENO);
    const int printed = open(other_games, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    ck_assert(kept >= 0 && printed >= 0 && dup2(printed, STDERR_FILENO) == STDERR_FILENO);
    options.is_silent = false;
    const bool is_done = label_positions(&options, &result, error);
    dup2(kept, STDERR_FILENO);
    close(kept);
    close(printed);
    ck_assert_msg(is_done, "%s", error);
    return (char *)whole_file_read(other_games, &size);
}

/* Else the first estimate of the time left would count the labels in the file as made just now. */
START_TEST(the_progress_of_a_continued_file_begins_at_zero)
{
    size_t size;
    label(1);
    uint8_t *const whole = whole_file_read(out, &size);
    long before_last = (long)size - 1;
    while (whole[before_last - 1] != '\n')
        before_last--;
    free(whole);
    ck_assert_int_eq(truncate(out, before_last), 0);
    char *const text = label_with_progress();
    ck_assert_ptr_nonnull(strstr(text, "searching: done"));
    for (const char *sign = strchr(text, '%'); sign != NULL; sign = strchr(sign + 1, '%'))
        ck_assert_msg(sign - text >= 3 && strncmp(sign - 3, "100", 3) == 0, "%s", text);
    free(text);
}
END_TEST

/* As versions for Windows wrote it. */
START_TEST(an_interrupted_file_with_crlf_line_ends_is_completed)
{
    size_t size;
    label(1);
    uint8_t *const whole = whole_file_read(out, &size);
    FILE *const file = fopen(out, "wb");
    ck_assert_ptr_nonnull(file);
    int lines = 0;
    for (size_t i = 0; lines < 6; i++) {
        lines += whole[i] == '\n';
        fprintf(file, whole[i] == '\n' ? "\r\n" : "%c", whole[i]);
    }
    ck_assert(fputs("rnbqkbnr", file) >= 0 && fclose(file) == 0);
    label(1);
    ck_assert_uint_eq(whole_file_size(out), size + 6);
    free(whole);
}
END_TEST

/* Expects that no labels are made, with `reason` in the error, and that the file stays as it was.
 */
static void expect_refused(const LabelOptions *options, const char *reason)
{
    size_t size;
    LabelResult result;
    uint8_t *const before = whole_file_read(options->out, &size);
    ck_assert(!label_positions(options, &result, error));
    ck_assert_msg(strstr(error, reason) != NULL, "%s", error);
    whole_file_expect(options->out, before, size);
    free(before);
}

START_TEST(a_file_begun_with_other_options_is_refused_and_kept)
{
    LabelOptions options = options_for(1);
    label(1);
    options.nodes = 500;
    expect_refused(&options, "other options");
}
END_TEST

START_TEST(a_file_begun_with_other_games_is_refused_and_kept)
{
    char *const others[] = {other_games};
    LabelOptions options = options_for(1);
    LabelResult result;
    options.positions = PIECE_COUNT_RANGES; // so few that other games give the same number
    ck_assert_msg(label_positions(&options, &result, error), "%s", error);
    make_games(other_games, 6);
    options.paths = others;
    expect_refused(&options, "other options or games");
}
END_TEST

START_TEST(a_file_with_too_many_lines_is_refused)
{
    const LabelOptions options = options_for(1);
    label(1);
    FILE *const file = fopen(out, "a");
    ck_assert(file != NULL && fputs("one more\n", file) >= 0 && fclose(file) == 0);
    expect_refused(&options, "more lines");
}
END_TEST

START_TEST(an_interrupted_first_line_is_completed)
{
    size_t size;
    label(1);
    uint8_t *const whole = whole_file_read(out, &size);
    ck_assert_int_eq(truncate(out, _i == 0 ? 0 : 20), 0);
    label(1);
    whole_file_expect(out, whole, size);
    free(whole);
}
END_TEST

static const char *const OTHER_FILES[] = {"no line end", "# no line end", "a line\nand a tail"};

START_TEST(a_file_of_another_kind_is_refused_and_kept)
{
    const LabelOptions options = options_for(1);
    whole_file_write_text(out, OTHER_FILES[_i]);
    expect_refused(&options, out);
}
END_TEST

START_TEST(the_games_are_not_overwritten)
{
    LabelOptions options = options_for(1);
    options.out = games;
    expect_refused(&options, games);
}
END_TEST

START_TEST(a_file_that_another_process_writes_is_refused)
{
    size_t size;
    const LabelOptions options = options_for(1);
    LabelResult result;
    FILE *const other = fopen(out, "a+");
    ck_assert(other != NULL && file_lock(other));
    ck_assert(!label_positions(&options, &result, error));
    ck_assert_ptr_nonnull(strstr(error, "another process"));
    free(whole_file_read(out, &size));
    ck_assert_uint_eq(size, 0);
    fclose(other);
    label(1);
}
END_TEST

START_TEST(an_interruption_while_the_games_are_read_is_reported)
{
    static atomic_bool stop = true;
    LabelOptions options = options_for(1);
    LabelResult result;
    options.stop = &stop;
    ck_assert(!label_positions(&options, &result, error));
    ck_assert_ptr_nonnull(strstr(error, "interrupted"));
    ck_assert(result.is_stopped);
    ck_assert_int_ne(access(out, F_OK), 0);
}
END_TEST

START_TEST(games_without_a_quiet_position_are_an_error)
{
    char *const others[] = {other_games};
    LabelOptions options = options_for(1);
    LabelResult result;
    RecordWriter writer;
    ck_assert(record_log_append_open(&writer, other_games, GAMECODE_MAGIC, NULL, error));
    ck_assert(record_log_append_close(&writer));
    options.paths = others;
    ck_assert(!label_positions(&options, &result, error));
    ck_assert_ptr_nonnull(strstr(error, "no quiet position"));
    ck_assert(!result.is_stopped);
    ck_assert_int_ne(access(out, F_OK), 0);
}
END_TEST

START_TEST(a_missing_game_file_is_an_error)
{
    LabelOptions options = options_for(1);
    LabelResult result;
    char *const others[] = {other_games};
    options.paths = others;
    ck_assert(!label_positions(&options, &result, error));
    ck_assert_ptr_nonnull(strstr(error, other_games));
}
END_TEST

Suite *suite_label(void);
Suite *suite_label(void)
{
    Suite *suite = suite_create("label");
    TCase *tcase = tcase_create("label");
    tcase_add_unchecked_fixture(tcase, make_common_games, remove_common_games);
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_loop_test(tcase, every_labelled_position_is_quiet_and_has_a_score, 0, 2);
    tcase_add_test(tcase, a_number_that_is_no_multiple_of_the_ranges_is_reached);
    tcase_add_test(tcase, no_position_needs_chess960);
    tcase_add_test(tcase, no_position_is_close_to_the_fifty_move_rule);
    tcase_add_test(tcase, positions_are_drawn_from_games_or_from_searches);
    tcase_add_test(tcase, every_game_has_the_same_chance);
    tcase_add_test(tcase, the_file_does_not_depend_on_the_number_of_threads);
    tcase_add_loop_test(tcase, an_interrupted_file_is_completed, 0, 3);
    tcase_add_test(tcase, the_progress_of_a_continued_file_begins_at_zero);
    tcase_add_test(tcase, an_interrupted_file_with_crlf_line_ends_is_completed);
    tcase_add_test(tcase, a_file_begun_with_other_options_is_refused_and_kept);
    tcase_add_test(tcase, a_file_begun_with_other_games_is_refused_and_kept);
    tcase_add_test(tcase, a_file_with_too_many_lines_is_refused);
    tcase_add_loop_test(tcase, an_interrupted_first_line_is_completed, 0, 2);
    tcase_add_loop_test(tcase, a_file_of_another_kind_is_refused_and_kept, 0,
                        sizeof OTHER_FILES / sizeof OTHER_FILES[0]);
    tcase_add_test(tcase, the_games_are_not_overwritten);
    tcase_add_test(tcase, a_file_that_another_process_writes_is_refused);
    tcase_add_test(tcase, an_interruption_while_the_games_are_read_is_reported);
    tcase_add_test(tcase, games_without_a_quiet_position_are_an_error);
    tcase_add_test(tcase, a_missing_game_file_is_an_error);
    suite_add_tcase(suite, tcase);
    return suite;
}
