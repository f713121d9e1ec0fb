// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Command lines described by a table. Each option is one line of the table: name, kind, range,
 * default, help and the field that receives the value. arguments_read() parses and checks from that
 * table, arguments_print_help() prints it. Parsing is strict: an unknown word is an error.
 *
 * A word that begins with '-' is an option or, as the first word, a command. The next word is the
 * option's value, unless the option is a flag. All other words are operands. Options and operands
 * may come in any order.
 *
 * Hand-written because getopt_long() leaves types, ranges, defaults, commands and help texts to the
 * caller, and accepts abbreviated names, which the strict rule forbids. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { ARGUMENTS_ERROR_MAX = 256, ARGUMENTS_MAX = 64 };

typedef enum {
    ARGUMENT_INTEGER, // `min`..`max`, stored as int64_t
    ARGUMENT_REAL,    // `least`..`most`, stored as double
    ARGUMENT_TEXT,    // stored as const char *
    ARGUMENT_FLAG,    // takes no value; sets a bool
    ARGUMENT_SHARD,   // "i/n" with 1 <= i <= n, stored as Shard
    ARGUMENT_LIST     // one or more words, stored as ArgumentList
} ArgumentKind;

/* Part `number` of `count` of a run: does every `count`-th item of the work. Each part writes its
 * own file; concatenating these files gives the result of the whole run. */
typedef struct {
    int64_t number, count; // both from 1
} Shard;

typedef struct {
    char **words;
    int count;
} ArgumentList;

/* One option or operand. It is an option when its name begins with '-'. Operands receive their
 * values in the order of the table, and all of them are required. An ARGUMENT_LIST receives
 * operands even when its name begins with '-'. "--data a b" and "a b" then give the same list. */
typedef struct {
    const char *name; // "--depth"
    ArgumentKind kind;
    size_t offset; // of the receiving field in the caller's struct
    int64_t min, max;
    double least, most;
    const char *def;   // default, as typed on the command line; NULL: none
    const char *value; // name of the value in the help; NULL: the kind's usual name
    const char *help;
    unsigned commands; // bit set (1 << index) of the commands that accept it; 0: only the default
    bool is_required;
} Argument;

typedef struct {
    const char *name; // "--merge"
    const char *help;
} ArgumentCommand;

typedef struct {
    const char *program, *purpose;
    const char *remark;      // last paragraph of the help, or NULL
    const Argument *options; // at most ARGUMENTS_MAX, at most one list for each command
    int option_count;
    const ArgumentCommand *commands; // or NULL; the first is the default, and its name is unused
    int command_count;
} Arguments;

/* Exit status of a program whose command line is wrong. */
enum { EXIT_USAGE = 2 };

enum { ARGUMENTS_HELP = -1, ARGUMENTS_WRONG = -2 };

/* Parses `argc` words, without the program's name, into the zeroed struct at `to`.
 * Returns the index of the command (0: the default), ARGUMENTS_HELP if any word is --help, or
 * ARGUMENTS_WRONG with the reason in `error` (ARGUMENTS_ERROR_MAX bytes). Texts and lists point
 * into `argv`, which is reordered to make lists contiguous. */
int arguments_read(const Arguments *arguments, void *to, int argc, char **argv, char *error);

/* Prints the help text. */
void arguments_print_help(const Arguments *arguments, FILE *out);
