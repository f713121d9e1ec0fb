// SPDX-License-Identifier: GPL-3.0-or-later
#include "session.h"

#include <assert.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "uci/commands/commands.h"
#include "uci/uci.h"

static void leave_folder(void)
{
    char path[512];
    if (getcwd(path, sizeof path) != NULL && chdir("/") == 0)
        rmdir(path);
}

static void remove_files(void)
{
    DIR *const folder = opendir(".");
    assert(folder != NULL);
    for (const struct dirent *e = readdir(folder); e != NULL; e = readdir(folder))
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
            unlink(e->d_name);
    closedir(folder);
}

void fuzz_enter_folder(void)
{
    static bool is_inside;
    static char path[512];
    if (!is_inside) {
        const char *const shared = getenv("TMPDIR");
        snprintf(path, sizeof path, "%s/fuzz-XXXXXX", shared != NULL ? shared : "/tmp");
        if (mkdtemp(path) == NULL || chdir(path) != 0)
            abort();
        atexit(leave_folder);
        atexit(remove_files);
        is_inside = true;
    }
    remove_files();
}

void fuzz_write_file(const char *name, const void *bytes, size_t size)
{
    FILE *const file = fopen(name, "wb");
    assert(file != NULL);
    if (fwrite(bytes, 1, size, file) != size || fclose(file) != 0)
        abort();
}

static int count_lines(const char *text, const char *word)
{
    const size_t length = strlen(word);
    int count = 0;
    for (; *text != '\0'; text += strcspn(text, "\n"), text += *text == '\n')
        count += strncmp(text, word, length) == 0 && (text[length] == ' ' || text[length] == '\n');
    return count;
}

static bool has_word(char *text, const char *wanted)
{
    const char *word = text_word(&text);
    while (word != NULL && strcmp(word, wanted) != 0)
        word = text_word(&text);
    return word != NULL;
}

/* Which answers a line asks for. */
static void note_line(const char *line, int *searches, int *pings)
{
    char *const copy = strdup(line), *cursor = copy;
    assert(copy != NULL);
    const Command *const command = *line != '#' ? command_find(&cursor) : NULL;
    if (command != NULL && strcmp(command->name, "go") == 0)
        *searches += !has_word(cursor, "perft");
    else if (command != NULL)
        *pings += strcmp(command->name, "isready") == 0;
    free(copy);
}

char *fuzz_session(char *const *lines, int count)
{
    Session session;
    char *text = NULL;
    size_t size = 0;
    int searches = 0, pings = 0;
    FILE *const stream = open_memstream(&text, &size);
    if (stream == NULL || !session_open(&session))
        abort();
    session.out.stream = stream;
    for (int i = 0; i < count && !session_input_has_ended(&session); i++) {
        note_line(lines[i], &searches, &pings);
        uci_read_line(&session, lines[i]);
    }
    session_input_complete(&session, SESSION_SCRIPT_MS);
    session_input_end(&session);
    for (QueuedCommand *queued = session_next(&session); queued != NULL;
         queued = session_next(&session)) {
        command_run(&session, queued->command, queued->arguments);
        free(queued);
    }
    session_await(&session, SEARCH_STOPS);
    session_close(&session); // closes the stream
    assert(count_lines(text, "bestmove") == searches);
    assert(count_lines(text, "readyok") == pings);
    for (const char *at = text; *at != '\0'; at++)
        assert((unsigned char)*at >= ' ' || *at == '\n');
    assert(strlen(text) == size);
    return text;
}
