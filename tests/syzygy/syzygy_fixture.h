// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Folders of Syzygy tables for tests: small tables made here, of a bishop or knight against a bare
 * king, which are short because all positions are draws; and the tables of the shared folder. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "chess/position.h"
#include "syzygy/files.h"

/* Setup and teardown: makes an empty folder and removes it with its files. */
extern char made_folder[64];
void made_setup(void);
void made_teardown(void);

/* The bytes of KBvK or KNvK. */
enum { MADE_TABLE_BYTES = 80 };
void made_table(uint8_t bytes[MADE_TABLE_BYTES], char piece, bool is_dtz);

/* Writes a file into the folder. */
void made_write(const char *name, const void *bytes, size_t size);

/* Writes KBvK and KNvK of both kinds. */
void made_tables(void);

/* Writes MD5SUMS of these four files; each line has another of the forms in use. */
void made_sums(void);

/* Returns a file of the folder as syzygy_files_visit() would. */
SyzygyFile made_file(const char *name);

/* Reads a whole file; the caller frees it. */
uint8_t *made_read(const char *path, size_t *size);

/* Writes the path of the shared tables (FILE_PATH_MAX bytes). Without tables or libfathom calls
 * skip_test() and returns false: the test must return. */
bool shared_tables(char *path);

/* A line of the shared oracle; README.txt beside it describes the fields. */
enum { ORACLE_TEXT_MAX = 4096 };
typedef struct {
    char text[ORACLE_TEXT_MAX]; // the fields, each ended by a NUL
    const char *id, *category, *fen, *tb, *wdl, *dtz, *wdl50, *top_rank, *moves;
    Position pos; // of the FEN
} OracleRow;

/* Reads all rows and sets `*count`. The caller frees them. Without the oracle, tables or libfathom
 * calls skip_test() and returns NULL: the test must return. */
OracleRow *oracle_read(int *count);
