// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The experiments of palimpsest-lab. Each takes the arguments after its own name, prints tables to
 * stdout, results as CSV to a file, if told one, and progress to stderr, and returns the status: 0,
 * 1 when a result is not what it must be, 2 for wrong usage, 130 when interrupted. */

#include "base/arguments.h"

enum { LAB_GOOD = 0, LAB_BAD = 1, LAB_USAGE = 2, LAB_INTERRUPTED = 130 };

/* Replacement schemes on ALIBABA, the experiment of 1994 (replacement_lab.c). */
int lab_replacement(int argc, char **argv);

/* Replacement schemes in the playing engine (modern_lab.c). */
int lab_modern(int argc, char **argv);

/* What a read of the table is good for (reads_lab.c). */
int lab_reads(int argc, char **argv);

/* perft through a hash table with keys of several lengths (perft_lab.c). */
int lab_perft(int argc, char **argv);

/* Type-1 errors by length of the key check (keybits_lab.c). */
int lab_keybits(int argc, char **argv);

/* Torn entries accepted, by kind of lock (torn_lab.c). */
int lab_torn(int argc, char **argv);

/* Reads the arguments of an experiment into the struct at `to` (arguments.h). False, after the help
 * or a complaint, when that is all, with the exit status in `*status`. */
bool lab_read(const Arguments *arguments, void *to, int argc, char **argv, int *status);

/* Where data/`name` of the shared folder is ($PALIMPSEST_SHARED, else ../shared). */
void lab_shared_file(const char *name, char *path, size_t size);
