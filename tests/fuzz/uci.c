// SPDX-License-Identifier: GPL-3.0-or-later
#define _GNU_SOURCE // strcasestr
/* UCI sessions by a grammar: each input byte is a choice, so most lines are nearly correct. */
#include "fuzz.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/notation.h"
#include "chess/play.h"
#include "session.h"
#include "uci/commands/commands.h"
#include "uci/options.h"

#define COUNT(list) (int)(sizeof(list) / sizeof(list)[0])

/* Options that most sessions would not reach by chance. The first byte chooses one of these pairs.
 * "tables" is a link to the folder FUZZ_TABLES of the environment. */
static const char *const FIRST_OPTIONS[][2] = {
    {"", ""},
    {"MemoryFile value m.db", "Memory value learn"},
    {"SyzygyPath value tables", "MultiPV value 2"},
    {"UCI_LimitStrength value true", "UCI_Elo value 1000"},
    {"HashFile value a.hash", "HashFile ReadOnly value false"},
    {"UCI_Chess960 value true", "UCI_ShowWDL value true"},
    {"nodestime value 1", "Ponder value true"},
};

/* The lines. A letter after % stands for: d small number, f FEN, g legal moves of the game, h size
 * of the table, j an option of output, k nodes, l limit of go, L limit of a task, m move, M move
 * that is mostly legal, n any number, o option and its value, p path, r any bytes, s the start
 * position, t threads. */
static const char *const LINES[] = {
    "position %smoves%g",
    "position fen %f moves%g",
    "position fen %f moves %m %m",
    "position %r",
    "go %l nodes %k",
    "go %l %l nodes %k",
    "go searchmoves %m %m %l nodes %k",
    "go ponder %l nodes %k",
    "go infinite",
    "go wtime %k btime %k winc %d binc %d movestogo %d nodes %k",
    "go %l %r nodes %k",
    "setoption name %o",
    "setoption name %o",
    "setoption name Hash value %h",
    "setoption name Threads value %t",
    "setoption name Clear Hash",
    "setoption name Save Hash",
    "setoption name Load Hash",
    "setoption name %r value %n",
    "setoption %r",
    "ucinewgame",
    "isready",
    "stop",
    "ponderhit",
    "wait",
    "d",
    "eval",
    "flip",
    "stats",
    "why %M %L%j",
    "why %m %L",
    "threat %L%j",
    "perft %d",
    "perft %d %f",
    "go perft %d",
    "hash stats",
    "hash probe %f",
    "hash line",
    "hash top %n%j",
    "hash top %d depth",
    "hash live",
    "hash verify",
    "hash verify %p",
    "hash save %p",
    "hash load %p",
    "hash %r",
    "tb %f%j",
    "tb",
    "tb verify %p",
    "memory stats",
    "memory forget",
    "memory list %n%j",
    "memory teach %f %M %n",
    "memory teach %f %M",
    "memory forget %f",
    "memory forget all",
    "memory export %p",
    "memory import %p",
    "memory %r",
    "suite %p %L",
    "suite in.epd %L --csv %p",
    "suite in.epd %L --json %r",
    "annotate in.pgn %p %L",
    "annotate %p %L --json",
    "genfens 1 seed %n",
    "genfens %d seed %n book in.epd plies %d frc",
    "bench 1 1 1 current depth",
    "bench %d %d %d current nodes%j",
    "bench 1 1 %d %p nodes",
    "export_net %p",
    "tunables",
    "cpu",
    "compiler",
    "license",
    "uci",
    "help",
    "quit",
    "%r",
};

static const char *const FENS[] = {
    FEN_START,
    "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/1p6/p7/P2k4/8/1P2K3/8/8 w - - 99 70",
    "7k/8/6K1/8/8/8/8/5R2 w - - 0 1",
    "k7/2Q5/1K6/8/8/8/8/8 b - - 0 1",
    "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "8/8/8/8/8/8/8/8 w - - 0 1",
    "8/8/8/3k4/8/8/1R6/K7 w - - 0 1",
    "8/8/8/3k4/8/2n5/1Q6/K7 b - - 30 1",
    "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
    "qqqqqqqk/qqqqqqqq/8/8/8/8/QQQQQQQQ/QQQQQQQK w - - 0 1",
    "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2",
    "K1k5/P7/8/8/8/8/8/8 w - - 255 65535",
    "",
};

static const char *const NUMBERS[] = {
    "0",
    "1",
    "-1",
    "2",
    "7",
    "40",
    "100",
    "255",
    "256",
    "1000",
    "65536",
    "2147483647",
    "2147483648",
    "-2147483648",
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775808",
    "99999999999999999999",
    "1e5",
    "0x10",
    "+3",
    "x",
};

static const char *const LIMITS[] = {
    "depth", "movetime", "wtime", "btime", "winc", "binc", "movestogo", "mate", "nodes",
};

static const char *const PATHS[] = {
    "a.hash", "b.hash", "m.db",          "out.pgn",   "in.pgn",
    "in.epd", "x.csv",  "log.txt",       "/dev/null", "/nonexistent/x",
    ".",      "",       "\"two words\"", "bad.hash",  "net.nnue",
};

static const char *const MOVES[] = {
    "e2e4", "e1g1", "e1h1", "a7a8q", "0000", "e2e5", "Nf3", "O-O", "exd6", "", "e2e4x",
};

static const char *const OUTPUTS[] = {"", " --json"};

static const char *const VALUES[] = {"true", "false", "<empty>", "learn", "read", "Mouse", "New"};

/* The input being read and the line being made. */
typedef struct {
    const uint8_t *next, *end;
    StrBuf line;
    Position pos; // of the game
} Grammar;

static int choose(Grammar *g, int count)
{
    return g->next < g->end ? *g->next++ % count : 0;
}

static void add_bytes(Grammar *g)
{
    for (int left = choose(g, 24); left > 0 && g->next < g->end; left--) {
        const char c = (char)*g->next++;
        /* No other folder, and no new line. */
        strbuf_add_bytes(&g->line, c == '/' || c == '\0' || c == '\n' ? "_" : &c, 1);
    }
}

static void add_number(Grammar *g)
{
    strbuf_add(&g->line, "%s", NUMBERS[choose(g, COUNT(NUMBERS))]);
}

/* Hash and Threads have lines of their own, with small numbers. */
static void add_option(Grammar *g)
{
    int count;
    const Option *const options = options_list(&count);
    const Option *const o = &options[choose(g, count)];
    if (strcmp(o->name, "Hash") == 0 || strcmp(o->name, "Threads") == 0)
        return;
    strbuf_add(&g->line, "%s value ", o->name);
    switch (o->type) {
    case OPTION_STRING: strbuf_add(&g->line, "%s", PATHS[choose(g, COUNT(PATHS))]); break;
    case OPTION_COMBO: strbuf_add(&g->line, "%s", o->choice(choose(g, (int)o->max + 1))); break;
    case OPTION_CHECK: strbuf_add(&g->line, "%s", VALUES[choose(g, COUNT(VALUES))]); break;
    default: add_number(g); break;
    }
}

static void add_move(Grammar *g)
{
    char text[MOVE_TEXT_MAX];
    Move moves[MAX_MOVES];
    const int count = gen_legal(&g->pos, moves);
    if (count == 0 || choose(g, 4) == 0) {
        strbuf_add(&g->line, "%s", MOVES[choose(g, COUNT(MOVES))]);
        return;
    }
    move_to_uci(moves[choose(g, count)], false, text);
    strbuf_add(&g->line, "%s", text);
}

static void set_start(Grammar *g)
{
    char error[FEN_ERROR_MAX];
    fen_parse(&g->pos, FEN_START, false, error);
}

static void add_game(Grammar *g)
{
    for (int left = choose(g, 16); left > 0; left--) {
        char text[MOVE_TEXT_MAX];
        Move moves[MAX_MOVES];
        const int count = gen_legal(&g->pos, moves);
        if (count == 0)
            return;
        const Move move = moves[choose(g, count)];
        move_to_uci(move, false, text);
        strbuf_add(&g->line, " %s", text);
        pos_advance(&g->pos, move);
    }
}

static void add_fen(Grammar *g)
{
    const char *const fen = FENS[choose(g, COUNT(FENS))];
    char error[FEN_ERROR_MAX];
    fen_parse(&g->pos, fen, false, error);
    strbuf_add(&g->line, "%s", fen);
}

static void add_symbol(Grammar *g, char symbol)
{
    StrBuf *const line = &g->line;
    switch (symbol) {
    case 'd': strbuf_add(line, "%d", choose(g, 4)); break;
    case 'f': add_fen(g); break;
    case 'g': add_game(g); break;
    case 'h': strbuf_add(line, "%d", 1 + choose(g, 5)); break;
    case 'j': strbuf_add(line, "%s", OUTPUTS[choose(g, COUNT(OUTPUTS))]); break;
    case 'k': strbuf_add(line, "%d", 1 + 3 * choose(g, 250)); break;
    case 'l':
        strbuf_add(line, "%s ", LIMITS[choose(g, COUNT(LIMITS))]);
        add_number(g);
        break;
    case 'L': strbuf_add(line, "nodes %d", 1 + choose(g, 60)); break;
    case 'm': strbuf_add(line, "%s", MOVES[choose(g, COUNT(MOVES))]); break;
    case 'M': add_move(g); break;
    case 'n': add_number(g); break;
    case 'o': add_option(g); break;
    case 'p': strbuf_add(line, "%s", PATHS[choose(g, COUNT(PATHS))]); break;
    case 'r': add_bytes(g); break;
    case 's':
        set_start(g);
        strbuf_add(line, "startpos ");
        break;
    case 't': strbuf_add(line, "%d", 1 + choose(g, 3)); break;
    default: break;
    }
}

/* True for a line that would take long. */
static bool is_slow(const char *line)
{
    char *const copy = strdup(line), *cursor = copy;
    assert(copy != NULL);
    const Command *const command = command_find(&cursor);
    const char *const name = command != NULL ? command->name : "";
    const bool is_task = strcmp(name, "why") == 0 || strcmp(name, "threat") == 0 ||
                         strcmp(name, "suite") == 0 || strcmp(name, "annotate") == 0;
    const bool is_slow_task = is_task && strstr(cursor, "nodes ") == NULL;
    const bool is_option =
        strcmp(name, "setoption") == 0 && strncmp(line, "setoption name Hash", 19) != 0 &&
        strncmp(line, "setoption name Threads", 22) != 0 &&
        (strcasestr(cursor, "hash ") != NULL || strcasestr(cursor, "threads") != NULL);
    free(copy);
    return is_slow_task || strcmp(name, "speedtest") == 0 || is_option;
}

static char *make_line(Grammar *g)
{
    const char *form = LINES[choose(g, COUNT(LINES))];
    const bool sets_position = strncmp(form, "position", 8) == 0;
    const Position before = g->pos;
    strbuf_clear(&g->line);
    for (; *form != '\0'; form++)
        if (*form != '%')
            strbuf_add_bytes(&g->line, form, 1);
        else
            add_symbol(g, *++form);
    if (!sets_position)
        g->pos = before;
    return g->line.text != NULL && !is_slow(g->line.text) ? strdup(g->line.text) : NULL;
}

static void add_first_options(Grammar *g, char **lines, int *count)
{
    const char *const *const pair = FIRST_OPTIONS[choose(g, COUNT(FIRST_OPTIONS))];
    for (int i = 0; i < 2 && *pair[0] != '\0'; i++) {
        strbuf_clear(&g->line);
        strbuf_add(&g->line, "setoption name %s", pair[i]);
        lines[(*count)++] = strdup(g->line.text);
    }
}

void fuzz_uci(const uint8_t *bytes, size_t size)
{
    static const char PGN[] = "1. e4 e5 2. Nf3 *\n", HASH[] = "PALIHASH damaged";
    static const char EPD[] = "7k/8/6K1/8/8/8/8/5R2 w - - bm Rf8; id \"1\"; ce 5;\n"
                              "4k3/8/8/8/8/8/4P3/4K3 w - - am e3; id \"2\";\nbad\n";
    const char *const tables = getenv("FUZZ_TABLES");
    char *lines[FUZZ_LINES_MAX];
    int count = 1;
    Grammar g = {.next = bytes, .end = bytes + size};
    set_start(&g);
    fuzz_enter_folder();
    fuzz_write_file("in.pgn", PGN, sizeof PGN - 1);
    fuzz_write_file("in.epd", EPD, sizeof EPD - 1);
    fuzz_write_file("bad.hash", HASH, sizeof HASH - 1);
    if (tables != NULL && symlink(tables, "tables") != 0)
        abort();
    lines[0] = strdup("setoption name Hash value 1");
    add_first_options(&g, lines, &count);
    while (g.next < g.end && count < FUZZ_LINES_MAX) {
        lines[count] = make_line(&g);
        count += lines[count] != NULL;
    }
    free(fuzz_session(lines, count));
    for (int i = 0; i < count; i++)
        free(lines[i]);
    strbuf_free(&g.line);
}

static uint8_t number_of(const char *line)
{
    uint8_t number = 0;
    while (strcmp(LINES[number], line) != 0)
        number++;
    return number;
}

void seed_uci(void)
{
    /* Every line once, and once between a position and a search. */
    const uint8_t set = number_of("setoption name %o"), go = number_of("go %l nodes %k");
    for (uint8_t i = 0; i < COUNT(LINES); i++) {
        const uint8_t first = i % COUNT(FIRST_OPTIONS);
        const uint8_t line[] = {first, i, 1, 2, 3, 4, 5, 6, 7};
        const uint8_t three[] = {first, 1, i % COUNT(FENS), 2, 3, 1, i, 3, 2, 1, go, 0, 4, 200};
        fuzz_seed(line, sizeof line);
        fuzz_seed(three, sizeof three);
    }
    for (uint8_t i = 0; i < 64; i++) // options, each with a search after it
        fuzz_seed((const uint8_t[]){0, set, i, (uint8_t)(i * 7), go, 0, 3, 99}, 8);
}
