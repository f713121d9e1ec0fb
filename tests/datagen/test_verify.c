// SPDX-License-Identifier: GPL-3.0-or-later
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "chess/chess960.h"
#include "chess/notation.h"
#include "datagen/game.h"
#include "datagen/stats.h"
#include "datagen/verify.h"
#include "games/made_tree.h"

enum { TEXT_ROOM = 8192 };

static char folder[64];
static char paths[3][80];
static char error[GAMEFILE_ERROR_MAX];

static void open_folder(void)
{
    snprintf(folder, sizeof folder, "/tmp/palimpsest-test-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    for (int i = 0; i < 3; i++)
        snprintf(paths[i], sizeof paths[i], "%s/%d", folder, i);
}

static void remove_folder(void)
{
    for (int i = 0; i < 3; i++)
        remove(paths[i]);
    remove(folder);
}

/* A game with these moves (SAN with blanks between), adjudicated as `result`. */
static GameRecord make_game(uint32_t number, const char *moves, int result)
{
    SelfplayGame game;
    char text[256];
    snprintf(text, sizeof text, "%s", moves);
    selfplay_game_start(&game, number, CHESS960_STANDARD, CHESS960_STANDARD);
    int score = 10;
    for (char *word = text, *next; word != NULL; word = next) {
        next = strchr(word, ' ');
        if (next != NULL)
            *next++ = '\0';
        const Move move = move_from_san(&game.pos, word);
        ck_assert_msg(move != MOVE_NONE, "%s", word);
        selfplay_game_play(&game, move, score += 5);
    }
    game.record.result = (uint8_t)result;
    return game.record;
}

#define FOOLS_MATE "f3 e5 g4 Qh4"
#define SHUFFLE "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8"

static const struct {
    const char *moves;
    int result;
    const char *fault; // part of the message; NULL: no message
} GAMES[] = {
    {FOOLS_MATE, GAME_BLACK_WINS, NULL},
    {FOOLS_MATE, GAME_WHITE_WINS, "result"},
    {FOOLS_MATE, GAME_DRAW, "result"},
    {"f3 e5 g4 Nc6", GAME_WHITE_WINS, NULL}, // adjudicated
    {SHUFFLE, GAME_DRAW, NULL},
    {SHUFFLE, GAME_BLACK_WINS, "result"},
    {SHUFFLE " e4", GAME_DRAW, "after its end"},
};

START_TEST(games_that_break_the_rules_are_found)
{
    const GameRecord game = make_game(0, GAMES[_i].moves, GAMES[_i].result);
    const char *const fault = verify_game(&game);
    if (GAMES[_i].fault == NULL)
        ck_assert_msg(fault == NULL, "%s", fault);
    else
        ck_assert(fault != NULL && strstr(fault, GAMES[_i].fault) != NULL);
}
END_TEST

static void write_games(const char *path, const GameRecord *games, int count)
{
    RecordWriter writer;
    uint8_t bytes[GAME_MAX_BYTES];
    ck_assert_msg(record_log_append_open(&writer, path, GAMECODE_MAGIC, NULL, error), "%s", error);
    for (int i = 0; i < count; i++)
        ck_assert(record_log_append(&writer, bytes, gamecode_pack(&games[i], bytes)));
    record_log_append_close(&writer);
}

/* Writes one game with random tree nodes and returns their number. If `is_spoilt`, a byte follows
 * the nodes. */
static int write_tree(const char *path, const GameRecord *game, bool is_spoilt)
{
    static TreeNode nodes[TREE_NODES_MAX];
    static uint8_t bytes[GAMEBLOCK_MAX_BYTES + 1];
    RecordWriter writer;
    const int count = made_tree(game, 1, 3, nodes);
    const size_t size = made_block(game, nodes, count, bytes);
    ck_assert_int_gt(count, 0);
    ck_assert_msg(record_log_append_open(&writer, path, GAMECODE_MAGIC, NULL, error), "%s", error);
    bytes[size] = 0;
    ck_assert(record_log_append(&writer, bytes, size + is_spoilt));
    record_log_append_close(&writer);
    return count;
}

/* Adds a block that is no game. */
static void write_nonsense(const char *path)
{
    RecordWriter writer;
    uint8_t bytes[64];
    memset(bytes, 0xff, sizeof bytes);
    ck_assert_msg(record_log_append_open(&writer, path, GAMECODE_MAGIC, NULL, error), "%s", error);
    ck_assert(record_log_append(&writer, bytes, sizeof bytes));
    record_log_append_close(&writer);
}

/* Changes the byte `back` from the end. */
static void spoil(const char *path, long back)
{
    FILE *file = fopen(path, "r+b");
    ck_assert_ptr_nonnull(file);
    fseek(file, -back, SEEK_END);
    const int byte = fgetc(file);
    fseek(file, -back, SEEK_END);
    fputc(byte ^ 1, file);
    fclose(file);
}

START_TEST(an_intact_file_passes_and_a_damaged_one_does_not)
{
    const GameRecord games[] = {make_game(0, FOOLS_MATE, GAME_BLACK_WINS),
                                make_game(1, "e4 e5", GAME_DRAW)};
    FILE *out = tmpfile();
    write_games(paths[0], games, 2);
    ck_assert(verify_file(paths[0], out));
    write_nonsense(paths[0]);
    ck_assert(!verify_file(paths[0], out));
    write_games(paths[1], games, 2);
    spoil(paths[1], 1);
    ck_assert(!verify_file(paths[1], out));
    ck_assert(!verify_file(paths[2], out)); // not there
    const GameRecord wrong = make_game(2, FOOLS_MATE, GAME_DRAW);
    write_games(paths[2], &wrong, 1);
    ck_assert(!verify_file(paths[2], out));
    fclose(out);
}
END_TEST

static bool collect(void *ctx, const GameRecord *game, const GameBlock *block)
{
    GameRecord **next = ctx;
    ck_assert_uint_gt(block->game_size, 0);
    *(*next)++ = *game;
    return true;
}

START_TEST(the_same_moves_from_other_arrays_are_another_game)
{
    GameRecord games[] = {make_game(0, "e4 e5", GAME_DRAW), make_game(1, "e4 e5", GAME_DRAW),
                          make_game(2, "e4 e5", GAME_DRAW)};
    games[1].setup[WHITE] = games[2].setup[BLACK] = 0;
    write_games(paths[0], games, 3);
    char *const from[] = {paths[0]};
    MergeTally merged;
    ck_assert_msg(merge_files(paths[2], from, 1, &merged, error), "%s", error);
    ck_assert_uint_eq(merged.games, 3);
    ck_assert_uint_eq(merged.duplicates, 0);
}
END_TEST

START_TEST(merging_keeps_each_good_game_once)
{
    const GameRecord first[] = {make_game(0, FOOLS_MATE, GAME_BLACK_WINS),
                                make_game(1, "e4 e5", GAME_DRAW),
                                make_game(2, FOOLS_MATE, GAME_WHITE_WINS)};
    const GameRecord second[] = {make_game(0, "e4 e5 Nf3", GAME_DRAW),
                                 make_game(7, "e4 e5", GAME_DRAW),
                                 make_game(8, "d4", GAME_WHITE_WINS)};
    write_games(paths[0], first, 3);
    write_games(paths[1], second, 3);
    write_nonsense(paths[1]);
    char *const from[] = {paths[0], paths[1]};
    MergeTally merged;
    ck_assert_msg(merge_files(paths[2], from, 2, &merged, error), "%s", error);
    ck_assert_uint_eq(merged.games, 4);
    ck_assert_uint_eq(merged.duplicates, 1);
    ck_assert_uint_eq(merged.faulty, 2);

    GameRecord read[8], *next = read;
    GamefileTally tally;
    ck_assert(gamefile_read(&(GamefileSource){.path = paths[2]}, collect, &next, &tally, error));
    ck_assert_uint_eq(tally.games, 4);
    ck_assert_uint_eq(tally.next_number, 4);
    const GameRecord *expected[] = {&first[0], &first[1], &second[0], &second[2]};
    for (int i = 0; i < 4; i++) {
        ck_assert_uint_eq(read[i].number, (unsigned)i);
        ck_assert_uint_eq(read[i].plies, expected[i]->plies);
        ck_assert_uint_eq(read[i].result, expected[i]->result);
        ck_assert_mem_eq(read[i].moves, expected[i]->moves, read[i].plies * sizeof(Move));
    }
    ck_assert_msg(!merge_files(paths[2], from, 2, &merged, error), "a file was written over");
}
END_TEST

START_TEST(merging_replaces_nothing_and_waits_for_nothing)
{
    const GameRecord game = make_game(0, FOOLS_MATE, GAME_BLACK_WINS);
    char *const from[] = {paths[0], paths[0]};
    MergeTally merged;
    write_games(paths[0], &game, 1);
    ck_assert_int_eq(mkfifo(paths[2], 0600), 0);
    ck_assert(!merge_files(paths[2], from, 2, &merged, error));
    ck_assert_ptr_nonnull(strstr(error, "already exists"));
    ck_assert_int_eq(remove(paths[2]), 0);
}
END_TEST

START_TEST(a_merge_under_way_is_left_alone)
{
    const GameRecord game = make_game(0, FOOLS_MATE, GAME_BLACK_WINS);
    char *const from[] = {paths[0]};
    MergeTally merged;
    FileDraft first; // as merge_files() has in another process
    write_games(paths[0], &game, 1);
    ck_assert(file_draft(&first, paths[2]));
    ck_assert(!merge_files(paths[2], from, 1, &merged, error));
    ck_assert_ptr_nonnull(strstr(error, "another process"));
    ck_assert_int_eq(access(first.beside, F_OK), 0);
    ck_assert(file_publish(&first));
    ck_assert(!merge_files(paths[2], from, 1, &merged, error));
    ck_assert_ptr_nonnull(strstr(error, "already exists"));
}
END_TEST

START_TEST(a_file_that_adds_no_game_is_refused)
{
    const GameRecord games[] = {make_game(0, FOOLS_MATE, GAME_BLACK_WINS),
                                make_game(1, "e4 e5", GAME_DRAW)};
    MergeTally merged;
    write_games(paths[0], games, 2);
    write_tree(paths[1], &games[1], false);
    char *const from[] = {paths[0], paths[1]}, *const twice[] = {paths[0], paths[0]};
    ck_assert(!merge_files(paths[2], twice, 2, &merged, error));
    ck_assert_ptr_nonnull(strstr(error, "all of its 2 games are duplicates"));
    ck_assert_int_ne(access(paths[2], F_OK), 0);
    ck_assert(!merge_files(paths[2], from, 2, &merged, error));
    ck_assert_ptr_nonnull(strstr(error, "all of its 1 games are duplicates"));
    ck_assert_ptr_nonnull(strstr(error, paths[1]));
}
END_TEST

START_TEST(the_number_after_the_highest_does_not_wrap)
{
    const GameRecord games[] = {make_game(UINT32_MAX, "e4 e5", GAME_DRAW),
                                make_game(3, "d4", GAME_DRAW)};
    GamefileTally tally;
    write_games(paths[0], games, 2);
    ck_assert(gamefile_read(&(GamefileSource){.path = paths[0]}, NULL, NULL, &tally, error));
    ck_assert_uint_eq(tally.games, 2);
    ck_assert_uint_eq(tally.next_number, UINT64_C(1) << 32);
}
END_TEST

/* A GamefileVisit: copies the tree nodes. */
static bool collect_tree(void *ctx, const GameRecord *game, const GameBlock *block)
{
    GameBlock *const copy = ctx;
    static uint8_t trees[2][TREE_MAX_BYTES];
    uint8_t *const tree = trees[game->number > 0]; // the original has number 5, the copy 0
    memcpy(tree, block->tree, block->tree_size);
    *copy = (GameBlock){.tree = tree, .tree_size = block->tree_size};
    return true;
}

START_TEST(merging_keeps_tree_nodes)
{
    const GameRecord game = make_game(5, "e4 d5 exd5 Qxd5", GAME_DRAW);
    GameBlock before, after;
    GamefileTally tally;
    MergeTally merged;
    write_tree(paths[0], &game, false);
    ck_assert(
        gamefile_read(&(GamefileSource){.path = paths[0]}, collect_tree, &before, &tally, error));
    char *const from[] = {paths[0]};
    ck_assert_msg(merge_files(paths[1], from, 1, &merged, error), "%s", error);
    ck_assert_uint_eq(merged.games, 1);
    ck_assert(
        gamefile_read(&(GamefileSource){.path = paths[1]}, collect_tree, &after, &tally, error));
    ck_assert_uint_eq(tally.next_number, 1);
    ck_assert_uint_gt(after.tree_size, 0);
    ck_assert_uint_eq(after.tree_size, before.tree_size);
    ck_assert_mem_eq(after.tree, before.tree, after.tree_size);
}
END_TEST

START_TEST(invalid_tree_nodes_are_found)
{
    const GameRecord game = make_game(5, "e4 d5 exd5 Qxd5", GAME_DRAW);
    FILE *out = tmpfile();
    write_tree(paths[0], &game, false);
    ck_assert(verify_file(paths[0], out));
    write_tree(paths[1], &game, true);
    ck_assert(!verify_file(paths[1], out));
    fclose(out);
    char *const from[] = {paths[1]};
    MergeTally merged;
    ck_assert(merge_files(paths[2], from, 1, &merged, error));
    ck_assert_uint_eq(merged.faulty, 1);
    ck_assert_uint_eq(merged.games, 0);
}
END_TEST

/* A GamefileVisit: after it, the descriptor `ctx[1]` reads no more. */
static bool break_reading(void *ctx, const GameRecord *game, const GameBlock *block)
{
    const int *const files = ctx;
    ck_assert(game->plies > 0 && block->game_size > 0);
    return dup2(files[0], files[1]) == files[1];
}

START_TEST(a_read_error_is_not_the_end_of_the_games)
{
    enum { COUNT = 2000 }; // more than the buffer of a stream
    const GameRecord game = make_game(0, FOOLS_MATE, GAME_BLACK_WINS);
    uint8_t bytes[GAME_MAX_BYTES];
    RecordWriter writer;
    GamefileTally tally;
    ck_assert(record_log_append_open(&writer, paths[0], GAMECODE_MAGIC, NULL, error));
    for (int i = 0; i < COUNT; i++)
        ck_assert(record_log_append(&writer, bytes, gamecode_pack(&game, bytes)));
    record_log_append_close(&writer);
    int files[2] = {open("/dev/null", O_WRONLY)};
    files[1] = dup(files[0]); // the number that the next open file will get
    close(files[1]);
    ck_assert(
        !gamefile_read(&(GamefileSource){.path = paths[0]}, break_reading, files, &tally, error));
    ck_assert_ptr_nonnull(strstr(error, paths[0]));
    ck_assert_uint_gt(tally.games, 0);
    ck_assert_uint_lt(tally.games, COUNT);
    close(files[0]);
}
END_TEST

START_TEST(a_failed_merge_leaves_no_file)
{
    const GameRecord game = make_game(0, FOOLS_MATE, GAME_BLACK_WINS);
    write_games(paths[0], &game, 1);
    char missing[96], *const from[] = {paths[0], missing};
    snprintf(missing, sizeof missing, "%s/missing", folder);
    MergeTally merged;
    ck_assert(!merge_files(paths[2], from, 2, &merged, error));
    ck_assert_ptr_nonnull(strstr(error, "missing"));
    ck_assert_ptr_null(fopen(paths[2], "rb"));
    ck_assert_int_eq(rmdir(folder) == 0, false); // it still holds the first file
    remove(paths[0]);
    ck_assert_msg(rmdir(folder) == 0, "something was left behind");
}
END_TEST

START_TEST(a_merge_that_cannot_be_written_is_named_with_the_reason)
{
    /* Space for the head of the file but not for a game. */
    const struct rlimit small = {.rlim_cur = 10, .rlim_max = RLIM_INFINITY};
    const struct rlimit unlimited = {.rlim_cur = RLIM_INFINITY, .rlim_max = RLIM_INFINITY};
    const GameRecord game = make_game(0, FOOLS_MATE, GAME_BLACK_WINS);
    char *const from[] = {paths[0]};
    MergeTally merged;
    write_games(paths[0], &game, 1);
    signal(SIGXFSZ, SIG_IGN);
    /* No ck_assert() between the two calls: libcheck writes to a file, too. */
    const int is_limited = setrlimit(RLIMIT_FSIZE, &small);
    const bool is_merged = merge_files(paths[2], from, 1, &merged, error);
    const int is_free = setrlimit(RLIMIT_FSIZE, &unlimited);
    ck_assert_int_eq(is_limited, 0);
    ck_assert_int_eq(is_free, 0);
    ck_assert(!is_merged);
    ck_assert_msg(strstr(error, paths[2]) != NULL, "%s", error);
    ck_assert_msg(strstr(error, strerror(EFBIG)) != NULL, "%s", error);
    ck_assert_int_ne(access(paths[2], F_OK), 0);
}
END_TEST

/* Writes the text of --stats of the first file to `text` (TEXT_ROOM). */
static void print_stats(char *text)
{
    char *const from[] = {paths[0]};
    FILE *const out = tmpfile();
    ck_assert_ptr_nonnull(out);
    ck_assert_msg(stats_print(from, 1, out, error), "%s", error);
    rewind(out);
    text[fread(text, 1, TEXT_ROOM - 1, out)] = '\0';
    fclose(out);
}

START_TEST(stats_count_tree_nodes)
{
    const GameRecord game = make_game(0, "e4 d5 exd5 Qxd5", GAME_DRAW);
    const int count = write_tree(paths[0], &game, false);
    char text[TEXT_ROOM], expected[64];
    print_stats(text);
    snprintf(expected, sizeof expected, "tree       %d nodes, %.2f a kept position: ", count,
             count / 2.0);
    ck_assert_msg(strstr(text, expected) != NULL, "%s", text);
    ck_assert_ptr_null(strstr(text, "damaged"));
    ck_assert_ptr_null(strstr(text, "invalid"));
}
END_TEST

START_TEST(stats_leave_out_invalid_tree_nodes)
{
    const GameRecord games[] = {make_game(0, "e4 d5 exd5 Qxd5", GAME_DRAW),
                                make_game(1, "d4 d5 c4 e6", GAME_DRAW)};
    const int count = write_tree(paths[0], &games[0], false);
    char text[TEXT_ROOM], expected[64];
    write_tree(paths[0], &games[1], true);
    print_stats(text);
    ck_assert_ptr_nonnull(strstr(text, "games      2: "));
    snprintf(expected, sizeof expected, "tree       %d nodes, %.2f a kept position: ", count,
             count / 6.0);
    ck_assert_msg(strstr(text, expected) != NULL, "%s", text);
    ck_assert_msg(strstr(text, "invalid    tree nodes of 1 games") != NULL, "%s", text);
    ck_assert_ptr_null(strstr(text, "damaged"));
}
END_TEST

START_TEST(stats_count_games_and_positions)
{
    const GameRecord games[] = {make_game(0, FOOLS_MATE, GAME_BLACK_WINS),
                                make_game(1, "e4 d5 exd5 Qxd5", GAME_DRAW),
                                make_game(2, "e4 d5 exd5 Qxd5", GAME_DRAW)};
    write_games(paths[0], games, 3);
    char text[TEXT_ROOM];
    print_stats(text);
    ck_assert_ptr_nonnull(strstr(text, "games      3: White 0.0%, drawn 66.7%, Black 33.3%\n"));
    ck_assert_ptr_nonnull(strstr(text, "plies      12, 4.0 a game\n"));
    ck_assert_ptr_nonnull(strstr(text, "positions  8 kept, 2.7 a game, 66.7% of the plies\n"));
    /* The start three times; after e4 twice. */
    ck_assert_ptr_nonnull(strstr(text, "duplicates 37.50% of 8 sampled positions\n"));
    ck_assert_ptr_nonnull(strstr(text, "adjudicated or cut 66.7%, mate 33.3%"));
    ck_assert_ptr_nonnull(strstr(text, "wins       too few games to fit a model\n"));
    ck_assert_ptr_null(strstr(text, "tree"));
}
END_TEST

Suite *suite_datagen_verify(void);
Suite *suite_datagen_verify(void)
{
    Suite *suite = suite_create("datagen_verify");
    TCase *tcase = tcase_create("verify");
    tcase_add_checked_fixture(tcase, open_folder, remove_folder);
    tcase_add_loop_test(tcase, games_that_break_the_rules_are_found, 0,
                        sizeof GAMES / sizeof GAMES[0]);
    tcase_add_test(tcase, an_intact_file_passes_and_a_damaged_one_does_not);
    tcase_add_test(tcase, the_same_moves_from_other_arrays_are_another_game);
    tcase_add_test(tcase, merging_keeps_each_good_game_once);
    tcase_add_test(tcase, merging_replaces_nothing_and_waits_for_nothing);
    tcase_add_test(tcase, a_merge_under_way_is_left_alone);
    tcase_add_test(tcase, a_file_that_adds_no_game_is_refused);
    tcase_add_test(tcase, the_number_after_the_highest_does_not_wrap);
    tcase_add_test(tcase, merging_keeps_tree_nodes);
    tcase_add_test(tcase, invalid_tree_nodes_are_found);
    tcase_add_test(tcase, a_read_error_is_not_the_end_of_the_games);
    tcase_add_test(tcase, a_failed_merge_leaves_no_file);
    tcase_add_test(tcase, a_merge_that_cannot_be_written_is_named_with_the_reason);
    tcase_add_test(tcase, stats_count_tree_nodes);
    tcase_add_test(tcase, stats_leave_out_invalid_tree_nodes);
    tcase_add_test(tcase, stats_count_games_and_positions);
    suite_add_tcase(suite, tcase);
    return suite;
}
