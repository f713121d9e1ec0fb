// SPDX-License-Identifier: GPL-3.0-or-later
#include "syzygy/syzygy_fixture.h"

#include <check.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "chess/fen.h"
#include "shared_data.h"
#include "skip.h"
#include "syzygy/md5.h"
#include "syzygy/syzygy.h"
#include "whole_file.h"

char made_folder[64];

void made_setup(void)
{
    strcpy(made_folder, "/tmp/palimpsest-syzygy-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(made_folder));
}

void made_teardown(void)
{
    DIR *const stream = opendir(made_folder);
    ck_assert_ptr_nonnull(stream);
    for (const struct dirent *e = readdir(stream); e != NULL; e = readdir(stream)) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s", made_folder, e->d_name);
        if (e->d_name[0] != '.')
            ck_assert_int_eq(remove(path), 0);
    }
    closedir(stream);
    ck_assert_int_eq(rmdir(made_folder), 0);
}

void made_table(uint8_t bytes[MADE_TABLE_BYTES], char piece, bool is_dtz)
{
    const uint8_t type = piece == 'B' ? 3 : 2;
    // Magic, kind, order, men for both sides to move; then every position is a draw for either
    // side.
    const uint8_t wdl[] = {0x71, 0xe8,      0x23, 0x5d, 0x31, 0,    0xee,
                           0x66, type * 17, 0,    0x80, 2,    0x80, 2};
    const uint8_t dtz[] = {0xd7, 0x66, 0x0c, 0xa5, 0x31, 0, 0x0e, 0x06, type, 0, 0x80, 0};
    memset(bytes, 0, MADE_TABLE_BYTES);
    memcpy(bytes, is_dtz ? dtz : wdl, is_dtz ? sizeof dtz : sizeof wdl);
}

void made_write(const char *name, const void *bytes, size_t size)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", made_folder, name);
    whole_file_write(path, bytes, size);
}

void made_tables(void)
{
    static const char pieces[] = "BN", *const endings[] = {"rtbw", "rtbz"};
    for (int i = 0; i < 4; i++) {
        uint8_t bytes[MADE_TABLE_BYTES];
        char name[16];
        made_table(bytes, pieces[i / 2], i % 2 != 0);
        snprintf(name, sizeof name, "K%cvK.%s", pieces[i / 2], endings[i % 2]);
        made_write(name, bytes, sizeof bytes);
    }
}

void made_sums(void)
{
    static const char *const forms[] = {"%s  %s\n", "%s *%s\r\n", "%s  some/folder/%s\n", "%s %s"};
    static const char *const names[] = {"KBvK.rtbw", "KBvK.rtbz", "KNvK.rtbw", "KNvK.rtbz"};
    char list[1024] = "";
    for (int i = 0; i < 4; i++) {
        uint8_t bytes[MADE_TABLE_BYTES], sum[MD5_BYTES];
        char hex[2 * MD5_BYTES + 1];
        Md5 md5;
        made_table(bytes, names[i][1], names[i][8] == 'z');
        md5_start(&md5);
        md5_add(&md5, bytes, sizeof bytes);
        md5_finish(&md5, sum);
        for (int j = 0; j < MD5_BYTES; j++)
            snprintf(hex + 2 * j, 3, i == 1 ? "%02X" : "%02x", sum[j]);
        const size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, forms[i], hex, names[i]);
    }
    made_write("MD5SUMS", list, strlen(list));
}

SyzygyFile made_file(const char *name)
{
    SyzygyFile file = {.folder = made_folder};
    ck_assert_msg(syzygy_file_parse(&file, name), "%s", name);
    snprintf(file.path, sizeof file.path, "%s/%s", made_folder, name);
    return file;
}

uint8_t *made_read(const char *path, size_t *size)
{
    return whole_file_read(path, size);
}

bool shared_tables(char *path)
{
    if (!syzygy_is_linked()) {
        skip_test("built without libfathom");
        return false;
    }
    return shared_find("syzygy/tables", path);
}

/* Cuts the next field off. */
static const char *next_field(char **cursor)
{
    char *const field = *cursor;
    char *const end = field + strcspn(field, "\t");
    *cursor = end + (*end != '\0');
    *end = '\0';
    return field;
}

static void read_row(OracleRow *row, const char *line)
{
    char error[FEN_ERROR_MAX], *cursor = row->text;
    ck_assert(text_copy(row->text, sizeof row->text, line));
    row->id = next_field(&cursor);
    row->category = next_field(&cursor);
    next_field(&cursor); // material
    row->fen = next_field(&cursor);
    row->tb = next_field(&cursor);
    row->wdl = next_field(&cursor);
    row->dtz = next_field(&cursor);
    row->wdl50 = next_field(&cursor);
    next_field(&cursor); // keep_wdl
    row->top_rank = next_field(&cursor);
    next_field(&cursor); // dtz_best
    row->moves = next_field(&cursor);
    ck_assert_msg(fen_parse(&row->pos, row->fen, false, error), "%s: %s", row->id, error);
}

OracleRow *oracle_read(int *count)
{
    char tables[FILE_PATH_MAX], path[SHARED_PATH_MAX];
    enum { ROWS_MAX = 2000 };
    *count = 0;
    if (!shared_tables(tables) || !shared_find("syzygy/oracle.tsv", path))
        return NULL;
    OracleRow *const rows = calloc(ROWS_MAX, sizeof *rows);
    FILE *const file = fopen(path, "r");
    ck_assert(rows != NULL && file != NULL);
    for (const char *line = shared_line(file); line != NULL; line = shared_line(file))
        if (strncmp(line, "id\t", 3) != 0) {
            ck_assert_int_lt(*count, ROWS_MAX);
            read_row(&rows[(*count)++], line);
        }
    fclose(file);
    return rows;
}
