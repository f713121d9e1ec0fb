// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/file.h"

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/thread.h"
#include "short_memory.h"
#include "whole_file.h"

static char folder[] = "/tmp/palimpsest-file-XXXXXX";
static char path[64], beside[64];

static void setup(void)
{
    memcpy(folder + sizeof folder - 7, "XXXXXX", 6);
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/a", folder);
    snprintf(beside, sizeof beside, "%s/a" FILE_DRAFT_END, folder);
}

static void teardown(void)
{
    remove(path);
    remove(beside);
    remove(folder);
}

static void expect_content(const char *text)
{
    size_t size;
    char *const found = (char *)whole_file_read(path, &size);
    ck_assert_str_eq(found, text);
    free(found);
}

START_TEST(save_replaces_the_file_by_the_concatenated_parts)
{
    const FilePart old = {"something much longer than what follows", 39};
    const FilePart parts[] = {{"remem", 5}, {"bers", 4}};
    ck_assert(file_save(path, &old, 1));
    ck_assert(file_save(path, parts, 2));
    expect_content("remembers");
    ck_assert_int_ne(access(beside, F_OK), 0);
}
END_TEST

START_TEST(a_temporary_file_is_gone_as_soon_as_it_is_open)
{
    FILE *const file = file_temporary(path);
    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(rmdir(folder), 0); // the folder is empty
    ck_assert_uint_eq(fwrite("abcdef", 1, 6, file), 6);
    ck_assert(file_seek(file, 4));
    ck_assert_int_eq(fgetc(file), 'e');
    const uint64_t far = UINT64_C(5) << 30;
    ck_assert(file_seek(file, far)); // sparse: takes no space
    ck_assert_int_eq(fputc('z', file), 'z');
    ck_assert(file_seek(file, far));
    ck_assert_int_eq(fgetc(file), 'z');
    fclose(file);
    ck_assert_ptr_null(file_temporary(path)); // the folder is missing
    ck_assert_int_eq(errno, ENOENT);
}
END_TEST

START_TEST(devices_are_not_replaced)
{
    const FilePart part = {"new", 3};
    ck_assert_int_eq(mkfifo(path, 0600), 0);
    ck_assert(!file_save(path, &part, 1));
    ck_assert(!file_can_save(path));
    ck_assert_int_eq(file_kind(path, NULL), FILE_OTHER);
}
END_TEST

START_TEST(a_failed_save_keeps_the_old_file_and_sets_errno)
{
    const FilePart old = {"old", 3}, new = {"new", 3};
    ck_assert(file_save(path, &old, 1));
    ck_assert_int_eq(mkdir(beside, 0700), 0); // in the way
    errno = 0;
    ck_assert(!file_save(path, &new, 1));
    ck_assert_int_ne(errno, 0);
    expect_content("old");
}
END_TEST

START_TEST(saving_in_a_missing_folder_sets_errno)
{
    const FilePart part = {"x", 1};
    ck_assert(!file_save("/tmp/no such folder of palimpsest/a", &part, 1));
    ck_assert_int_eq(errno, ENOENT);
}
END_TEST

START_TEST(can_save_is_true_in_a_writable_folder)
{
    ck_assert(file_can_save(path));
    ck_assert_int_ne(access(path, F_OK), 0); // file_can_save() creates no file
    ck_assert_int_ne(access(beside, F_OK), 0);
    const FilePart old = {"old", 3};
    ck_assert(file_save(path, &old, 1));
    ck_assert(file_can_save(path));
    expect_content("old");
    ck_assert_int_eq(mkdir(beside, 0700), 0); // in the way
    ck_assert(!file_can_save(path));
    ck_assert_int_eq(errno, EISDIR);
}
END_TEST

START_TEST(can_save_is_false_for_a_folder_and_in_a_missing_folder)
{
    ck_assert(!file_can_save(folder));
    ck_assert_int_eq(errno, EISDIR);
    ck_assert(!file_can_save("/tmp/no such folder of palimpsest/a"));
    ck_assert_int_eq(errno, ENOENT);
}
END_TEST

START_TEST(publish_moves_the_draft_into_place)
{
    FileDraft draft;
    const FilePart old = {"old", 3};
    ck_assert(file_save(path, &old, 1));
    ck_assert(file_draft(&draft, path));
    fputs("new", draft.stream);
    fflush(draft.stream);
    expect_content("old");
    ck_assert(file_publish(&draft));
    expect_content("new");
    ck_assert_int_ne(access(beside, F_OK), 0);
    ck_assert(file_draft(&draft, path));
    fputs("newer", draft.stream);
    errno = ENOSPC;
    file_discard(&draft);
    ck_assert_int_eq(errno, ENOSPC);
    expect_content("new");
    ck_assert_int_ne(access(beside, F_OK), 0);
}
END_TEST

START_TEST(publish_keeps_a_symbolic_link_and_replaces_its_file)
{
    char link[sizeof path + 8];
    FileDraft draft;
    struct stat found;
    const FilePart old = {"old", 3}, new = {"new", 3};
    snprintf(link, sizeof link, "%s/link", folder);
    ck_assert_int_eq(symlink("a", link), 0);
    ck_assert(file_save(path, &old, 1));
    ck_assert(file_save(link, &new, 1));
    expect_content("new");
    ck_assert(file_draft(&draft, link));
    ck_assert_int_eq(access(beside, F_OK), 0);
    file_discard(&draft);
    const int is_found = lstat(link, &found);
    remove(link);
    ck_assert_int_eq(is_found, 0);
    ck_assert(S_ISLNK(found.st_mode));
}
END_TEST

START_TEST(all_links_to_a_file_that_is_missing_stay_links)
{
    char first[sizeof path + 8], second[sizeof path + 8];
    struct stat found, found_too;
    const FilePart new = {"new", 3};
    snprintf(first, sizeof first, "%s/first", folder);
    snprintf(second, sizeof second, "%s/second", folder);
    ck_assert_int_eq(symlink("second", first), 0);
    ck_assert_int_eq(symlink(path, second), 0);
    const bool is_saved = file_save(first, &new, 1);
    const bool are_there = lstat(first, &found) == 0 && lstat(second, &found_too) == 0;
    remove(first);
    remove(second);
    ck_assert(is_saved && are_there);
    ck_assert(S_ISLNK(found.st_mode) && S_ISLNK(found_too.st_mode));
    expect_content("new");
}
END_TEST

START_TEST(a_new_file_has_owner_and_permissions_of_the_old_one)
{
    struct stat old, found;
    const FilePart new = {"new", 3};
    whole_file_write_text(path, "");
    if (geteuid() == 0) // only root can give files away
        ck_assert_int_eq(chown(path, 65534, 65534), 0);
    ck_assert_int_eq(chmod(path, 0640), 0);
    ck_assert(stat(path, &old) == 0 && file_save(path, &new, 1) && stat(path, &found) == 0);
    ck_assert_uint_eq(found.st_uid, old.st_uid);
    ck_assert_uint_eq(found.st_gid, old.st_gid);
    ck_assert_uint_eq(found.st_mode & 0777, 0640);
}
END_TEST

START_TEST(a_write_protected_file_is_not_replaced)
{
    FileDraft draft;
    if (geteuid() == 0) // root may write everything
        ck_assert(chown(folder, 65534, 65534) == 0 && setuid(65534) == 0);
    whole_file_write_text(path, "");
    ck_assert_int_eq(chmod(path, 0400), 0);
    ck_assert(!file_draft(&draft, path));
    ck_assert_int_eq(errno, EACCES);
    ck_assert_int_ne(access(beside, F_OK), 0);
}
END_TEST

START_TEST(a_draft_open_elsewhere_is_refused)
{
    FileDraft first, second;
    const FilePart part = {"second", 6};
    ck_assert(file_draft(&first, path));
    fputs("first", first.stream);
    fflush(first.stream);
    ck_assert(!file_draft(&second, path));
    ck_assert_int_eq(errno, EBUSY);
    ck_assert(!file_save(path, &part, 1));
    ck_assert_int_eq(errno, EBUSY);
    ck_assert(!file_can_save(path));
    ck_assert(file_publish(&first));
    expect_content("first");
    ck_assert(file_save(path, &part, 1));
    expect_content("second");
}
END_TEST

START_TEST(a_draft_left_by_a_crashed_process_is_overwritten)
{
    FileDraft draft;
    whole_file_write_text(beside, "half a file of a process that was killed");
    ck_assert(file_draft(&draft, path));
    fputs("whole", draft.stream);
    ck_assert(file_publish(&draft));
    expect_content("whole");
}
END_TEST

START_TEST(a_locked_file_is_opened_once_and_keeps_its_text)
{
    const FilePart old = {"old", 3};
    ck_assert(file_save(path, &old, 1));
    FILE *const first = file_open_locked(path);
    ck_assert_ptr_nonnull(first);
    ck_assert_ptr_null(file_open_locked(path));
    ck_assert_int_eq(errno, EBUSY);
    expect_content("old");
    errno = 77;
    file_remove_locked(first, path);
    ck_assert_int_eq(errno, 77);
    ck_assert_int_ne(access(path, F_OK), 0);
    FILE *const second = file_open_locked(path);
    ck_assert_ptr_nonnull(second);
    file_remove_locked(second, path);
}
END_TEST

START_TEST(a_link_in_place_of_a_locked_file_is_not_followed)
{
    ck_assert_int_eq(symlink(path, beside), 0);
    ck_assert_ptr_null(file_open_locked(beside));
    ck_assert_int_ne(access(path, F_OK), 0);
}
END_TEST

START_TEST(without_memory_for_a_stream_no_new_file_stays)
{
    whole_file_write_text(path, "old");
    if (!short_memory_begin())
        return;
    FILE *const old = file_open_locked(path), *const new = file_open_locked(beside);
    const int why = errno;
    short_memory_end();
    ck_assert(old == NULL && new == NULL);
    ck_assert_int_eq(why, ENOMEM);
    expect_content("old");
    ck_assert_int_ne(access(beside, F_OK), 0);
}
END_TEST

enum { LOCKERS = 3, LOCKER_TRIES = 4000 };
static atomic_int owners;
static atomic_bool has_two_owners;

/* Takes and removes the locked file again and again. */
static void *lock_and_remove(void *arg)
{
    for (int i = 0; i < LOCKER_TRIES; i++) {
        FILE *const file = file_open_locked(path);
        if (file == NULL)
            continue;
        if (atomic_fetch_add(&owners, 1) > 0)
            atomic_store(&has_two_owners, true);
        thread_give_way();
        atomic_fetch_sub(&owners, 1);
        file_remove_locked(file, path);
    }
    return arg;
}

/* One thread may open the file before another removes it, and lock it afterwards. */
START_TEST(a_removed_file_is_not_locked)
{
    Thread lockers[LOCKERS];
    for (int i = 0; i < LOCKERS; i++)
        ck_assert(thread_start(&lockers[i], lock_and_remove, NULL));
    for (int i = 0; i < LOCKERS; i++)
        thread_join(&lockers[i]);
    ck_assert(!has_two_owners);
}
END_TEST

START_TEST(the_begin_of_a_file_is_compared)
{
    const FilePart part = {"PAL\0data", 8};
    ck_assert(!file_begins_with(path, "PAL", 3));
    ck_assert(file_save(path, &part, 1));
    ck_assert(file_begins_with(path, "PAL", 3));
    ck_assert(file_begins_with(path, "PAL\0data", 8));
    ck_assert(!file_begins_with(path, "PAL\0data", 9));
    ck_assert(!file_begins_with(path, "PAL\0dat!", 8));
    ck_assert(!file_begins_with(folder, "PAL", 3));
}
END_TEST

START_TEST(a_link_in_place_of_the_draft_is_not_followed)
{
    char other[80];
    snprintf(other, sizeof other, "%s/other", folder);
    const FilePart part = {"precious", 8};
    ck_assert(file_save(other, &part, 1));
    ck_assert_int_eq(symlink(other, beside), 0);
    ck_assert(!file_save(path, &part, 1));
    ck_assert_int_eq(errno, ELOOP);
    ck_assert_int_eq(access(other, F_OK), 0);
    ck_assert_int_eq(access(path, F_OK), -1);
    remove(beside);
    remove(other);
}
END_TEST

/* `palimpsest-datagen --merge games games.old games.new` must not lose its last file. */
START_TEST(a_file_that_ends_in_new_is_no_draft)
{
    char other[80];
    snprintf(other, sizeof other, "%s.new", path);
    const FilePart part = {"precious", 8};
    ck_assert(file_save(other, &part, 1));
    ck_assert(file_save(path, &part, 1));
    ck_assert_int_eq(file_kind(other, NULL), FILE_REGULAR);
    remove(other);
}
END_TEST

START_TEST(a_draft_that_cannot_be_published_is_removed)
{
    FileDraft draft;
    ck_assert(file_draft(&draft, path));
    ck_assert_int_eq(mkdir(path, 0700), 0);
    ck_assert(!file_publish(&draft));
    ck_assert_int_eq(errno, EISDIR);
    ck_assert_int_ne(access(beside, F_OK), 0);
}
END_TEST

START_TEST(sync_fails_for_a_pipe)
{
    int ends[2];
    ck_assert_int_eq(pipe(ends), 0); // a pipe is not on a disk
    FILE *const stream = fdopen(ends[1], "wb");
    ck_assert_ptr_nonnull(stream);
    ck_assert(!file_sync(stream));
    fclose(stream);
    close(ends[0]);
}
END_TEST

START_TEST(kind_reports_files_folders_and_devices)
{
    const FilePart part = {"seven b", 7};
    int64_t size = -1;
    ck_assert_int_eq(file_kind(path, &size), FILE_MISSING);
    ck_assert(file_save(path, &part, 1));
    ck_assert_int_eq(file_kind(path, &size), FILE_REGULAR);
    ck_assert_int_eq(size, 7);
    ck_assert_int_eq(file_kind(folder, NULL), FILE_FOLDER);
    ck_assert_int_eq(file_kind("/dev/null", NULL), FILE_OTHER);
}
END_TEST

/* Counts the names; stops at "a" if requested. */
typedef struct {
    int count, found;
    bool ends;
} Names;

static bool see_name(void *ctx, const char *name)
{
    Names *const names = ctx;
    const bool is_it = strcmp(name, "a") == 0;
    names->count++;
    names->found += is_it;
    return !is_it || !names->ends;
}

START_TEST(names_in_a_folder_are_visited)
{
    const FilePart part = {"x", 1};
    ck_assert(file_save(path, &part, 1));
    Names names = {.ends = false};
    ck_assert(file_list(folder, see_name, &names));
    ck_assert_int_eq(names.found, 1);
    names.ends = true;
    ck_assert(!file_list(folder, see_name, &names));
    ck_assert_int_eq(names.found, 2);
    names.count = 0;
    ck_assert(!file_list("/tmp/no such folder of palimpsest", see_name, &names));
    ck_assert(!file_list(path, see_name, &names));
    ck_assert_int_eq(names.count, 0);
}
END_TEST

/* Reads everything from a pipe whose write end is closed. */
static void expect_in_pipe(int end, const char *text)
{
    char found[64] = "";
    ck_assert_int_ge(read(end, found, sizeof found - 1), 0);
    close(end);
    ck_assert_str_eq(found, text);
}

START_TEST(non_ascii_names_are_written_found_and_removed)
{
    static const char word[] = "whole";
    const FilePart part = {word, sizeof word - 1};
    char name[96], text[16] = "";
    snprintf(name, sizeof name, "%s/ладья ♜", folder);
    ck_assert(file_save(name, &part, 1));
    int64_t size = 0;
    ck_assert_int_eq(file_kind(name, &size), FILE_REGULAR);
    ck_assert_int_eq(size, 5);
    FILE *const file = file_open(name, "rb");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fread(text, 1, sizeof text - 1, file), 5);
    fclose(file);
    ck_assert_str_eq(text, word);
    ck_assert(file_remove(name));
    ck_assert_int_eq(file_kind(name, NULL), FILE_MISSING);
    ck_assert(!file_remove(name));
    ck_assert_ptr_null(file_open(name, "rb"));
    ck_assert_int_eq(errno, ENOENT);
}
END_TEST

START_TEST(a_regular_file_is_complete)
{
    FILE *const file = tmpfile();
    ck_assert_ptr_nonnull(file);
    ck_assert(file_is_complete(file, 0));
    fclose(file);
}
END_TEST

START_TEST(a_pipe_is_complete_when_its_writer_has_closed_it)
{
    int ends[2];
    ck_assert_int_eq(pipe(ends), 0);
    FILE *const reader = fdopen(ends[0], "r");
    ck_assert_int_eq(write(ends[1], "unread", 6), 6);
    ck_assert(!file_is_complete(reader, 0));
    ck_assert(!file_is_complete(reader, 5));
    close(ends[1]);
    ck_assert(file_is_complete(reader, 0));
    fclose(reader);
}
END_TEST

START_TEST(a_socket_is_complete_when_its_other_side_writes_no_more)
{
    int ends[2];
    ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    FILE *const reader = fdopen(ends[0], "r");
    ck_assert_int_eq(write(ends[1], "unread", 6), 6);
    ck_assert(!file_is_complete(reader, 5));
    ck_assert_int_eq(shutdown(ends[1], SHUT_WR), 0); // it still reads
    ck_assert(file_is_complete(reader, 0));
    close(ends[1]);
    fclose(reader);
}
END_TEST

START_TEST(a_pipe_without_its_other_side_is_not_awaited)
{
    char byte;
    ck_assert_int_eq(mkfifo(path, 0600), 0);
    FILE *stream = file_open(path, "rb");
    ck_assert_ptr_nonnull(stream);
    ck_assert_uint_eq(fread(&byte, 1, 1, stream), 0);
    fclose(stream);
    ck_assert_ptr_null(file_open(path, "a"));
    ck_assert_int_eq(errno, ENXIO);

    const int reader = open(path, O_RDONLY | O_NONBLOCK);
    stream = file_open(path, "a");
    ck_assert_ptr_nonnull(stream);
    fputc('x', stream);
    fclose(stream);
    ck_assert_int_eq(read(reader, &byte, 1), 1);
    close(reader);
}
END_TEST

START_TEST(devices_are_written_but_not_read)
{
    ck_assert_ptr_null(file_open("/dev/zero", "rb"));
    ck_assert_int_eq(errno, ENOTSUP);
    FILE *stream = file_open("/dev/zero", "w");
    ck_assert_ptr_nonnull(stream);
    fclose(stream);
    stream = file_open(FILE_NOWHERE, "r");
    ck_assert_ptr_nonnull(stream);
    ck_assert_int_eq(fgetc(stream), EOF);
    fclose(stream);
}
END_TEST

START_TEST(a_full_pipe_is_not_writable)
{
    static const char part[FILE_WRITE_MAX];
    int ends[2], parts = 0;
    ck_assert_int_eq(pipe(ends), 0);
    FILE *const stream = fdopen(ends[1], "w");
    for (; parts < 10000 && file_is_writable(stream, 0); parts++)
        ck_assert_int_eq(write(ends[1], part, sizeof part), sizeof part);
    ck_assert_int_gt(parts, 0);
    ck_assert_int_lt(parts, 10000);
    ck_assert(!file_is_writable(stream, 5));
    close(ends[0]);
    ck_assert(file_is_writable(stream, 0)); // a write fails at once
    fclose(stream);
}
END_TEST

START_TEST(closed_standard_streams_are_filled)
{
    const pid_t child = fork();
    if (child == 0) {
        close(STDIN_FILENO);
        close(STDERR_FILENO);
        file_fill_standard_streams();
        const int next = dup(STDIN_FILENO);
        _exit(fcntl(STDERR_FILENO, F_GETFD) >= 0 && next > STDERR_FILENO ? 7 : 1);
    }
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status));
    ck_assert_int_eq(WEXITSTATUS(status), 7);
}
END_TEST

START_TEST(claimed_stdout_gets_only_our_own_output)
{
    int out[2], err[2];
    fflush(stdout);
    const int kept_out = dup(STDOUT_FILENO), kept_err = dup(STDERR_FILENO);
    ck_assert(pipe(out) == 0 && pipe(err) == 0);
    dup2(out[1], STDOUT_FILENO);
    dup2(err[1], STDERR_FILENO);
    close(out[1]);
    close(err[1]);

    FILE *const own = file_claim_stdout();
    if (own != NULL) {
        fputs("rea", own);
        printf("noise\n");
        fflush(stdout);
        fputs("dyok\n", own);
        fclose(own);
    }
    dup2(kept_out, STDOUT_FILENO);
    dup2(kept_err, STDERR_FILENO);
    close(kept_out);
    close(kept_err);
    ck_assert_ptr_nonnull(own);
    expect_in_pipe(out[0], "readyok\n");
    expect_in_pipe(err[0], "noise\n");
}
END_TEST

START_TEST(a_stdout_that_cannot_be_claimed_costs_no_descriptor)
{
    fflush(stdout);
    const int kept = dup(STDOUT_FILENO), nowhere = open(FILE_NOWHERE, O_RDONLY);
    ck_assert(kept >= 0 && nowhere >= 0);
    dup2(nowhere, STDOUT_FILENO); // fdopen() refuses to write there
    FILE *const own = file_claim_stdout();
    const int next = dup(kept);
    dup2(kept, STDOUT_FILENO);
    close(kept);
    close(nowhere);
    close(next);
    ck_assert_ptr_null(own);
    ck_assert_int_eq(next, nowhere + 1);
}
END_TEST

START_TEST(a_whole_file_is_read_as_text)
{
    static char bytes[10000];
    StrBuf text = {0};
    memset(bytes, 'x', sizeof bytes);
    bytes[7] = '\0';
    const FilePart part = {bytes, sizeof bytes};
    ck_assert(file_save(path, &part, 1));
    ck_assert(file_read_text(path, &text));
    ck_assert_uint_eq(text.length, sizeof bytes);
    ck_assert_int_eq(text.text[7], ' ');
    ck_assert_int_eq(text.text[sizeof bytes - 1], 'x');
    strbuf_clear(&text);
    remove(path);
    ck_assert(!file_read_text(path, &text));
    ck_assert_int_eq(errno, ENOENT);
    strbuf_free(&text);
}
END_TEST

START_TEST(an_empty_file_is_an_empty_text)
{
    StrBuf text = {0};
    whole_file_write_text(path, "");
    ck_assert(file_read_text(path, &text));
    ck_assert_str_eq(text.text, "");
    strbuf_free(&text);
}
END_TEST

Suite *suite_file(void);
Suite *suite_file(void)
{
    Suite *const suite = suite_create("file");
    TCase *const tcase = tcase_create("save");
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, save_replaces_the_file_by_the_concatenated_parts);
    tcase_add_test(tcase, a_temporary_file_is_gone_as_soon_as_it_is_open);
    tcase_add_test(tcase, devices_are_not_replaced);
    tcase_add_test(tcase, a_whole_file_is_read_as_text);
    tcase_add_test(tcase, an_empty_file_is_an_empty_text);
    tcase_add_test(tcase, a_failed_save_keeps_the_old_file_and_sets_errno);
    tcase_add_test(tcase, saving_in_a_missing_folder_sets_errno);
    tcase_add_test(tcase, can_save_is_true_in_a_writable_folder);
    tcase_add_test(tcase, can_save_is_false_for_a_folder_and_in_a_missing_folder);
    tcase_add_test(tcase, publish_moves_the_draft_into_place);
    tcase_add_test(tcase, publish_keeps_a_symbolic_link_and_replaces_its_file);
    tcase_add_test(tcase, all_links_to_a_file_that_is_missing_stay_links);
    tcase_add_test(tcase, a_new_file_has_owner_and_permissions_of_the_old_one);
    tcase_add_test(tcase, a_write_protected_file_is_not_replaced);
    tcase_add_test(tcase, a_draft_open_elsewhere_is_refused);
    tcase_add_test(tcase, a_draft_left_by_a_crashed_process_is_overwritten);
    tcase_add_test(tcase, a_locked_file_is_opened_once_and_keeps_its_text);
    tcase_add_test(tcase, a_link_in_place_of_a_locked_file_is_not_followed);
    tcase_add_test(tcase, without_memory_for_a_stream_no_new_file_stays);
    tcase_add_test(tcase, a_removed_file_is_not_locked);
    tcase_add_test(tcase, the_begin_of_a_file_is_compared);
    tcase_add_test(tcase, a_link_in_place_of_the_draft_is_not_followed);
    tcase_add_test(tcase, a_file_that_ends_in_new_is_no_draft);
    tcase_add_test(tcase, a_draft_that_cannot_be_published_is_removed);
    tcase_add_test(tcase, sync_fails_for_a_pipe);
    tcase_add_test(tcase, kind_reports_files_folders_and_devices);
    tcase_add_test(tcase, names_in_a_folder_are_visited);
    tcase_add_test(tcase, non_ascii_names_are_written_found_and_removed);
    tcase_add_test(tcase, a_regular_file_is_complete);
    tcase_add_test(tcase, a_pipe_is_complete_when_its_writer_has_closed_it);
    tcase_add_test(tcase, a_socket_is_complete_when_its_other_side_writes_no_more);
    tcase_add_test(tcase, a_pipe_without_its_other_side_is_not_awaited);
    tcase_add_test(tcase, devices_are_written_but_not_read);
    tcase_add_test(tcase, a_full_pipe_is_not_writable);
    tcase_add_test(tcase, closed_standard_streams_are_filled);
    tcase_add_test(tcase, claimed_stdout_gets_only_our_own_output);
    tcase_add_test(tcase, a_stdout_that_cannot_be_claimed_costs_no_descriptor);
    suite_add_tcase(suite, tcase);
    return suite;
}
