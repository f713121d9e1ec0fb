// SPDX-License-Identifier: GPL-3.0-or-later
/* windows_test: tests of src/base for Windows, where the unit tests cannot run for want of their
 * library. test.sh compiles it with the files of src/base and runs it with wine in an empty folder.
 * Prints each claim that does not hold. */

#include <errno.h>
#include <io.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <windows.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "base/thread.h"

static int failed;

#define CLAIM(claim)                                                                               \
    do {                                                                                           \
        errno = 0;                                                                                 \
        if (!(claim)) {                                                                            \
            printf("line %d: %s (errno %d)\n", __LINE__, #claim, errno);                           \
            failed++;                                                                              \
        }                                                                                          \
    } while (0)

static const char path[] = "häsh ♜.hash", beside[] = "häsh ♜.hash" FILE_DRAFT_END;

static bool save(const char *text)
{
    const FilePart part = {text, strlen(text)};
    return file_save(path, &part, 1);
}

static bool contains(const char *text)
{
    StrBuf found = {0};
    const bool is_same = file_read_text(path, &found) && strcmp(found.text, text) == 0;
    strbuf_free(&found);
    return is_same;
}

static bool is_missing(const char *name)
{
    return file_kind(name, NULL) == FILE_MISSING;
}

static void a_draft_open_elsewhere_is_refused(void)
{
    FileDraft first, second;
    CLAIM(file_draft(&first, path));
    fputs("first", first.stream);
    CLAIM(!file_draft(&second, path) && errno == EBUSY);
    CLAIM(!file_can_save(path) && errno == EBUSY);
    CLAIM(file_publish(&first));
    CLAIM(contains("first") && is_missing(beside));
    CLAIM(save("second") && contains("second"));
}

static void a_discarded_draft_leaves_the_old_file(void)
{
    FileDraft draft;
    CLAIM(save("old") && file_draft(&draft, path));
    fputs("new", draft.stream);
    file_discard(&draft);
    CLAIM(contains("old") && is_missing(beside));
}

/* Windows replaces a file that others read; wine 8 does not, and then the old one stays. */
static void a_file_is_replaced_or_kept_while_others_read_it(void)
{
    CLAIM(save("old"));
    FILE *const reader = file_open(path, "rb");
    const bool is_saved = save("new");
    CLAIM(is_saved || is_missing(beside));
    CLAIM(contains(is_saved ? "new" : "old"));
    CLAIM(file_remove(path));
    CLAIM(fgetc(reader) == 'o');
    fclose(reader);
    CLAIM(is_missing(path));
}

typedef struct {
    atomic_bool is_over;
    int taken;
} Thief;

/* Another process that waits for the draft. */
static void *take_draft(void *ctx)
{
    Thief *const thief = ctx;
    while (!atomic_load(&thief->is_over)) {
        FILE *const stream = file_open_locked(beside);
        if (stream == NULL)
            continue;
        thief->taken += ftell(stream) != 0 || fseek(stream, 0, SEEK_END) != 0 || ftell(stream) > 0;
        file_remove_locked(stream, beside);
    }
    return NULL;
}

static void no_draft_is_taken_before_it_has_its_name(void)
{
    Thread thread;
    Thief thief = {.is_over = false};
    FileDraft draft;
    CLAIM(thread_start(&thread, take_draft, &thief));
    for (int i = 0; i < 200; i++) {
        while (!file_draft(&draft, path))
            thread_give_way();
        fputs("whole", draft.stream);
        CLAIM(file_publish(&draft));
    }
    atomic_store(&thief.is_over, true);
    thread_join(&thread);
    CLAIM(thief.taken == 0);
    CLAIM(contains("whole"));
}

static void a_draft_left_by_a_crashed_process_is_overwritten(void)
{
    FILE *const left = file_open(beside, "wb");
    fputs("half a file of a process that was killed", left);
    fclose(left);
    CLAIM(save("whole") && contains("whole"));
}

static void what_is_forbidden_fails_at_once(void)
{
    FileDraft draft;
    const int64_t start_ms = clock_ms();
    CLAIM(!file_draft(&draft, "missing/file") && errno == ENOENT);
    CLAIM(file_open("missing/file", "rb") == NULL && errno == ENOENT);
    CLAIM(file_open(".", "rb") == NULL && errno == EACCES);
    CLAIM(!file_can_save(".") && errno == EISDIR);
    CLAIM(file_kind(".\\", NULL) == FILE_FOLDER && file_kind("./", NULL) == FILE_FOLDER);
    CLAIM(file_kind("C:\\", NULL) == FILE_FOLDER && file_kind("missing/", NULL) == FILE_MISSING);
    CLAIM(save("old") && SetFileAttributesW(L"h\xe4sh \x265c.hash", FILE_ATTRIBUTE_READONLY));
    CLAIM(!file_draft(&draft, path) && errno == EACCES);
    CLAIM(is_missing(beside) && contains("old"));
    CLAIM(SetFileAttributesW(L"h\xe4sh \x265c.hash", FILE_ATTRIBUTE_NORMAL));
    CLAIM(clock_ms() - start_ms < 300);
}

static void a_locked_file_keeps_its_text(void)
{
    CLAIM(save("old"));
    FILE *const locked = file_open_locked(path);
    CLAIM(locked != NULL);
    CLAIM(file_open_locked(path) == NULL && errno == EBUSY);
    CLAIM(contains("old"));
    errno = 77;
    file_remove_locked(locked, path);
    const int why = errno;
    CLAIM(why == 77 && is_missing(path));
}

/* Also with the lock, others read the whole file, and its owner truncates and extends it. */
static void a_second_writer_gets_no_lock(void)
{
    CLAIM(save("old"));
    FILE *const first = file_open(path, "a+b"), *const second = file_open(path, "a+b");
    CLAIM(first != NULL && second != NULL);
    CLAIM(file_lock(first) && !file_lock(second));
    CLAIM(contains("old"));
    CLAIM(ftruncate(fileno(first), 2) == 0 && fputs("der", first) >= 0 && fflush(first) == 0);
    CLAIM(contains("older"));
    CLAIM(fclose(first) == 0 && file_lock(second));
    CLAIM(fclose(second) == 0 && file_remove(path));
}

static void a_library_gets_paths_and_reasons_that_it_knows(void)
{
    char *const same = file_path_in_utf8(path), *const converted = file_path_in_utf8("\xe4.db");
    CLAIM(same != NULL && strcmp(same, path) == 0);
    CLAIM(converted != NULL && (GetACP() != 1252 || strcmp(converted, "ä.db") == 0));
    free(same);
    free(converted);
    CLAIM(strcmp(file_system_reason(ERROR_DISK_FULL), strerror(ENOSPC)) == 0);
}

/* Opened by the C library itself, which takes names in the code page only. */
static void a_list_of_folders_is_for_libraries_too(void)
{
    CLAIM(CreateDirectoryW(L"\xe4\xdf", NULL) && CreateDirectoryW(L"\x265c \x68cb\x76e4", NULL));
    CLAIM(fclose(file_open("äß/file", "wb")) == 0 && fclose(file_open("♜ 棋盤/file", "wb")) == 0);
    char *const list = file_list_for_library("äß;♜ 棋盤");
    char *const second = list != NULL ? strchr(list, ';') : NULL;
    CLAIM(second != NULL);
    if (second == NULL)
        return;
    *second = '\0';
    const char *const folders[] = {list, second + 1};
    for (int i = 0; i < 2; i++) {
        char name[FILE_PATH_MAX];
        snprintf(name, sizeof name, "%s\\file", folders[i]);
        FILE *const file = fopen(name, "rb");
        CLAIM(file != NULL);
        if (file != NULL)
            fclose(file);
    }
    free(list);
    CLAIM(file_list_for_library("missing ♜") == NULL && errno == EILSEQ);
}

/* The functions of Windows below are renamed by test.sh, so that src/base calls these: a machine
 * with two groups of 48 processors, and a process that may use those in `own`. */
enum { PROCESSORS = 48 };
static const DWORD_PTR group_mask = ((DWORD_PTR)1 << PROCESSORS) - 1;
static DWORD_PTR own;
static int threads_of_group[2];

WORD WINAPI GetActiveProcessorGroupCount(void)
{
    return 2;
}

DWORD WINAPI GetActiveProcessorCount(WORD group)
{
    return group == ALL_PROCESSOR_GROUPS ? 2 * PROCESSORS : PROCESSORS;
}

WINBOOL WINAPI GetProcessAffinityMask(HANDLE process, PDWORD_PTR of_process, PDWORD_PTR of_system)
{
    (void)process;
    *of_process = own;
    *of_system = own == 0 ? 0 : group_mask; // both 0 once the threads are in both groups
    return TRUE;
}

WINBOOL WINAPI GetThreadGroupAffinity(HANDLE thread, PGROUP_AFFINITY affinity)
{
    CLAIM(GetThreadId(thread) != 0);
    *affinity = (GROUP_AFFINITY){.Mask = group_mask, .Group = 1};
    return TRUE;
}

WINBOOL WINAPI SetThreadGroupAffinity(HANDLE thread, const GROUP_AFFINITY *affinity,
                                      PGROUP_AFFINITY old)
{
    CLAIM(GetThreadId(thread) != 0 && affinity->Mask == group_mask && old == NULL);
    threads_of_group[affinity->Group]++;
    return TRUE;
}

static PHANDLER_ROUTINE console_handler;

WINBOOL WINAPI SetConsoleCtrlHandler(PHANDLER_ROUTINE handler, WINBOOL is_added)
{
    CLAIM(is_added && console_handler == NULL); // only once
    console_handler = handler;
    return TRUE;
}

static void ctrl_break_interrupts(void)
{
    interrupt_watch();
    interrupt_watch_unless_ignored();
    CLAIM(console_handler != NULL && !interrupt_pending());
    if (console_handler == NULL)
        return;
    CLAIM(!console_handler(CTRL_C_EVENT) && !interrupt_pending()); // left to the C library
    CLAIM(console_handler(CTRL_BREAK_EVENT) && interrupt_pending());
    CLAIM(!interrupt_is_from_keyboard());
    CLAIM(!console_handler(CTRL_BREAK_EVENT)); // the second one ends the process
    CLAIM(interrupt_release());
}

static FILE *console;

WINBOOL WINAPI GetConsoleMode(HANDLE handle, LPDWORD mode)
{
    *mode = 0;
    return console != NULL && handle == (HANDLE)_get_osfhandle(_fileno(console));
}

UINT WINAPI GetConsoleCP(void)
{
    return 850;
}

static void typed_lines_become_utf8(void)
{
    console = stdin;
    char *const text = file_typed_text(stdin, "h\x84sh \x9c");
    CLAIM(text != NULL && strcmp(text, "häsh £") == 0);
    free(text);
    console = NULL;
    CLAIM(file_typed_text(stdin, "h\x84sh") == NULL);
}

static void *press_ctrl_c(void *ctx)
{
    clock_sleep_ms(1); // file_await_bytes() waits 100 ms for the handler
    raise(SIGINT);
    return ctx;
}

/* Ctrl-C ends a read, and is known a little later. */
static void ctrl_c_does_not_end_the_input(void)
{
    Thread user;
    FILE *const input = file_open(FILE_NOWHERE, "rb");
    CLAIM(input != NULL && fgetc(input) == EOF && !file_await_bytes(input));
    interrupt_watch();
    CLAIM(thread_start(&user, press_ctrl_c, NULL));
    thread_join(&user);
    CLAIM(interrupt_release() && interrupt_is_from_keyboard());
    CLAIM(!file_await_bytes(input) && feof(input)); // not from a console
    console = input;
    CLAIM(interrupt_take_keyboard() && !file_await_bytes(input));
    interrupt_watch();
    CLAIM(thread_start(&user, press_ctrl_c, NULL));
    CLAIM(file_await_bytes(input) && !feof(input));
    thread_join(&user);
    CLAIM(fgetc(input) == EOF && !file_await_bytes(input)); // the end of the input
    CLAIM(interrupt_release());
    fclose(input);
    console = NULL;
}

static void *do_nothing(void *ctx)
{
    return ctx;
}

/* Windows has started this process in the second group. */
static void threads_stay_in_their_group_until_it_is_full(void)
{
    enum { THREADS = 2 * PROCESSORS + 4 };
    Thread threads[THREADS];
    const DWORD_PTR masks[] = {7, group_mask, 0}; // of the processors that the process may use
    const int moved[] = {0, PROCESSORS, PROCESSORS};
    for (int i = 0; i < 3; i++) {
        own = masks[i];
        threads_of_group[0] = 0;
        CLAIM(thread_hardware_count() == (own == 7 ? 3 : 2 * PROCESSORS));
        for (int t = 0; t < THREADS; t++)
            CLAIM(thread_start(&threads[t], do_nothing, NULL));
        for (int t = 0; t < THREADS; t++)
            thread_join(&threads[t]);
        CLAIM(threads_of_group[0] == moved[i] && threads_of_group[1] == 0);
    }
}

int main(void)
{
    own = 7;
    a_draft_open_elsewhere_is_refused();
    a_discarded_draft_leaves_the_old_file();
    a_draft_left_by_a_crashed_process_is_overwritten();
    a_file_is_replaced_or_kept_while_others_read_it();
    no_draft_is_taken_before_it_has_its_name();
    what_is_forbidden_fails_at_once();
    a_locked_file_keeps_its_text();
    a_second_writer_gets_no_lock();
    a_list_of_folders_is_for_libraries_too();
    a_library_gets_paths_and_reasons_that_it_knows();
    threads_stay_in_their_group_until_it_is_full();
    ctrl_break_interrupts();
    ctrl_c_does_not_end_the_input();
    typed_lines_become_utf8();
    return failed > 0;
}
