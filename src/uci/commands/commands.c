// SPDX-License-Identifier: GPL-3.0-or-later
#include "uci/commands/commands.h"

#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "nnue/network.h"
#include "search/params.h"
#include "uci/commands/bench.h"
#include "uci/commands/display.h"
#include "uci/commands/divide.h"
#include "uci/commands/genfens.h"
#include "uci/commands/hash.h"
#include "uci/commands/memory.h"
#include "uci/commands/speedtest.h"
#include "uci/commands/syzygy.h"
#include "uci/go.h"
#include "uci/uci.h"

enum { WARM_UP_MS = 500 }; // that `readyok` may be late: a table of some GiB can be had ready in it

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
    session_new_game(session);
    memory_command_settle(session);
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
    if (go.perft > 0) {
        divide_run(session, &session->setup.pos, go.perft);
        return;
    }
    if (!go.limits.has_clock) // a running clock does not wait for files
        memory_command_settle(session);
    memory_command_tell(session);
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

static void run_wait(Session *session, char *arguments)
{
    (void)arguments;
    memory_command_await(session);
    session->failed |= !engine_await_save(session->engine);
}

static void run_perft(Session *session, char *arguments)
{
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
    if (*fen != '\0' && !session_read_fen(session, "perft", fen, &pos))
        return;
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

static void run_cpu(Session *session, char *arguments)
{
    (void)arguments;
    show(session, display_cpu);
}

static void run_license(Session *session, char *arguments)
{
    (void)arguments;
    show(session, display_license);
}

static void run_flip(Session *session, char *arguments)
{
    (void)arguments;
    setup_flip(&session->setup);
}

/* Writes the network built in to a file, by its own name unless told. */
static void run_export_net(Session *session, char *arguments)
{
    char error[NETWORK_ERROR_MAX], name[NETWORK_NAME_MAX], own_path[NETWORK_NAME_MAX + 8];
    const char *path = text_trim(arguments);
    const Network *const network = network_embedded(error);
    if (network == NULL) {
        output_line(&session->out, "info string error: export_net: no network is built in");
        session->failed = true;
        return;
    }
    if (*path == '\0') {
        network_name(network, name);
        snprintf(own_path, sizeof own_path, "%s.nnue", name);
        path = own_path;
    }
    if (network_save(network, path, error)) {
        output_line(&session->out, "info string the network is in '%s'", path);
        return;
    }
    output_line(&session->out, "info string error: export_net: '%s' %s", path, error);
    session->failed = true;
}

/* The tunables, a line each as tuning programs for SPSA take them: name, type, start, least, most,
 * step at the end (a twentieth of the range) and learning rate at the end. */
static void run_tunables(Session *session, char *arguments)
{
    (void)arguments;
    if (!params_are_tunable) {
        output_line(&session->out, "info string error: tunables: only in a build by make tune");
        session->failed = true;
        return;
    }
    Block block = {0};
    int count;
    const ParamRange *const list = params_list(&count);
    for (int i = 0; i < count; i++)
        block_add(&block, "%s, int, %d, %d, %d, %.2f, 0.002\n", list[i].name, list[i].value,
                  list[i].min, list[i].max, (list[i].max - list[i].min) / 20.0);
    output_block(&session->out, &block);
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
    {"flip", run_flip, BY_QUEUE, SEARCH_GOES_ON, false, "", "exchange the colours of the position"},
    {"eval", run_eval, BY_QUEUE, SEARCH_GOES_ON, false, "", "evaluate the position without search"},
    {"perft", run_perft, BY_QUEUE, SEARCH_STOPS, false, "<depth> [fen]", "count the paths of that length"},
    {"bench", bench_command_run, BY_QUEUE, SEARCH_STOPS, false,
     "[hash threads limit default|current|<file> depth|nodes|movetime]",
     "search a set of positions: speed and a node count that never changes"},
    {"speedtest", speed_command_run, BY_QUEUE, SEARCH_STOPS, false, "[threads hashMB secs]",
     "what this machine can do, to be told to others"},
    {"genfens", genfens_run, BY_QUEUE, SEARCH_STOPS, false,
     "<n> seed <s> [book None|<file>] [plies <n>] [frc|dfrc]", "make openings, for OpenBench"},
    {"stats", run_stats, BY_QUEUE, SEARCH_ENDS, false, "", "show the health of the last search"},
    {"hash", hash_command_run, BY_QUEUE, SEARCH_ENDS, false,
     "stats | probe [fen] | line | top [n] [nodes|depth] | verify [file]\n"
     "            save|load [file]",
     "look into the transposition table; keep it in a file"},
    {"tb", syzygy_command_run, BY_QUEUE, SEARCH_ENDS, false, "[fen] | verify [folders]",
     "ask the tablebases for a position, or read their files"},
    {"memory", memory_command_run, BY_QUEUE, SEARCH_ENDS, false,
     "stats | list [n] | forget all | forget [fen] | teach <fen> <move> [score]\n"
     "            export <file> | import <file>",
     "look into the long memory or mend it"},
    {"wait", run_wait, BY_QUEUE, SEARCH_ENDS, true, "",
     "until the search has ended, what it taught is written and a hash file saved"},
    {"export_net", run_export_net, BY_QUEUE, SEARCH_GOES_ON, false, "[file]",
     "write the network built in to a file"},
    {"tunables", run_tunables, BY_QUEUE, SEARCH_GOES_ON, false, "",
     "list the search parameters for a tuner (make tune)"},
    {"t", run_tunables, BY_QUEUE, SEARCH_GOES_ON, false, NULL, NULL},
    {"cpu", run_cpu, BY_QUEUE, SEARCH_GOES_ON, false, "", "tell what the processor can do and what is used"},
    {"compiler", run_compiler, BY_QUEUE, SEARCH_GOES_ON, false, "", "tell how this program was built"},
    {"license", run_license, BY_QUEUE, SEARCH_GOES_ON, false, "", "tell who may do what with it"},
    {"help", run_help, BY_QUEUE, SEARCH_GOES_ON, false, "", "list commands and options"},
};
// clang-format on

enum { COMMAND_COUNT = sizeof COMMANDS / sizeof COMMANDS[0] };

const Command *commands_list(int *count)
{
    *count = COMMAND_COUNT;
    return COMMANDS;
}

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
    block_add(&block, "Options, set by setoption, with their values at first:\n");
    options_explain(&block);
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
        engine_stop(session->engine);
    if (command->fate != SEARCH_GOES_ON)
        session_await(session, !command->is_wait);
    if (command->run == run_isready) {
        memory_command_settle(session); // on this thread nothing hinders files from being read
        if (!engine_is_searching(session->engine))
            engine_warm_up(session->engine, WARM_UP_MS);
    }
    command->run(session, arguments);
}
