// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Command lines by table: what an option is called, what it may be, what it is unless given, what
 * it means and where it goes is said once, and read, checked and explained from there. Strict: what
 * is not understood is refused with a reason, never guessed. Nothing is printed but the help.
 *
 * A word that begins with '-' is an option or, if it is the first, a command; others are operands.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { ARGUMENTS_ERROR_MAX = 256, ARGUMENTS_MAX = 64 };

typedef enum {
    ARGUMENT_INTEGER, // min..max, to an int64_t
    ARGUMENT_REAL,    // least..most, to a double
    ARGUMENT_TEXT,    // to a const char *
    ARGUMENT_FLAG,    // no value; sets a bool
    ARGUMENT_SHARD,   // "i/n" with 1 <= i <= n, to a Shard
    ARGUMENT_LIST     // any number, to an ArgumentList
} ArgumentKind;

/* A run may do every n-th observation only; the parts' files are merged by concatenation. */
typedef struct {
    int64_t number, count; // from 1
} Shard;

typedef struct {
    char **words;
    int count;
} ArgumentList;

/* An option or, if its name has no '-', an operand: those are taken in the order of the table and
 * none may be missing. A list takes operands even if it has the name of an option. */
typedef struct {
    const char *name; // "--depth"
    ArgumentKind kind;
    size_t offset; // of what it goes to in the caller's struct
    int64_t min, max;
    double least, most;
    const char *def;   // what it is unless given, as one would give it; NULL: nothing
    const char *value; // what the help calls its value; NULL: as the kind has it
    const char *help;
    unsigned commands; // bits, 1 << index: those it belongs to; 0: only to the nameless
    bool is_required;
} Argument;

typedef struct {
    const char *name; // "--merge"
    const char *help;
} ArgumentCommand;

typedef struct {
    const char *program, *purpose;
    const char *remark;      // what ends the help, or NULL
    const Argument *options; // at most ARGUMENTS_MAX; of each command at most one list
    int option_count;
    const ArgumentCommand *commands; // may be NULL. The first is what is done when none is named
    int command_count;
} Arguments;

enum { ARGUMENTS_HELP = -1, ARGUMENTS_WRONG = -2 };

/* Reads `argc` words, the program's name not among them, into the struct at `to`, which is all zero
 * before. Returns the index of the command (0 where there are none), or ARGUMENTS_HELP if there is
 * a --help anywhere, or ARGUMENTS_WRONG with the reason in `error` (ARGUMENTS_ERROR_MAX bytes).
 * What was read points into `argv`, in which lists are gathered: its order changes. */
int arguments_read(const Arguments *arguments, void *to, int argc, char **argv, char *error);

/* Prints how to call the program. */
void arguments_print_help(const Arguments *arguments, FILE *out);
