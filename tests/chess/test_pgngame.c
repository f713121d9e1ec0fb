// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/pgngame.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chess/fen.h"
#include "chess/pgnwrite.h"
#include "shared_data.h"
#include "short_memory.h"

static PgnGame game;
static StrBuf out;

static void teardown(void)
{
    pgn_game_free(&game);
    strbuf_free(&out);
}

/* Reads the only game of the text. */
static void read_one(const char *text)
{
    PgnReader reader = pgn_reader(text);
    ck_assert_int_eq(pgn_game_read(&reader, &game), 1);
    PgnGame next = {0};
    ck_assert_int_eq(pgn_game_read(&reader, &next), 0);
    pgn_game_free(&next);
}

static const char *text_at(size_t offset)
{
    return game.text.text + offset;
}

static const char *written(const PgnNote *notes)
{
    strbuf_clear(&out);
    pgn_game_write(&out, &game, NULL, 0, notes);
    return out.text;
}

START_TEST(tags_moves_and_result_are_read)
{
    read_one("[Event \"a \\\"b\\\" \\\\\"]\n[White \"Anna\"] \n\n[Black \"say \"x\" twice\"]\n"
             "1. e4 e5 2.Nf3 2... Nc6 3 Bb5 a6 1/2-1/2\n");
    ck_assert_str_eq(game.error, "");
    ck_assert_str_eq(pgn_game_tag(&game, "Event"), "a \"b\" \\");
    ck_assert_str_eq(pgn_game_tag(&game, "White"), "Anna");
    ck_assert_str_eq(pgn_game_tag(&game, "Black"), "say \"x\" twice");
    ck_assert_str_eq(pgn_game_tag(&game, "Site"), "");
    ck_assert_int_eq(game.move_count, 6);
    ck_assert_str_eq(game.result, "1/2-1/2");
    ck_assert_int_eq(game.line, 1);
}
END_TEST

START_TEST(a_tag_ends_with_its_line)
{
    read_one("[White \"Anna\"\r\n[Black \"say\r\n[\"no name\"]\r\n1. e4 *");
    ck_assert_str_eq(pgn_game_tag(&game, "White"), "Anna");
    ck_assert_str_eq(pgn_game_tag(&game, "Black"), "say");
    ck_assert_int_eq(game.tag_count, 2);
    read_one("[White \"Anna\"");
    ck_assert_str_eq(pgn_game_tag(&game, "White"), "Anna");
}
END_TEST

START_TEST(a_tag_without_quotes_keeps_its_value)
{
    read_one("[WhiteElo 2500]\n[White  Anna B. \t]\n[Black Carl\r\n[Site ]\n[Round]\n"
             "[Result 1-0]\n1. e4");
    ck_assert_str_eq(game.error, "");
    ck_assert_str_eq(pgn_game_tag(&game, "WhiteElo"), "2500");
    ck_assert_str_eq(pgn_game_tag(&game, "White"), "Anna B.");
    ck_assert_str_eq(pgn_game_tag(&game, "Black"), "Carl");
    ck_assert_str_eq(pgn_game_tag(&game, "Site"), "");
    ck_assert_int_eq(game.tag_count, 6);
    ck_assert_str_eq(game.result, "1-0");
}
END_TEST

START_TEST(the_names_of_tags_may_have_any_case)
{
    static const char FEN[] = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    char text[200];
    const PgnTagText tag = {"FEN", "x"};
    snprintf(text, sizeof text, "[setup \"1\"]\n[Fen \"%s\"]\n1. e4 *", FEN);
    read_one(text);
    ck_assert_str_eq(game.error, "");
    fen_print(&game.start, false, text);
    ck_assert_str_eq(text, FEN);
    pgn_game_write(&out, &game, &tag, 1, NULL); // replaces
    ck_assert_str_eq(out.text, "[setup \"1\"]\n[FEN \"x\"]\n\n1. e4 *\n\n");
    read_one("[VARIANT \"Atomic\"]\n1. e4 *");
    ck_assert_str_ne(game.error, "");
}
END_TEST

START_TEST(comments_variations_and_glyphs_are_kept)
{
    read_one(
        "{before}\n1. e4 $2 {first\ncomment} (1. d4 {in (it} (1. c4)) $14 e5!? ; to the } end\n"
        "2. Nf3! {x} Nc6 {last} 1-0 {resigns}\n");
    ck_assert_str_eq(game.error, "");
    ck_assert_str_eq(text_at(game.before), "{before}");
    ck_assert_int_eq(game.move_count, 4);
    ck_assert_str_eq(text_at(game.moves[0].after), "{first comment} (1. d4 {in (it} (1. c4))");
    ck_assert_int_eq(game.moves[0].nag_count, 2);
    ck_assert_int_eq(game.moves[0].nags[0], 2);
    ck_assert_int_eq(game.moves[0].nags[1], 14);
    ck_assert_int_eq(game.moves[1].nags[0], 5);
    ck_assert_str_eq(text_at(game.moves[1].after), "{ to the ) end}");
    ck_assert_int_eq(game.moves[2].nags[0], 1);
    ck_assert_str_eq(text_at(game.moves[3].after), "{last} {resigns}");
}
END_TEST

START_TEST(what_was_read_is_written)
{
    read_one("[Event \"a \\\"b\\\" \\\\\"]\n\n{before} 1. e4 $2 {one} (1. d4 d5) e5 2. Nf3 *");
    ck_assert_str_eq(written(NULL), "[Event \"a \\\"b\\\" \\\\\"]\n\n"
                                    "{before} 1. e4 $2 {one} (1. d4 d5) 1... e5 2. Nf3 *\n\n");
}
END_TEST

START_TEST(no_glyph_is_lost)
{
    static const char PGN[] =
        "$3 {before} 1. e4 $1 $2 $3 $4 $5 $6 $7 $8 $10 $11 {after} 1... e5 !!! "
        "2. Nf3 $0\n$256 *\n\n";
    read_one("$3 {before} 1. e4! $2 $3 $4 $5 $6 $7 $8 $10 $11 {after} e5!!! 2. Nf3 $0 $256 *");
    ck_assert_str_eq(game.error, "");
    ck_assert_str_eq(text_at(game.before), "$3 {before}");
    ck_assert_int_eq(game.moves[0].nag_count, PGN_NAGS);
    ck_assert_str_eq(text_at(game.moves[0].after), "$10 $11 {after}");
    ck_assert_str_eq(written(NULL), PGN);
    read_one(PGN);
    ck_assert_str_eq(written(NULL), PGN);
}
END_TEST

START_TEST(words_that_judge_a_position_are_glyphs)
{
    read_one("+/= 1. e4 = e5 += 2. Nf3! +/- Nc6 =/+ 3. Bb5 N a6 -+ 4. Ba4 +- Nf6 -/+ =+ *");
    ck_assert_str_eq(game.error, "");
    ck_assert_str_eq(written(NULL),
                     "$14 1. e4 $10 e5 $14 2. Nf3 $1 $16 Nc6 $15 3. Bb5 $146 a6 $19 4. Ba4 $18 Nf6 "
                     "$17\n$15 *\n\n");
    read_one("1. e4 ~ e5~ 2. Nf3 +-- Nc6 --+ 3. Bb5+-- a6!--+ 4. Ba4 D *");
    ck_assert_str_eq(game.error, "");
    ck_assert_str_eq(written(NULL), "1. e4 $13 e5 $13 2. Nf3 $20 Nc6 $21 3. Bb5 $20 a6 $1 $21 4. "
                                    "Ba4 $220 *\n\n");
}
END_TEST

START_TEST(such_a_word_may_follow_its_move_at_once)
{
    read_one("1.e4= e5!+= 2. Nf3+/- d6?!-/+ 3.Bb5++- c6-+ 4. Nc3!? cxb5=/+ *");
    ck_assert_str_eq(game.error, "");
    ck_assert_str_eq(written(NULL), "1. e4 $10 e5 $1 $14 2. Nf3 $16 d6 $6 $17 3. Bb5+ $18 c6 $19 "
                                    "4. Nc3 $5 cxb5 $15 *\n\n");
    read_one("[FEN \"8/P6k/8/8/8/8/8/K7 w - - 0 1\"]\n1. a8=N+- *");
    ck_assert_str_eq(game.error, "");
    ck_assert_int_eq(game.moves[0].nags[0], 18);
}
END_TEST

START_TEST(a_promotion_may_be_in_brackets)
{
    static const char FEN[] = "[FEN \"1n1n4/P1P5/8/8/8/7k/7p/K7 w - - 0 1\"]\n";
    char text[300];
    snprintf(text, sizeof text, "%s1.axb8(Q)!+- h1(R)+=(1... h1(Q)) 2. Kb2(N) Rh2+ *", FEN);
    read_one(text);
    ck_assert_str_eq(game.error, "");
    strbuf_clear(&out);
    pgn_game_write(&out, &game, &(PgnTagText){"FEN", "x"}, 1, NULL);
    ck_assert_str_eq(
        out.text,
        "[FEN \"x\"]\n\n1. axb8=Q $1 $18 h1=R+ $14 (1... h1(Q)) 2. Kb2 (N) 2... Rh2+ *\n\n");
    snprintf(text, sizeof text, "%s1.axb8 (Q) *", FEN);
    read_one(text);
    ck_assert_str_ne(game.error, "");
}
END_TEST

START_TEST(a_glyph_has_a_number_of_one_byte)
{
    read_one("1. e4 $1 $255 $ e5 *");
    ck_assert_int_eq(game.moves[0].nag_count, 2);
    ck_assert_int_eq(game.moves[0].nags[1], 255);
    ck_assert_str_eq(text_at(game.moves[0].after), ""); // a sign without a number is none
}
END_TEST

START_TEST(an_escaped_line_in_a_variation_is_skipped)
{
    read_one("1. e4 (1. d4\n% escape ) {\nd5\r\n%\r\n2. c4 {a\n% b} %c) e5 *");
    ck_assert_str_eq(game.error, "");
    ck_assert_int_eq(game.move_count, 2);
    ck_assert_str_eq(text_at(game.moves[0].after), "(1. d4  d5    2. c4 {a % b} %c)");
    read_one("1. e4 (1. d4\r% escape )\rd5) e5 *"); // line ends of old Macs
    ck_assert_str_eq(text_at(game.moves[0].after), "(1. d4  d5)");
}
END_TEST

START_TEST(a_line_comment_in_a_variation_may_have_a_bracket)
{
    read_one("1. e4 (1. d4 ; a) or b)\nd5) e5 *");
    ck_assert_str_eq(text_at(game.moves[0].after), "(1. d4 { a) or b)} d5)");
    ck_assert_int_eq(game.move_count, 2);
}
END_TEST

START_TEST(a_comment_may_name_a_tag)
{
    read_one("1. e4 {see [Event \"B\"]} e5 *");
    ck_assert_str_eq(game.error, "");
    ck_assert_int_eq(game.move_count, 2);
    read_one("1. e4 {see\n[Event \"B\"]} e5 {and\n[Event \"C\"]} 2. d4 *");
    ck_assert_str_eq(game.error, "");
    ck_assert_int_eq(game.move_count, 3);
    read_one("1. e4 (1. d4 {see\n[Event \"B\"]} d5 {and\n[Event \"C\"]} 2. c4) e5 *");
    ck_assert_str_eq(game.error, "");
    ck_assert_int_eq(game.move_count, 2);
    ck_assert_str_eq(text_at(game.moves[0].after),
                     "(1. d4 {see [Event \"B\"]} d5 {and [Event \"C\"]} 2. c4)");
    read_one("1. e4 (1. d4 {see\n[Events] and more} d5) e5 *"); // begins no game
    ck_assert_str_eq(game.error, "");
    ck_assert_int_eq(game.move_count, 2);
}
END_TEST

/* Texts of a game, all of two moves. */
static const struct {
    const char *text, *result;
} RESULTS_READ[] = {
    {"1. e4 e5*", "*"},
    {"1. e4 e5!*", "*"},
    {"1. e4 e5 *{comment}", "*"},
    {"1. e4 e5 1/2 - 1/2", "1/2-1/2"},
    {"1. e4 e5 1/2 -1/2 {x}", "1/2-1/2"},
    {"1. e4 e5 1/2", "1/2-1/2"},
    {"1. e4 e5 1 - 0\n", "1-0"},
    {"1. e4 e5 0- 1", "0-1"},
    {"1. e4 e5 1-0{x}", "1-0"},
};

START_TEST(a_result_ends_a_game)
{
    read_one(RESULTS_READ[_i].text);
    ck_assert_str_eq(game.error, "");
    ck_assert_int_eq(game.move_count, 2);
    ck_assert_str_eq(game.result, RESULTS_READ[_i].result);
}
END_TEST

START_TEST(en_passant_may_be_named)
{
    static const char *const TEXTS[] = {"exd6e.p.", "exd6 e.p.", "exd6e.p.!", "exd6 e.p.!"};
    char text[100];
    snprintf(text, sizeof text, "1. e4 a6 2. e5 d5 3. %s *", TEXTS[_i]);
    read_one(text);
    ck_assert_str_eq(game.error, "");
    ck_assert_int_eq(game.move_count, 5);
    ck_assert_int_eq(game.moves[4].nag_count, strchr(TEXTS[_i], '!') != NULL);
}
END_TEST

START_TEST(notes_stand_at_their_moves)
{
    const PgnNote notes[] = {{.comment = "ours", .variation = "1. d4 d5"}, {.nag = 6}, {.nag = 0}};
    const PgnTagText tags[] = {{"Event", "new"}, {"More", "yes"}};
    read_one("[Event \"old\"]\n[Site \"s\"]\n1. e4 $1 {theirs} e5 2. Nf3 *");
    pgn_game_write(&out, &game, tags, 2, notes);
    ck_assert_str_eq(out.text, "[Site \"s\"]\n[Event \"new\"]\n[More \"yes\"]\n\n"
                               "1. e4 $1 {ours} {theirs} (1. d4 d5) 1... e5 $6 2. Nf3 *\n\n");
}
END_TEST

START_TEST(a_black_move_has_its_number_at_the_start_and_after_a_variation)
{
    const PgnNote notes[] = {{0}, {.variation = "2. d4"}, {0}};
    read_one("[FEN \"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\"]\n"
             "1... e5 2. Nf3 Nc6 *");
    ck_assert_ptr_nonnull(strstr(written(notes), "\n1... e5 2. Nf3 (2. d4) 2... Nc6 *\n"));
}
END_TEST

START_TEST(no_line_begins_with_a_percent_sign)
{
    read_one(
        "1. e4 {a b c d e f g h i j k l m n o p q r s t u v w x y z a b c d e f g h i j k %l m "
        "n} *");
    ck_assert_str_eq(written(NULL),
                     "1. e4 {a b c d e f g h i j k l m n o p q r s t u v w x y z a b c "
                     "d e f g h i j k %l\nm n} *\n\n");
}
END_TEST

START_TEST(lines_are_wrapped_but_commands_are_not_cut)
{
    char comment[400] = "";
    for (int i = 0; i < 20; i++)
        strncat(comment, "[%clk 0:10:00] ", sizeof comment - strlen(comment) - 1);
    const PgnNote note = {.comment = comment};
    read_one("1. e4 *");
    const char *const text = written(&note);
    size_t longest = 0;
    for (const char *line = text; *line != '\0';) {
        const size_t length = strcspn(line, "\n");
        longest = length > longest ? length : longest;
        ck_assert_int_ne(*line, '[');
        line += length + (line[length] == '\n');
    }
    ck_assert(strstr(text, "[%clk\n") == NULL);
    ck_assert_uint_gt(longest, 80); // bound to the word before
    read_one(
        "1. Nf3 {a b c d e f g h i j k l m n o p q r s t u v w x y z a b c d e f g h i j k l m "
        "n} *"); // 81 columns up to the k
    ck_assert_str_eq(written(NULL),
                     "1. Nf3 {a b c d e f g h i j k l m n o p q r s t u v w x y z a b c "
                     "d e f g h i j\nk l m n} *\n\n");
}
END_TEST

/* Takes minutes if each word costs a search through the rest of the comment. */
START_TEST(a_comment_of_a_megabyte_is_written_at_once)
{
    enum { WORDS = 1 << 19 };
    static const char *const WORD[] = {"ab ", "[% ", "[x "};
    for (int i = 0; i < 3; i++) {
        StrBuf text = {0};
        strbuf_add(&text, "1. e4 {");
        for (int word = 0; word < WORDS; word++)
            strbuf_add_bytes(&text, WORD[i], 3);
        strbuf_add(&text, "} *");
        read_one(text.text);
        ck_assert_uint_gt(strlen(written(NULL)), 3 * WORDS);
        strbuf_free(&text);
    }
}
END_TEST

static const struct {
    const char *text, *error; // a part of it
} DAMAGED[] = {
    {"1. e4 e5 2. Nf6 Nc6 1-0", "2. Nf6 is illegal or ambiguous"},
    {"1. e4 Ke5 *", "1... Ke5 is illegal or ambiguous"},
    {"1. e4 1-0x *", "1... 1-0x is illegal or ambiguous"},
    {"1. e4 -- 2. d4 *", "the move 1... -- is a null move"},
    {"1. e4 e5 2. Z0! d5 *", "the move 2. Z0 is a null move"},
    {"1. e4 ok *", "1... ok is illegal or ambiguous"},
    {"1. e4 % e5 *", "1... % is illegal or ambiguous"}, // escapes only a whole line
    {"1. e4+=x e5 *", "1. e4+=x is illegal or ambiguous"},
    {"1. Nf3 a6 2. d3 a5 3. Nd2 *", "3. Nd2 is illegal or ambiguous"},
    {"1. e4 a6 2. exd5e.p. *", "2. exd5e.p. is illegal or ambiguous"},
    {"1. e4 {never ends", "a comment without end"},
    {"1. e4 [a note] e5 *", "a bracket in the moves"},
    {"1. e4 (1. d4 {x} (1. c4) ", "a variation without end"},
    {"[FEN \"8/8/8/8 w\"]\n1. e4 *", "the FEN"},
    {"[FEN \"8/8/8/8 w\"]\n*", "the FEN"},
    {"[Variant \"Atomic\"]\n1. e4 *", "the variant Atomic"},
    {"1. f3 e5 2. g4 Qh4# 3. a3 *", "3. a3 is illegal or ambiguous"},
    {"[Variant \"Atomic\"]\n1. e4 {never ends", "the variant Atomic"}, // the first reason
};

START_TEST(damage_is_named)
{
    read_one(DAMAGED[_i].text);
    ck_assert_msg(strstr(game.error, DAMAGED[_i].error) != NULL, "%s", game.error);
}
END_TEST

/* In a variation it is text like any other. */
START_TEST(a_null_move_spoils_no_other_game)
{
    PgnReader reader = pgn_reader("1. e4 -- 2. d4 (2. Nf3) -- {a threat} 1-0\n\n"
                                  "1. d4 (1. -- d5) d5 (1... Z0 2. c4) 2. c4 0-1\n");
    ck_assert_int_eq(pgn_game_read(&reader, &game), 1);
    ck_assert_str_eq(game.error, "the move 1... -- is a null move (a pass)");
    ck_assert_str_eq(game.result, "1-0");
    ck_assert_int_eq(pgn_game_read(&reader, &game), 1);
    ck_assert_str_eq(game.error, "");
    ck_assert_int_eq(game.move_count, 3);
    ck_assert_str_eq(text_at(game.moves[0].after), "(1. -- d5)");
    ck_assert_str_eq(text_at(game.moves[1].after), "(1... Z0 2. c4)");
    ck_assert_int_eq(pgn_game_read(&reader, &game), 0);
}
END_TEST

START_TEST(a_tag_of_any_length_is_kept)
{
    StrBuf text = {0};
    strbuf_add(&text, "[Annotator \"%02000d\"]\n\n1. e4 *\n", 7);
    read_one(text.text);
    ck_assert_uint_eq(strlen(pgn_game_tag(&game, "Annotator")), 2000);
    strbuf_free(&text);
}
END_TEST

START_TEST(the_source_is_the_text_of_the_game)
{
    PgnReader reader = pgn_reader("\n 1. e4 *  \n\n1. d4 *\n");
    ck_assert_int_eq(pgn_game_read(&reader, &game), 1);
    ck_assert_uint_eq(game.source_length, 7);
    ck_assert_int_eq(strncmp(game.source, "1. e4 *", 7), 0);
}
END_TEST

static const struct {
    const char *tags;
    bool chess960;
} VARIANTS[] = {
    {"[Variant \"Chess960\"]\n", true},
    {"[Variant \"chess 960\"]\n", true},
    {"[Variant \"fischerandom\"]\n", true},
    {"[Variant \"Fischerandom\"]\n", true},
    {"[Variant \"Freestyle\"]\n", true},
    {"[Variant \"Standard\"]\n", false},
    {"[Variant \"normal\"]\n", false},
    {"[Variant \"chess\"]\n", false},
    {"[Variant \"?\"]\n", false},
    {"[Variant \"From Position\"]\n", false},
    {"", true}, // the castling rights tell
    {"[Variant \"?\"]\n", true},
    {"[Variant \"From Position\"]\n", true},
};

START_TEST(chess960_is_recognised)
{
    char text[300];
    const char *const fen = VARIANTS[_i].chess960
                                ? "nbbrknrq/pppppppp/8/8/8/8/PPPPPPPP/NBBRKNRQ w KQkq - 0 1"
                                : FEN_START;
    snprintf(text, sizeof text, "%s[FEN \"%s\"]\n1. d4 d5 *", VARIANTS[_i].tags, fen);
    read_one(text);
    ck_assert_str_eq(game.error, "");
    ck_assert_str_eq(game.repairs, "");
    ck_assert_int_eq(game.chess960, VARIANTS[_i].chess960);
}
END_TEST

START_TEST(a_game_of_standard_chess_stays_one)
{
    read_one("[Variant \"Standard\"]\n"
             "[FEN \"nbbrknrq/pppppppp/8/8/8/8/PPPPPPPP/NBBRKNRQ w KQkq - 0 1\"]\n1. d4 *");
    ck_assert_str_eq(game.error, "");
    ck_assert(!game.chess960);
    ck_assert_int_eq(game.start.castling, 0);
}
END_TEST

START_TEST(a_fen_that_needs_a_repair_in_any_case_is_standard_chess)
{
    read_one("[FEN \"4k3/8/8/8/8/8/8/4K3 w K - 0 1\"]\n1. Kd2 *");
    ck_assert_str_eq(game.error, "");
    ck_assert(!game.chess960);
    ck_assert_ptr_nonnull(strstr(game.repairs, "castling right K dropped"));
    read_one("1. e4 *");
    ck_assert_str_eq(game.repairs, "");
}
END_TEST

START_TEST(coordinates_and_other_forms_of_moves_are_read)
{
    read_one("1. e2e4 e7-e5 2. Ng1-f3 Nf6 3. Bc4 Bc5 4. 0-0 o-o *");
    ck_assert_str_eq(game.error, "");
    ck_assert_int_eq(game.move_count, 8);
    ck_assert_str_eq(written(NULL), "1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. O-O O-O *\n\n");
}
END_TEST

START_TEST(a_line_begins_with_the_number_of_its_move)
{
    read_one("[FEN \"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 12\"]\n"
             "12... e5 13. Nf3 Nc6 *");
    Move line[3];
    for (int i = 0; i < 3; i++)
        line[i] = game.moves[i].move;
    pgn_add_line(&out, &game.start, line, 3);
    ck_assert_str_eq(out.text, "12... e5 13. Nf3 Nc6");
}
END_TEST

static const char *const FILES[] = {"games-annotated.pgn", "games-standard.pgn",
                                    "games-chess960.pgn", "pgn-odd-utf8-bom.pgn",
                                    "pgn-odd-chessbase-empty-line.pgn"};

/* Written and read again, each game of the file is the same. */
START_TEST(real_games_survive_a_round_trip)
{
    static const int COUNTS[] = {6, 28, 5, 2, 1};
    StrBuf text = {0};
    PgnGame again = {0};
    int count = 0;
    FILE *const file = shared_open(FILES[_i]);
    if (file == NULL)
        return;
    for (int c = getc(file); c != EOF; c = getc(file)) {
        const char byte = (char)c;
        strbuf_add_bytes(&text, &byte, 1);
    }
    fclose(file);
    for (PgnReader reader = pgn_reader(text.text); pgn_game_read(&reader, &game) > 0; count++) {
        ck_assert_msg(game.error[0] == '\0', "%s", game.error);
        PgnReader second = pgn_reader(written(NULL));
        ck_assert_int_eq(pgn_game_read(&second, &again), 1);
        ck_assert_str_eq(again.error, "");
        ck_assert_int_eq(again.move_count, game.move_count);
        ck_assert_int_eq(again.tag_count, game.tag_count);
        ck_assert_str_eq(again.result, game.result);
        for (int i = 0; i < game.move_count; i++) {
            ck_assert_int_eq(again.moves[i].move, game.moves[i].move);
            ck_assert_int_eq(again.moves[i].nag_count, game.moves[i].nag_count);
        }
        StrBuf third = {0};
        pgn_game_write(&third, &again, NULL, 0, NULL);
        ck_assert_str_eq(third.text, out.text);
        strbuf_free(&third);
    }
    ck_assert_int_eq(count, COUNTS[_i]);
    pgn_game_free(&again);
    strbuf_free(&text);
}
END_TEST

/* There is room for tags, but not for their texts. */
START_TEST(without_memory_no_game_is_read)
{
    static const char TEXT[] = "[White \"a\"]\n\n1. e4 *\n";
    PgnReader reader = pgn_reader(TEXT);
    read_one(TEXT);
    strbuf_free(&game.text);
    if (short_memory_begin()) {
        const int found = pgn_game_read(&reader, &game);
        short_memory_end();
        ck_assert_int_eq(found, -1);
    }
}
END_TEST

Suite *suite_pgngame(void);
Suite *suite_pgngame(void)
{
    Suite *suite = suite_create("pgngame");
    TCase *tcase = tcase_create("pgngame");
    tcase_add_checked_fixture(tcase, NULL, teardown);
    tcase_add_test(tcase, tags_moves_and_result_are_read);
    tcase_add_test(tcase, a_tag_ends_with_its_line);
    tcase_add_test(tcase, a_tag_without_quotes_keeps_its_value);
    tcase_add_test(tcase, the_names_of_tags_may_have_any_case);
    tcase_add_test(tcase, comments_variations_and_glyphs_are_kept);
    tcase_add_test(tcase, what_was_read_is_written);
    tcase_add_test(tcase, no_glyph_is_lost);
    tcase_add_test(tcase, words_that_judge_a_position_are_glyphs);
    tcase_add_test(tcase, such_a_word_may_follow_its_move_at_once);
    tcase_add_test(tcase, a_promotion_may_be_in_brackets);
    tcase_add_test(tcase, a_glyph_has_a_number_of_one_byte);
    tcase_add_test(tcase, an_escaped_line_in_a_variation_is_skipped);
    tcase_add_test(tcase, a_line_comment_in_a_variation_may_have_a_bracket);
    tcase_add_test(tcase, a_comment_may_name_a_tag);
    tcase_add_loop_test(tcase, a_result_ends_a_game, 0,
                        sizeof RESULTS_READ / sizeof RESULTS_READ[0]);
    tcase_add_loop_test(tcase, en_passant_may_be_named, 0, 4);
    tcase_add_test(tcase, notes_stand_at_their_moves);
    tcase_add_test(tcase, a_black_move_has_its_number_at_the_start_and_after_a_variation);
    tcase_add_test(tcase, no_line_begins_with_a_percent_sign);
    tcase_add_test(tcase, lines_are_wrapped_but_commands_are_not_cut);
    tcase_add_test(tcase, a_comment_of_a_megabyte_is_written_at_once);
    tcase_add_loop_test(tcase, damage_is_named, 0, sizeof DAMAGED / sizeof DAMAGED[0]);
    tcase_add_test(tcase, a_null_move_spoils_no_other_game);
    tcase_add_test(tcase, a_tag_of_any_length_is_kept);
    tcase_add_test(tcase, the_source_is_the_text_of_the_game);
    tcase_add_loop_test(tcase, chess960_is_recognised, 0, sizeof VARIANTS / sizeof VARIANTS[0]);
    tcase_add_test(tcase, a_game_of_standard_chess_stays_one);
    tcase_add_test(tcase, a_fen_that_needs_a_repair_in_any_case_is_standard_chess);
    tcase_add_test(tcase, coordinates_and_other_forms_of_moves_are_read);
    tcase_add_test(tcase, a_line_begins_with_the_number_of_its_move);
    tcase_add_loop_test(tcase, real_games_survive_a_round_trip, 0, sizeof FILES / sizeof FILES[0]);
    tcase_add_test(tcase, without_memory_no_game_is_read);
    suite_add_tcase(suite, tcase);
    return suite;
}
