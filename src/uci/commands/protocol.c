// SPDX-License-Identifier: GPL-3.0-or-later
/* The commands of the UCI protocol, and two that belong to them: `wait` and `flip`. */
#include "uci/commands/run.h"

#include "base/file.h"
#include "uci/commands/hash_files.h"
#include "uci/commands/memory.h"
#include "uci/commands/perft.h"
#include "uci/go.h"
#include "uci/options.h"
#include "uci/program.h"

enum { PIPE_CLOSES_MS = 30 }; // a script that wrote `quit` closes its pipe within this time

void run_uci(Session *session, char *arguments)
{
    (void)arguments;
    StrBuf buf = {0};
    strbuf_add(&buf, "id name " UCI_NAME " " UCI_VERSION "\nid author " UCI_AUTHOR "\n");
    options_print(&buf);
    strbuf_add(&buf, "uciok\n");
    output_block(&session->out, &buf);
}

void run_isready(Session *session, char *arguments)
{
    (void)arguments;
    output_line(&session->out, "readyok");
}

void run_ucinewgame(Session *session, char *arguments)
{
    (void)arguments;
    session_new_game(session);
    memory_apply(session);
}

void run_setoption(Session *session, char *arguments)
{
    if (!options_set(&session->settings, arguments))
        session->failed = true;
}

void run_position(Session *session, char *arguments)
{
    StrBuf notes = {0};
    if (!setup_parse(&session->setup, arguments, session->settings.chess960, &notes))
        session->failed = true;
    output_block(&session->out, &notes);
}

void run_go(Session *session, char *arguments)
{
    GoRequest go;
    StrBuf notes = {0};
    go_parse(&go, &session->setup.pos, arguments, &notes);
    output_block(&session->out, &notes);
    session->failed |= go.is_faulty;
    if (go.perft > 0) {
        perft_print(session, &session->setup.pos, go.perft);
        return;
    }
    if (!go.limits.has_clock && !go.limits.ponder) { // reading files would cost time on the clock
        hash_auto_load(&session->settings);
        memory_apply(session);
    }
    memory_print_error(session);
    session_search(session, &go.limits);
}

void run_stop(Session *session, char *arguments)
{
    (void)arguments;
    session_stop(session);
}

void run_ponderhit(Session *session, char *arguments)
{
    (void)arguments;
    session_ponderhit(session);
}

void run_quit(Session *session, char *arguments)
{
    (void)arguments;
    if (file_is_complete(stdin, PIPE_CLOSES_MS))
        session_input_complete(session, SESSION_QUIT_MS);
    session_input_end(session);
}

void run_nothing(Session *session, char *arguments)
{
    (void)session;
    (void)arguments;
}

void run_wait(Session *session, char *arguments)
{
    (void)arguments;
    memory_flush(session);
    session->failed |= !engine_await_save(session->engine);
}

void run_flip(Session *session, char *arguments)
{
    (void)arguments;
    setup_flip(&session->setup);
}
