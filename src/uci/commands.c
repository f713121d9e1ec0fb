// SPDX-License-Identifier: GPL-3.0-or-later
#include "uci/commands.h"

#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "chess/fen.h"
#include "uci/bench_command.h"
#include "uci/display.h"
#include "uci/divide.h"
#include "uci/go.h"
#include "uci/hash_command.h"
#include "uci/uci.h"

static void run_uci(Session *session, char *arguments)
{
    (void)arguments;
    Block block = {0};
    block_add(&block, "id name " UCI_NAME " " UCI_VERSION "\nid author " UCI_AUTHOR "\n");
    options_print(&block);
    block_add(&block, "uciok\n");
    output_block(&session->out, &block);
}

static void run_isready(Session *session, char *arguments)
{
    (void)arguments;
    output_line(&session->out, "readyok");
}

static void run_ucinewgame(Session *session, char *arguments)
{
    (void)arguments;
    pool_new_game(session->pool);
}

static void run_setoption(Session *session, char *arguments)
{
    if (!options_set(&session->settings, arguments))
        session->failed = true;
}

static void run_position(Session *session, char *arguments)
{
    Block notes = {0};
    if (!setup_parse(&session->setup, arguments, session->settings.chess960, &notes))
        session->failed = true;
    output_block(&session->out, &notes);
}

static void run_go(Session *session, char *arguments)
{
    Go go;
    Block notes = {0};
    go_parse(&go, &session->setup.pos, session->settings.chess960, arguments, &notes);
    output_block(&session->out, &notes);
    session->failed |= go.is_faulty;
    if (go.perft > 0)
        divide_run(session, &session->setup.pos, go.perft);
    else
        session_search(session, &go.limits);
}

static void run_stop(Session *session, char *arguments)
{
    (void)arguments;
    session_stop(session);
}

static void run_ponderhit(Session *session, char *arguments)
{
    (void)arguments;
    session_ponderhit(session);
}

static void run_quit(Session *session, char *arguments)
{
    (void)arguments;
    session_shut(session);
}

static void run_nothing(Session *session, char *arguments)
{
    (void)session;
    (void)arguments;
}

static void run_perft(Session *session, char *arguments)
{
    char error[FEN_ERROR_MAX];
    char *fen = arguments;
    int64_t depth;
    const char *const number = text_word(&fen);
    if (number == NULL || !text_parse_int(number, 1, MAX_DEPTH, &depth)) {
        output_line(&session->out, "info string error: perft needs a depth of 1 or more");
        session->failed = true;
        return;
    }
    Position pos = session->setup.pos;
    fen = text_trim(fen);
    if (*fen != '\0' && !fen_parse(&pos, fen, session->settings.chess960, error)) {
        output_line(&session->out, "info string error: perft: %s", error);
        session->failed = true;
        return;
    }
    divide_run(session, &pos, (int)depth);
}

/* Prints what a display function writes. */
static void show(Session *session, void (*display)(Session *, Block *))
{
    Block block = {0};
    display(session, &block);
    output_block(&session->out, &block);
}

static void run_d(Session *session, char *arguments)
{
    (void)arguments;
    show(session, display_position);
}

static void run_eval(Session *session, char *arguments)
{
    (void)arguments;
    show(session, display_eval);
}

static void run_stats(Session *session, char *arguments)
{
    (void)arguments;
    show(session, display_stats);
}

static void run_compiler(Session *session, char *arguments)
{
    (void)arguments;
    show(session, display_compiler);
}

static void run_help(Session *session, char *arguments);

// clang-format off
static const Command COMMANDS[] = {
    {"uci", run_uci, BY_QUEUE, SEARCH_GOES_ON, false, "", "tell name and options"},
    {"isready", run_isready, BY_SEARCH, SEARCH_GOES_ON, false, "", "answer readyok when all before is done"},
    {"ucinewgame", run_ucinewgame, BY_QUEUE, SEARCH_STOPS, false, "", "forget the last game"},
    {"setoption", run_setoption, BY_QUEUE, SEARCH_ENDS, false, "name <option> [value <x>]", "set an option"},
    {"position", run_position, BY_QUEUE, SEARCH_GOES_ON, false, "startpos | fen <fen> [moves ...]",
     "set up a position"},
    {"go", run_go, BY_QUEUE, SEARCH_STOPS, false,
     "[infinite] [ponder] [depth|nodes|mate|movetime|perft n]\n"
     "            [wtime|btime|winc|binc ms] [movestogo n] [searchmoves ...]",
     "search"},
    {"stop", run_stop, BY_READER, SEARCH_GOES_ON, false, "", "end the search and tell its best move"},
    {"ponderhit", run_ponderhit, BY_READER, SEARCH_GOES_ON, false, "", "the move pondered on was played"},
    {"quit", run_quit, BY_READER, SEARCH_GOES_ON, false, "", "end the program"},
    {"debug", run_nothing, BY_QUEUE, SEARCH_GOES_ON, false, NULL, NULL},
    {"register", run_nothing, BY_QUEUE, SEARCH_GOES_ON, false, NULL, NULL},
    {"d", run_d, BY_QUEUE, SEARCH_GOES_ON, false, "", "show the position and what the table knows of it"},
    {"eval", run_eval, BY_QUEUE, SEARCH_GOES_ON, false, "", "evaluate the position without search"},
    {"perft", run_perft, BY_QUEUE, SEARCH_STOPS, false, "<depth> [fen]", "count the paths of that length"},
    {"bench", bench_command_run, BY_QUEUE, SEARCH_STOPS, false,
     "[hash threads limit default|current|<file> depth|nodes|movetime]",
     "search a set of positions: speed and a node count that never changes"},
    {"stats", run_stats, BY_QUEUE, SEARCH_ENDS, false, "", "show the health of the last search"},
    {"hash", hash_command_run, BY_QUEUE, SEARCH_ENDS, false,
     "stats | probe [fen] | line | top [n] [nodes|depth] | verify", "look into the transposition table"},
    {"wait", run_nothing, BY_QUEUE, SEARCH_ENDS, true, "", "until the search has ended"},
    {"compiler", run_compiler, BY_QUEUE, SEARCH_GOES_ON, false, "", "tell how this program was built"},
    {"help", run_help, BY_QUEUE, SEARCH_GOES_ON, false, "", "show this list"},
};
// clang-format on

enum { COMMAND_COUNT = sizeof COMMANDS / sizeof COMMANDS[0] };

static void run_help(Session *session, char *arguments)
{
    (void)arguments;
    Block block = {0};
    block_add(&block, UCI_NAME " speaks the Universal Chess Interface; its commands are:\n");
    for (int i = 0; i < COMMAND_COUNT; i++)
        if (COMMANDS[i].purpose != NULL)
            block_add(&block, "  %s%s%s\n            %s\n", COMMANDS[i].name,
                      *COMMANDS[i].arguments != '\0' ? " " : "", COMMANDS[i].arguments,
                      COMMANDS[i].purpose);
    output_block(&session->out, &block);
}

/* The command of that name, all of `length` bytes. */
static const Command *command_named(const char *name, size_t length)
{
    for (int i = 0; i < COMMAND_COUNT; i++)
        if (strlen(COMMANDS[i].name) == length && memcmp(COMMANDS[i].name, name, length) == 0)
            return &COMMANDS[i];
    return NULL;
}

const Command *command_find(char **cursor)
{
    static const char blanks[] = " \t\r\v\f\n";
    for (char *word = *cursor; *(word += strspn(word, blanks)) != '\0';) {
        const size_t length = strcspn(word, blanks);
        const Command *const command = command_named(word, length);
        word += length;
        if (command != NULL) {
            *cursor = word;
            return command;
        }
    }
    return NULL;
}

void command_run(Session *session, const Command *command, char *arguments)
{
    if (command == NULL) {
        session->failed = true;
        output_line(&session->out, "info string error: unknown command '%.80s', try help",
                    text_trim(arguments));
        return;
    }
    if (command->fate == SEARCH_STOPS)
        pool_stop(session->pool);
    if (command->fate != SEARCH_GOES_ON)
        session_await(session, !command->is_wait);
    command->run(session, arguments);
}
