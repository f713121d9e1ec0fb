// SPDX-License-Identifier: GPL-3.0-or-later
#include "uci/uci.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "chess/fen.h"
#include "engine/bench.h"
#include "eval/built_in.h"
#include "search/mateproof.h"
#include "uci/commands/bench.h"
#include "uci/commands/commands.h"
#include "uci/commands/display.h"
#include "uci/commands/speedtest.h"
#include "uci/go.h"
#include "whole_file.h"

/* Parses `text` as the arguments of `go` in the start position; errors are appended to `notes`. */
static GoRequest parse_go(const char *text, StrBuf *notes)
{
    GoRequest go;
    Setup setup;
    setup_init(&setup);
    char *const copy = strdup(text);
    go_parse(&go, &setup.pos, copy, notes);
    free(copy);
    return go;
}

/* The limits of a valid `go`. */
static Limits good_go(const char *text)
{
    StrBuf notes = {0};
    const GoRequest go = parse_go(text, &notes);
    ck_assert_msg(notes.text == NULL, "%s", notes.text);
    ck_assert(!go.is_faulty);
    ck_assert_int_eq(go.perft, 0);
    return go.limits;
}

/* The limits of an invalid `go`. */
static Limits bad_go(const char *text)
{
    StrBuf notes = {0};
    const GoRequest go = parse_go(text, &notes);
    ck_assert_ptr_nonnull(notes.text);
    ck_assert_int_eq(strncmp(notes.text, "info string error: go", 21), 0);
    ck_assert(go.is_faulty);
    strbuf_free(&notes);
    return go.limits;
}

/* A GUI must not see the bytes of a faulty command that an error quotes. */
START_TEST(control_characters_are_not_printed)
{
    char text[64] = "";
    Output out;
    StrBuf buf = {0};
    output_init(&out);
    out.stream = tmpfile();
    ck_assert_ptr_nonnull(out.stream);
    output_line(&out, "%s", "a\n\x1b[b");
    strbuf_add(&buf, "c\r\t\x01\nd\n");
    output_block(&out, &buf);
    rewind(out.stream);
    ck_assert_uint_gt(fread(text, 1, sizeof text - 1, out.stream), 0);
    output_close(&out);
    ck_assert_str_eq(text, "a??[b\nc???\nd\n");
}
END_TEST

/* The evaluation without a piece is that of the position that a FEN without it describes. */
START_TEST(the_value_of_a_piece_counts_the_lines_that_it_blocks)
{
    const EvalSource source = built_in_eval();
    Position pos, fresh;
    char error[FEN_ERROR_MAX], fen[FEN_MAX];
    ck_assert(fen_parse(&pos, "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w - - 0 1",
                        false, error));
    for (Bitboard b = pos_occupied(&pos) & ~pos.by_type[KING]; b;) {
        const Square s = pop_lsb(&b);
        Position without = pos;
        pos_put(&without, pos_piece_on(&pos, s), s);
        fen_print(&without, false, fen);
        ck_assert(fen_parse(&fresh, fen, false, error));
        ck_assert_int_eq(display_eval_without(&source, &pos, s),
                         eval_from_scratch(&source, &fresh));
    }
}
END_TEST

START_TEST(go_without_limits_is_infinite)
{
    ck_assert(good_go("").infinite);
    ck_assert(good_go("searchmoves e2e4").infinite);
    ck_assert(good_go("infinite depth 3").infinite);
    ck_assert(!good_go("depth 3").infinite);
    ck_assert(!good_go("movetime 0").infinite);
    ck_assert(!good_go("wtime 0").infinite);
    const Limits ponder = good_go("ponder");
    ck_assert(ponder.ponder && !ponder.infinite);
}
END_TEST

START_TEST(go_reads_all_limits_in_any_order)
{
    const Limits l = good_go("mate 3 binc 4 winc -0 nodes 5000000000 wtime -6 movestogo 7 depth 8 "
                             "ponder btime 9 movetime 10");
    ck_assert_int_eq(l.mate, 3);
    ck_assert_int_eq(l.increment_ms[BLACK], 4);
    ck_assert_uint_eq(l.nodes, 5000000000);
    ck_assert_int_eq(l.clock_ms[WHITE], -6);
    ck_assert_int_eq(l.clock_ms[BLACK], 9);
    ck_assert_int_eq(l.moves_to_go, 7);
    ck_assert_int_eq(l.depth, 8);
    ck_assert(l.has_move_time);
    ck_assert_int_eq(l.move_ms, 10);
    ck_assert(l.ponder && l.has_clock && !l.has_search_moves);
}
END_TEST

START_TEST(any_time_keyword_makes_a_clock)
{
    static const char *const texts[] = {"wtime 1", "btime 1", "winc 1", "binc 1", "movestogo 1"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        ck_assert(good_go(texts[i]).has_clock);
    ck_assert(!good_go("depth 1").has_clock);
    /* Another limit has priority over a clock without the time of the side to move. */
    ck_assert(!good_go("movetime 5000 winc 0 binc 0").has_clock);
    ck_assert(!good_go("depth 20 movestogo 40").has_clock);
    ck_assert(!good_go("btime 60000 movetime 1000").has_clock);
    ck_assert(good_go("wtime 60000 movetime 1000").has_clock);
    ck_assert(!good_go("infinite wtime 1").has_clock);
    ck_assert(good_go("infinite wtime 1").infinite);
    ck_assert(!good_go("depth 1").has_move_time);
}
END_TEST

START_TEST(search_moves_end_at_the_next_keyword)
{
    const Limits l = good_go("searchmoves e2e4 g1f3 e2e4 depth 3");
    ck_assert_int_eq(l.search_move_count, 2);
    ck_assert_int_eq(l.search_moves[1], move_make(G1, F3, KIND_NORMAL));
    ck_assert_int_eq(l.depth, 3);
}
END_TEST

START_TEST(search_moves_0000_allow_no_move)
{
    const Limits l = good_go("searchmoves 0000 depth 3");
    ck_assert(l.has_search_moves);
    ck_assert_int_eq(l.search_move_count, 0);
}
END_TEST

START_TEST(illegal_search_moves_are_reported_and_not_searched)
{
    const Limits l = bad_go("searchmoves e2e5 d2d4");
    ck_assert(l.has_search_moves);
    ck_assert_int_eq(l.search_move_count, 1);
    ck_assert(!bad_go("searchmoves").has_search_moves);
    ck_assert(!bad_go("searchmoves depth 2").has_search_moves);
}
END_TEST

/* Some programs send all numbers, 0 for those that do not apply. */
START_TEST(beside_a_clock_zero_is_no_limit)
{
    const Limits all = good_go("movetime 0 depth 0 wtime 60000 btime 9000 winc 0 binc 0 "
                               "movestogo 0 nodes 0 mate 0");
    ck_assert(all.has_clock && !all.has_move_time);
    ck_assert(all.depth == 0 && all.nodes == 0 && all.mate == 0);
    ck_assert_int_eq(good_go("wtime 60000 depth 5 nodes 0").depth, 5);
    ck_assert_int_eq(bad_go("btime 60000 depth 0").depth, 1); // White is to move
    ck_assert_int_eq(bad_go("wtime 60000 depth -1").depth, 1);
    const Limits fallen = bad_go("wtime 0 btime 0 depth 0 movetime 0");
    ck_assert(fallen.depth == 1 && fallen.has_move_time && fallen.move_ms == 0);
}
END_TEST

START_TEST(invalid_limit_becomes_the_smallest)
{
    ck_assert_int_eq(bad_go("depth 0").depth, 1);
    ck_assert_int_eq(bad_go("depth -3").depth, 1);
    ck_assert_int_eq(bad_go("depth").depth, 1);
    ck_assert_int_eq(bad_go("depth abc").depth, 1);
    ck_assert_uint_eq(bad_go("nodes 0").nodes, 1);
    ck_assert_int_eq(bad_go("mate 0").mate, 1);
    ck_assert_int_eq(bad_go("wtime 1000 winc -1").increment_ms[WHITE], 0);
    ck_assert_int_eq(bad_go("btime 1000 binc -1").increment_ms[BLACK], 0);
    StrBuf notes = {0};
    ck_assert_int_eq(parse_go("perft 0", &notes).perft, 1);
    strbuf_free(&notes);
    ck_assert(bad_go("movetime -1").has_move_time);
    ck_assert_int_eq(bad_go("movetime -1").move_ms, 0);
    ck_assert_int_eq(bad_go("wtime 1000 btime 1000 movestogo -5").moves_to_go, 0);
    ck_assert_int_eq(good_go("btime -1").clock_ms[BLACK], -1); // the flag has fallen
    const Limits clock = bad_go("wtime");
    ck_assert(clock.has_clock && !clock.infinite);
    const Limits pair = bad_go("wtime btime 5");
    ck_assert_int_eq(pair.clock_ms[WHITE], 0);
    ck_assert_int_eq(pair.clock_ms[BLACK], 5);
}
END_TEST

START_TEST(huge_limits_are_clamped)
{
    ck_assert_int_eq(bad_go("depth 99999999999").depth, MAX_DEPTH);
    ck_assert_int_eq(bad_go("mate 99999999999").mate, MATEPROOF_MOVES_MAX);
    ck_assert_uint_eq(bad_go("nodes 99999999999999999999").nodes, INT64_MAX);
    ck_assert_int_gt(bad_go("wtime 9223372036854775807").clock_ms[WHITE], 0);
    ck_assert_int_gt(bad_go("wtime -9223372036854775808").clock_ms[WHITE], INT64_MIN / 1000);
}
END_TEST

START_TEST(unknown_words_of_go_are_skipped)
{
    const Limits l = bad_go("quickly depth 4 please");
    ck_assert_int_eq(l.depth, 4);
}
END_TEST

START_TEST(go_perft_does_not_search)
{
    StrBuf notes = {0};
    ck_assert_int_eq(parse_go("perft 5", &notes).perft, 5);
    ck_assert_ptr_null(notes.text);
}
END_TEST

/* Runs `position`. */
static bool set_up(Setup *setup, const char *text, bool chess960, StrBuf *notes)
{
    char *const copy = strdup(text);
    const bool is_good = setup_parse(setup, copy, chess960, notes);
    free(copy);
    return is_good;
}

static void assert_fen(const Setup *setup, const char *expected)
{
    char fen[FEN_MAX];
    fen_print(&setup->pos, false, fen);
    ck_assert_str_eq(fen, expected);
    ck_assert_uint_eq(setup->path.keys[setup->path.count - 1], setup->pos.key);
}

/* Arguments that the command `position` accepts without a message. */
static const struct {
    const char *text, *fen;
} GOOD_POSITIONS[] = {
    {"startpos", FEN_START},
    {"startpos moves", FEN_START},
    {"  startpos \t moves  e2e4\r", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"},
    {"fen 4k3/8/8/8/8/8/4P3/4K3 w - - 3 9", "4k3/8/8/8/8/8/4P3/4K3 w - - 3 9"},
    {"fen   4k3/8/8/8/8/8/4P3/4K3   w  -  - ", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"},
    {"fen 4k3/8/8/8/8/8/4P3/4K3 b - - moves", "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1"},
    {"fen 4k3/8/8/8/8/8/4P3/4K3 w - - moves e2e3 e8e7", "8/4k3/8/8/8/4P3/8/4K3 w - - 1 2"},
    {"fen 4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1 moves e1h1", "4k3/8/8/8/8/8/8/R4RK1 b - - 1 1"},
    {"fen 4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1 moves e1c1", "4k3/8/8/8/8/8/8/2KR3R b - - 1 1"},
};

START_TEST(position_is_set_up)
{
    Setup setup;
    StrBuf notes = {0};
    setup_init(&setup);
    ck_assert(set_up(&setup, GOOD_POSITIONS[_i].text, false, &notes));
    ck_assert_msg(notes.text == NULL, "%s", notes.text);
    assert_fen(&setup, GOOD_POSITIONS[_i].fen);
}
END_TEST

static const char *const BAD_POSITIONS[] = {
    "",
    "foo",
    "fen",
    "fen moves e2e4",
    "moves e2e4",
    "fen 8/8/8/8/8/8/8/8 w - - 0 1",
    "fen 4k3/8/8/8/8/8/4P3/4K3",
    "fen 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 and more",
};

START_TEST(bad_position_keeps_the_old_one)
{
    Setup setup;
    StrBuf notes = {0};
    setup_init(&setup);
    ck_assert(set_up(&setup, "startpos moves d2d4", false, &notes));
    ck_assert(!set_up(&setup, BAD_POSITIONS[_i], false, &notes));
    ck_assert_ptr_nonnull(notes.text);
    ck_assert_int_eq(strncmp(notes.text, "info string error: position", 27), 0);
    strbuf_free(&notes);
    assert_fen(&setup, "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1");
}
END_TEST

START_TEST(illegal_move_keeps_the_moves_before_it)
{
    Setup setup;
    StrBuf notes = {0};
    setup_init(&setup);
    ck_assert(!set_up(&setup, "startpos moves e2e4 e7e5 e1e3 g1f3", false, &notes));
    ck_assert_str_eq(notes.text, "info string error: illegal move e1e3 at ply 3\n");
    strbuf_free(&notes);
    assert_fen(&setup, "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2");
}
END_TEST

START_TEST(words_between_startpos_and_moves_are_skipped_and_are_an_error)
{
    Setup setup;
    StrBuf notes = {0};
    setup_init(&setup);
    ck_assert(!set_up(&setup, "startpos e2e4 x moves d2d4", false, &notes));
    ck_assert_str_eq(notes.text,
                     "info string error: position startpos: skipped 'e2e4 x', only the word moves "
                     "may follow\n");
    strbuf_free(&notes);
    assert_fen(&setup, "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1");
}
END_TEST

START_TEST(repaired_fen_is_reported)
{
    Setup setup;
    StrBuf notes = {0};
    setup_init(&setup);
    ck_assert(set_up(&setup, "fen k7/8/8/8/8/8/8/1RK4R w BH - 0 1", false, &notes));
    ck_assert_ptr_nonnull(notes.text);
    ck_assert_int_eq(setup.pos.castling, 0);
    strbuf_free(&notes);
    ck_assert(set_up(&setup, "fen k7/8/8/8/8/8/8/1RK4R w BH - 0 1", true, &notes));
    ck_assert_ptr_null(notes.text);
    ck_assert_int_eq(setup.pos.castling, WHITE_OO | WHITE_OOO);
}
END_TEST

START_TEST(a_game_of_any_length_is_played_out)
{
    enum { ROUNDS = 3000 };
    static const char round[] = " g1f3 g8f6 f3g1 f6g8";
    StrBuf line = {0}, notes = {0};
    Setup setup;
    setup_init(&setup);
    strbuf_add(&line, "startpos moves");
    for (int i = 0; i < ROUNDS; i++)
        strbuf_add(&line, "%s", round);
    ck_assert(set_up(&setup, line.text, false, &notes));
    strbuf_free(&line);
    ck_assert_int_eq(setup.pos.fullmove, 2 * ROUNDS + 1);
    ck_assert_int_ge(path_occurrences(&setup.path, &setup.pos), 2);
}
END_TEST

/* Name of the command found in a line, or "". */
static const char *found(const char *text, char **rest)
{
    static char copy[256];
    text_copy(copy, sizeof copy, text);
    *rest = copy;
    const Command *const command = command_find(rest);
    return command != NULL ? command->name : "";
}

START_TEST(unknown_words_before_a_command_are_skipped)
{
    char *rest;
    ck_assert_str_eq(found("joho debug on", &rest), "debug");
    ck_assert_str_eq(found("\t go  depth 3", &rest), "go");
    ck_assert_str_eq(text_trim(rest), "depth 3");
    ck_assert_str_eq(found("goo depth", &rest), "");
    ck_assert_str_eq(found("", &rest), "");
    ck_assert_str_eq(found("isready isready", &rest), "isready");
    ck_assert_str_eq(found("GO", &rest), "");
}
END_TEST

START_TEST(switches_are_filtered_out)
{
    char a[] = "--key=value", b[] = "position", c[] = "-", d[] = "-3", e[] = "-x";
    char *arguments[] = {a, b, c, d, e};
    int count = 5;
    ck_assert_int_eq(uci_filter_arguments(&count, arguments), CALL_COMMANDS);
    ck_assert_int_eq(count, 3);
    ck_assert_str_eq(arguments[0], "position");
    ck_assert_str_eq(arguments[1], "-");
    ck_assert_str_eq(arguments[2], "-3");
    count = 0;
    ck_assert_int_eq(uci_filter_arguments(&count, arguments), CALL_LOOP);
}
END_TEST

START_TEST(switches_of_a_command_are_kept)
{
    static const char *const NAMES[] = {"suite", "annotate", "bench", "hash",
                                        "tb",    "memory",   "why",   "threat"};
    char first[16], second[] = "--json";
    char *arguments[] = {first, second};
    int count = 2;
    text_copy(first, sizeof first, NAMES[_i]);
    ck_assert_int_eq(uci_filter_arguments(&count, arguments), CALL_COMMANDS);
    ck_assert_int_eq(count, 2);
}
END_TEST

START_TEST(some_switches_override_all_commands)
{
    static const struct {
        const char *name;
        UciCall call;
    } CASES[] = {{"-h", CALL_HELP},
                 {"--help", CALL_HELP},
                 {"-v", CALL_VERSION},
                 {"--version", CALL_VERSION}};
    char first[] = "bench", second[16];
    char *arguments[] = {first, second};
    int count = 2;
    text_copy(second, sizeof second, CASES[_i].name);
    ck_assert_int_eq(uci_filter_arguments(&count, arguments), CASES[_i].call);
}
END_TEST

/* Parses the arguments of `bench`. */
static bool parse_bench(const char *text, BenchOptions *options)
{
    static char copy[256];
    char error[FEN_ERROR_MAX] = "";
    text_copy(copy, sizeof copy, text);
    const bool is_good = bench_parse(options, copy, error);
    ck_assert_int_eq(is_good, *error == '\0');
    return is_good;
}

START_TEST(bench_takes_its_arguments_in_the_usual_order)
{
    BenchOptions o;
    ck_assert(parse_bench("", &o));
    ck_assert_int_eq(o.hash_mib, BENCH_HASH_MIB);
    ck_assert_int_eq(o.threads, 1);
    ck_assert_int_eq(o.limits.depth, BENCH_DEPTH);
    ck_assert_str_eq(o.positions, "default");
    ck_assert(parse_bench("64 2 5000 current nodes", &o));
    ck_assert_int_eq(o.hash_mib, 64);
    ck_assert_int_eq(o.threads, 2);
    ck_assert_uint_eq(o.limits.nodes, 5000);
    ck_assert_int_eq(o.limits.depth, 0);
    ck_assert_str_eq(o.positions, "current");
    ck_assert(!parse_bench("0", &o));
    ck_assert(!parse_bench("16 1025", &o));
    ck_assert(!parse_bench("16 1 x", &o));
    ck_assert(!parse_bench("16 1 5 default feet", &o));
    ck_assert(!parse_bench("16 1 5 default depth extra", &o));
}
END_TEST

static bool parse_speed(const char *text, SpeedtestOptions *options)
{
    static char copy[256];
    char error[FEN_ERROR_MAX] = "";
    text_copy(copy, sizeof copy, text);
    const bool is_good = speedtest_parse(options, copy, error);
    ck_assert_int_eq(is_good, *error == '\0');
    return is_good;
}

START_TEST(speedtest_takes_threads_hash_and_seconds)
{
    SpeedtestOptions o;
    ck_assert(parse_speed("", &o));
    ck_assert_int_eq(o.threads, thread_hardware_count());
    ck_assert_int_eq(o.hash_mib, 128 * o.threads);
    ck_assert_int_eq(o.seconds, 150);
    ck_assert(parse_speed("3 64 7", &o));
    ck_assert_int_eq(o.threads, 3);
    ck_assert_int_eq(o.hash_mib, 64);
    ck_assert_int_eq(o.seconds, 7);
    ck_assert(!parse_speed("3 64 7 extra", &o));
    ck_assert(parse_speed("2", &o));
    ck_assert_int_eq(o.hash_mib, 256);
    ck_assert(!parse_speed("0", &o));
    ck_assert(!parse_speed("1 x", &o));
    ck_assert(!parse_speed("1 16 0", &o));
}
END_TEST

START_TEST(the_reason_of_a_faulty_number_names_its_limits)
{
    char error[FEN_ERROR_MAX], hash[] = "0", threads[] = "1025";
    BenchOptions bench;
    SpeedtestOptions speed;
    ck_assert(!bench_parse(&bench, hash, error));
    ck_assert_str_eq(error, "hash in MiB must be a number from 1 to 33554432");
    ck_assert(!speedtest_parse(&speed, threads, error));
    ck_assert_str_eq(error, "threads must be a number from 1 to 1024");
}
END_TEST

START_TEST(the_readme_names_every_command)
{
    size_t size;
    char *const readme = (char *)whole_file_read("src/uci/README.md", &size);
    const char *const section = strstr(readme, "\n## Commands\n");
    ck_assert_ptr_nonnull(section);
    char *const end = strstr(section + 1, "\n## ");
    ck_assert_ptr_nonnull(end);
    *end = '\0';
    int count;
    const Command *const commands = commands_list(&count);
    for (int i = 0; i < count; i++) {
        char ways[4][64];
        bool is_named = commands[i].purpose == NULL;
        for (int way = 0; way < 4; way++) {
            snprintf(ways[way], sizeof ways[way], "%s%s%s", way & 1 ? " " : "`", commands[i].name,
                     way & 2 ? " " : "`");
            is_named |= strstr(section, ways[way]) != NULL;
        }
        ck_assert_msg(is_named, "the section Commands of src/uci/README.md lacks %s",
                      commands[i].name);
    }
    free(readme);
}
END_TEST

START_TEST(bench_positions_are_valid_and_standard_chess)
{
    int count;
    const char *const *const fens = bench_fens(&count);
    ck_assert_int_ge(count, 40);
    for (int i = 0; i < count; i++) {
        Position pos;
        char error[FEN_ERROR_MAX];
        ck_assert_msg(fen_parse(&pos, fens[i], false, error), "%s: %s", fens[i], error);
        ck_assert_msg(*error == '\0', "%s: %s", fens[i], error);
    }
}
END_TEST

START_TEST(bench_counts_the_same_nodes_twice)
{
    Position roots[3];
    char error[FEN_ERROR_MAX];
    int count;
    for (int i = 0; i < 3; i++)
        ck_assert(fen_parse(&roots[i], bench_fens(&count)[i], false, error));
    const BenchJob job = {
        .hash_mib = 1, .threads = 1, .limits = {.depth = 5}, .roots = roots, .root_count = 3};
    BenchResult first, second;
    ck_assert(bench_run(&job, &first));
    ck_assert(bench_run(&job, &second));
    ck_assert_uint_gt(first.nodes, 100);
    ck_assert_uint_eq(first.nodes, second.nodes);
}
END_TEST

START_TEST(statistics_without_a_search_do_not_divide_by_zero)
{
    const SearchStats none = {0};
    StrBuf buf = {0};
    display_search_stats(&none, &buf);
    ck_assert_ptr_nonnull(strstr(buf.text, "Table hits"));
    ck_assert_ptr_null(strstr(buf.text, "nan"));
    strbuf_free(&buf);
}
END_TEST

Suite *suite_uci(void);
Suite *suite_uci(void)
{
    Suite *const suite = suite_create("uci");
    TCase *const go = tcase_create("go");
    tcase_add_test(go, control_characters_are_not_printed);
    tcase_add_test(go, go_without_limits_is_infinite);
    tcase_add_test(go, go_reads_all_limits_in_any_order);
    tcase_add_test(go, any_time_keyword_makes_a_clock);
    tcase_add_test(go, search_moves_end_at_the_next_keyword);
    tcase_add_test(go, search_moves_0000_allow_no_move);
    tcase_add_test(go, illegal_search_moves_are_reported_and_not_searched);
    tcase_add_test(go, beside_a_clock_zero_is_no_limit);
    tcase_add_test(go, invalid_limit_becomes_the_smallest);
    tcase_add_test(go, huge_limits_are_clamped);
    tcase_add_test(go, unknown_words_of_go_are_skipped);
    tcase_add_test(go, go_perft_does_not_search);
    suite_add_tcase(suite, go);

    TCase *const position = tcase_create("position");
    tcase_add_loop_test(position, position_is_set_up, 0,
                        (int)(sizeof GOOD_POSITIONS / sizeof GOOD_POSITIONS[0]));
    tcase_add_loop_test(position, bad_position_keeps_the_old_one, 0,
                        (int)(sizeof BAD_POSITIONS / sizeof BAD_POSITIONS[0]));
    tcase_add_test(position, illegal_move_keeps_the_moves_before_it);
    tcase_add_test(position, words_between_startpos_and_moves_are_skipped_and_are_an_error);
    tcase_add_test(position, repaired_fen_is_reported);
    tcase_add_test(position, a_game_of_any_length_is_played_out);
    suite_add_tcase(suite, position);

    TCase *const commands = tcase_create("commands");
    tcase_add_test(commands, the_value_of_a_piece_counts_the_lines_that_it_blocks);
    tcase_set_timeout(commands, 30);
    tcase_add_test(commands, unknown_words_before_a_command_are_skipped);
    tcase_add_test(commands, switches_are_filtered_out);
    tcase_add_loop_test(commands, switches_of_a_command_are_kept, 0, 8);
    tcase_add_loop_test(commands, some_switches_override_all_commands, 0, 4);
    tcase_add_test(commands, bench_takes_its_arguments_in_the_usual_order);
    tcase_add_test(commands, speedtest_takes_threads_hash_and_seconds);
    tcase_add_test(commands, the_reason_of_a_faulty_number_names_its_limits);
    tcase_add_test(commands, the_readme_names_every_command);
    tcase_add_test(commands, bench_positions_are_valid_and_standard_chess);
    tcase_add_test(commands, bench_counts_the_same_nodes_twice);
    tcase_add_test(commands, statistics_without_a_search_do_not_divide_by_zero);
    suite_add_tcase(suite, commands);
    return suite;
}
