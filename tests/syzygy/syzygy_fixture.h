// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Folders of Syzygy tables for tests: small ones made here, of a bishop or knight against a bare
 * king, where all is drawn and a table hence short; and copies or links of those in the shared
 * folder. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "chess/position.h"
#include "syzygy/files.h"

/* Makes an empty folder, and removes it with all that is in it. */
extern char made_folder[64];
void made_enter(void);
void made_leave(void);

/* The bytes of KBvK or KNvK. */
enum { MADE_TABLE_BYTES = 80 };
void made_table(uint8_t bytes[MADE_TABLE_BYTES], char piece, bool is_dtz);

/* Writes a file into the folder. */
void made_write(const char *name, const void *bytes, size_t size);

/* Writes KBvK and KNvK of both kinds. */
void made_tables(void);

/* The file in the folder, as found there. */
SyzygyFile made_file(const char *name);

/* Reads a whole file; the caller frees it. */
uint8_t *made_read(const char *path, size_t *size);

/* Path of the shared tables; false, after saying so, when they are not there or nothing can read
 * them. */
bool shared_tables(char *path);

/* A line of the shared oracle, its fields where README.txt there says. */
enum { ORACLE_TEXT_MAX = 4096 };
typedef struct {
    char text[ORACLE_TEXT_MAX]; // the fields, each ended by a NUL
    const char *id, *category, *fen, *tb, *wdl, *dtz, *wdl50, *top_rank, *moves;
    Position pos; // of the FEN
} OracleRow;

/* Reads all rows, `*count` of them; NULL, after saying so, when they are not there or nothing can
 * read tables. The caller frees them. */
OracleRow *oracle_read(int *count);
