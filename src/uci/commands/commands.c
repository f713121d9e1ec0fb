// SPDX-License-Identifier: GPL-3.0-or-later
#include "uci/commands/commands.h"

#include <string.h>

#include "base/text.h"
#include "uci/commands/hash_files.h"
#include "uci/commands/memory.h"
#include "uci/commands/run.h"
#include "uci/options.h"
#include "uci/program.h"

/* Longest delay of `readyok` for touching the pages of a new table. That is enough for 1 GiB on a
 * slow virtual machine with one thread, and for some 10 GiB elsewhere. */
enum { WARM_UP_MS = 1200 };

static const Command COMMANDS[] = {
#define COMMAND(name, function, thread, effect, arguments, purpose)                                \
    {name, function, thread, effect, arguments, purpose},
#include "uci/commands/list.def"
#undef COMMAND
};

enum { COMMAND_COUNT = sizeof COMMANDS / sizeof COMMANDS[0] };

const Command *commands_list(int *count)
{
    *count = COMMAND_COUNT;
    return COMMANDS;
}

/* Appends the commands whose name contains `part`, in upper or lower case. */
static void explain_commands(StrBuf *buf, const char *part)
{
    for (int i = 0; i < COMMAND_COUNT; i++)
        if (COMMANDS[i].purpose != NULL && text_contains_nocase(COMMANDS[i].name, part))
            strbuf_add(buf, "  %s%s%s\n            %s\n", COMMANDS[i].name,
                       *COMMANDS[i].arguments != '\0' ? " " : "", COMMANDS[i].arguments,
                       COMMANDS[i].purpose);
}

void run_help(Session *session, char *arguments)
{
    const char *const part = text_trim(arguments);
    StrBuf commands = {0}, options = {0}, buf = {0};
    explain_commands(&commands, part);
    options_explain(&options, part);
    if (*part == '\0')
        strbuf_add(&buf, UCI_NAME " is a UCI chess engine. ");
    if (commands.text != NULL)
        strbuf_add(&buf, "%s:\n%s", *part == '\0' ? "Its commands" : "Commands", commands.text);
    if (options.text != NULL)
        strbuf_add(&buf, "Options for setoption, with their default values:\n%s", options.text);
    buf.is_cut |= commands.is_cut || options.is_cut;
    if (buf.text != NULL || buf.is_cut)
        output_block(&session->out, &buf);
    else
        session_fail(session, "help: no command or option has '%.*s' in its name",
                     text_cut(part, 80), part);
    strbuf_free(&commands);
    strbuf_free(&options);
}

/* The command with this name of `length` bytes, or NULL. */
static const Command *command_named(const char *name, size_t length)
{
    for (int i = 0; i < COMMAND_COUNT; i++)
        if (strlen(COMMANDS[i].name) == length && memcmp(COMMANDS[i].name, name, length) == 0)
            return &COMMANDS[i];
    return NULL;
}

const Command *command_find(char **cursor)
{
    for (char *word = *cursor; *(word += strspn(word, TEXT_SPACES)) != '\0';) {
        const size_t length = strcspn(word, TEXT_SPACES);
        const Command *const command = command_named(word, length);
        word += length;
        if (command != NULL) {
            *cursor = word;
            return command;
        }
    }
    return NULL;
}

bool command_takes_switches(const char *word)
{
    const Command *const command = command_named(word, strlen(word));
    return command != NULL && command->arguments != NULL &&
           strstr(command->arguments, "--") != NULL;
}

bool command_takes_file(const char *word)
{
    const Command *const command = command_named(word, strlen(word));
    return command != NULL && (command->run == run_suite || command->run == run_annotate);
}

/* Whether words after the command are an error. A GUI may send some after a command of the
 * protocol. */
static bool takes_nothing(const Command *command)
{
    const bool is_of_protocol =
        command->thread != BY_QUEUE || command->run == run_uci || command->run == run_ucinewgame;
    return !is_of_protocol && command->arguments != NULL && *command->arguments == '\0';
}

void command_run(Session *session, const Command *command, char *arguments)
{
    if (command == NULL) {
        const char *const text = text_trim(arguments);
        session_fail(session, "unknown command '%.*s', try help", text_cut(text, 80), text);
        return;
    }
    if (takes_nothing(command) && !session_takes_none(session, command->name, arguments))
        return;
    session_await(session, command->effect);
    session_begin_task(session);
    if (command->run == run_isready) {
        hash_auto_load(&session->settings);
        memory_apply(session); // the reader thread, which may run isready too, must not read files
        if (!engine_is_searching(session->engine))
            engine_warm_up(session->engine, WARM_UP_MS);
    }
    const SessionListener *const listener = session->listener;
    const char *const error =
        listener != NULL ? listener->command(listener->ctx, command->name, arguments) : NULL;
    if (error != NULL)
        session_fail(session, "%s: %s", command->name, error);
    command->run(session, arguments);
}
