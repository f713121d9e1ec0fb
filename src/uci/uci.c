// SPDX-License-Identifier: GPL-3.0-or-later
#include "uci/uci.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "nnue/network.h"
#include "uci/commands/commands.h"
#include "uci/program.h"

void uci_read_line(Session *session, char *line)
{
    char *text = text_trim(line + text_mark_length(line));
    if (*text == '\0' || *text == '#')
        return;
    const Command *const command = command_find(&text);
    session_receive(session, command, text);
}

/* Reads and processes a line; false at the end of the input. */
static bool read_line(Session *session, TextLine *line)
{
    thread_web_await_input();
    const bool is_read = text_line_read(line, stdin);
    if (line->too_long) {
        output_line(&session->out, "info string error: out of memory for a line of input");
        return true;
    }
    if (!is_read)
        return false;
    char *const typed = file_typed_text(stdin, line->text);
    char *const text = typed != NULL ? typed : line->text;
    output_log_input(&session->out, text);
    uci_read_line(session, text);
    free(typed);
    return true;
}

static void *reader_body(void *argument)
{
    Session *const session = argument;
    TextLine line = {0};
    bool has_more = true;
    while (has_more) {
        has_more = read_line(session, &line);
        if (session_input_has_ended(session)) // by `quit`
            break;
        if (!has_more || file_is_complete(stdin, 0))
            session_input_complete(session, SESSION_SCRIPT_MS);
    }
    session_input_end(session);
    text_line_free(&line);
    return NULL;
}

/* Runs the queued commands until the input ends. */
static void run_queue(Session *session)
{
    for (QueuedCommand *queued = session_next(session); queued != NULL;
         queued = session_next(session)) {
        command_run(session, queued->command, queued->arguments);
        free(queued);
    }
}

/* Runs the UCI loop until `quit` or the end of the input. Starts the reader thread; this thread
 * becomes the command thread. Afterwards session->failed is true only if the reader thread could
 * not start. */
static void run_loop(Session *session)
{
    Thread reader;
    if (!thread_start(&reader, reader_body, session)) {
        fprintf(stderr, "error: cannot start the thread that reads the input\n");
        session->failed = true;
        return;
    }
    run_queue(session);
    session_await(session, SEARCH_STOPS); // or waits for the last search of a script
    thread_join(&reader);
    session->failed = false; // failed commands of the UCI loop do not change the exit status
}

/* True for `-` and a letter, and for `--`. */
static bool is_switch(const char *argument)
{
    const char c = argument[0] == '-' ? argument[1] : '\0';
    return c == '-' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_either(const char *argument, const char *one, const char *other)
{
    return strcmp(argument, one) == 0 || strcmp(argument, other) == 0;
}

UciCall uci_filter_arguments(int *count, char **arguments)
{
    int kept = 0;
    bool takes_switches = false;
    for (int i = 0; i < *count; i++) {
        if (is_either(arguments[i], "-h", "--help"))
            return CALL_HELP;
        if (is_either(arguments[i], "-v", "--version"))
            return CALL_VERSION;
        if (is_switch(arguments[i]) && !takes_switches)
            fprintf(stderr, "ignored the argument '%s', try --help\n", arguments[i]);
        else
            arguments[kept++] = arguments[i];
        takes_switches |= kept == 1 && command_takes_switches(arguments[0]);
    }
    if (kept == 0 && *count > 0)
        fprintf(stderr, "no command is left: reading UCI commands; quit ends the program\n");
    *count = kept;
    return kept > 0 ? CALL_COMMANDS : CALL_LOOP;
}

/* Runs one command and waits for its search or hash file. A search without a limit goes on beside
 * the commands after it until one of them ends it or needs its end. */
static void run_command_line(Session *session, const char *text, bool is_last)
{
    char *const line = strdup(text);
    if (line == NULL) {
        session->failed = true;
        return;
    }
    char *cursor = line;
    const Command *const command = command_find(&cursor);
    session->serial = ++session->newest;
    output_log_input(&session->out, text);
    session->stops_endless = true;
    command_run(session, command, cursor);
    session->stops_endless = false;
    if (is_last || !session_is_endless(session))
        session_await(session, SEARCH_AWAITED);
    session->failed |= !engine_await_save(session->engine);
    free(line);
}

/* Appends the argument in double quotes, for text_quoted_word(). */
static void add_quoted(StrBuf *joined, const char *argument)
{
    strbuf_add(joined, "\"");
    for (const char *c = argument; *c != '\0'; c++)
        strbuf_add(joined, *c == '"' ? "\"\"" : "%c", *c);
    strbuf_add(joined, "\"");
}

/* Runs the commands of a command line. If any argument contains a blank, each argument is one
 * command; otherwise all arguments together are one command. Exception: if the first argument is
 * the name of a command that works through a file, all are one command, and arguments with blanks,
 * such as paths, are put in quotes. Waits for every search, but stops one without a limit when a
 * later command needs its end. */
static void run_arguments(Session *session, int count, char **arguments)
{
    StrBuf joined = {0};
    const bool is_whole = count > 0 && command_takes_file(arguments[0]);
    bool has_blank = false;
    for (int i = 0; i < count; i++) {
        has_blank |= !is_whole && strchr(arguments[i], ' ') != NULL;
        strbuf_add(&joined, i > 0 ? " " : "");
        const bool is_plain =
            *arguments[i] != '\0' && strpbrk(arguments[i], TEXT_SPACES "\"") == NULL;
        if (is_whole && !is_plain)
            add_quoted(&joined, arguments[i]);
        else
            strbuf_add(&joined, "%s", arguments[i]);
    }
    if (!has_blank && joined.is_cut)
        session_fail(session, "out of memory for the command");
    else if (!has_blank && joined.text != NULL)
        run_command_line(session, joined.text, true);
    for (int i = 0;
         has_blank && i < count && !session_input_has_ended(session) && !session->is_interrupted;
         i++)
        run_command_line(session, arguments[i], i == count - 1);
    strbuf_free(&joined);
}

static void print_usage(void)
{
    puts(UCI_NAME ", a chess engine\n"
                  "  palimpsest             run the UCI loop, for a GUI\n"
                  "  palimpsest COMMAND     run one command and end: palimpsest bench\n"
                  "  palimpsest 'A' 'B' ... run several: palimpsest 'go depth 12' d\n"
                  "  palimpsest help [NAME] list commands and options, or those that contain NAME\n"
                  "  palimpsest --version   show the version");
}

/* Prints name and version for a person at a terminal. A GUI expects no output before `uci`. */
static void greet(Session *session)
{
    const Network *const network = engine_eval_source(session->engine)->network;
    char name[NETWORK_NAME_MAX] = "none";
    if (isatty(STDIN_FILENO) == 0 || isatty(fileno(session->out.stream)) == 0)
        return;
    if (network != NULL)
        network_name(network, name);
    output_line(&session->out, UCI_NAME " " UCI_VERSION " by " UCI_AUTHOR ", network %s", name);
    output_line(&session->out, "type help for the commands, quit to leave");
}

/* Runs the loop, or the commands of the command line, and returns the exit status. */
static int run(int count, char **arguments, const SessionListener *listener)
{
    Session session;
    if (!session_open(&session)) {
        fprintf(stderr, "error: not enough memory or threads for the engine\n");
        return UCI_EXIT_FAULTY;
    }
    output_claim(&session.out);
    session.listener = listener;
    if (listener != NULL)
        listener->opened(listener->ctx, session.engine);
    const bool is_loop = count == 0;
    session.is_command_line = !is_loop;
    if (is_loop) {
        greet(&session);
        run_loop(&session);
    } else {
        run_arguments(&session, count, arguments);
    }
    bool failed = session.failed;
    const bool is_saved = session_close(&session);
    failed |= !is_loop && (!is_saved || atomic_load(&session.out.has_failed) ||
                           atomic_load(&session.out.is_incomplete));
    return failed ? UCI_EXIT_FAULTY : EXIT_SUCCESS;
}

int uci_main(int argc, char **argv, const SessionListener *listener)
{
    int count = argc > 0 ? argc - 1 : 0;
    char **const arguments = argv + (argc > 0);
    switch (uci_filter_arguments(&count, arguments)) {
    case CALL_HELP: print_usage(); return file_end_output("palimpsest", EXIT_SUCCESS);
    case CALL_VERSION:
        puts(UCI_NAME " " UCI_VERSION);
        return file_end_output("palimpsest", EXIT_SUCCESS);
    default: return run(count, arguments, listener);
    }
}
