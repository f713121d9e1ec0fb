// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The options, in one table that prints `uci`'s list, parses `setoption` and applies the values. */

#include "base/file.h"
#include "engine/engine.h"
#include "uci/output.h"

/* A hash file being written or read. */
typedef struct {
    struct Settings *settings;
    const char *verb; // what is done with it
    char path[FILE_PATH_MAX];
    int64_t start_ms, told_ms;
} HashFileWork;

/* What the options set, as far as it is not the pool's. */
typedef struct Settings {
    Engine *engine;
    Output *out;
    bool (*is_stopped)(void *ctx); // whether the order under way was told to stop; NULL: it was not
    void *ctx;
    int multi_pv;
    int overhead_ms;
    int nodes_per_ms; // 0: the clock on the wall counts
    bool chess960;
    bool shows_wdl;
    bool analysing;
    bool limits_strength;
    int elo;                       // to play at then
    uint64_t seed;                 // of its choices; 0: another for every game,
    uint64_t game_seed;            // which is this
    char hash_file[FILE_PATH_MAX]; // "": none
    bool hash_file_read_only;
    int hash_file_depth; // least depth saved
    int64_t hash_file_max_bytes;
    HashFileWork hash_saving; // the last one begun, which may be under way
} Settings;

typedef enum { OPTION_SPIN, OPTION_CHECK, OPTION_COMBO, OPTION_STRING, OPTION_BUTTON } OptionType;

/* A value that passed the option's test. */
typedef struct {
    int64_t number;   // of a spin; 0 or 1 of a check; a combo's choice, from 0
    const char *text; // of a string
} OptionValue;

typedef struct {
    const char *name, *alias; // alias: another spelling that is accepted, or NULL
    OptionType type;
    int64_t initial, min, max;
    bool (*set)(Settings *settings, OptionValue value); // NULL: there is nothing to do
    const char *(*choice)(int number);                  // of a combo: what 0..max are called
    const char *purpose;                                // for `help`
    bool (*is_linked)(void); // whether this build has what it sets; NULL: every build has
} Option;

/* The table of all options, `*count` long. */
const Option *options_list(int *count);

/* Whether this build has the option at all. */
bool options_is_offered(const Option *option);

/* The option of that name or alias, in any case of letters; NULL when there is none. */
const Option *options_find(const char *name);

/* Gives every setting its initial value. */
void options_init(Settings *settings, Engine *engine, Output *out);

/* The strength that a search within `limits` is to be played at. */
Strength options_strength(const Settings *settings, const Limits *limits);

/* Appends the `option name ...` lines. */
void options_print(Block *block);

/* Appends the list for people: value at first, range and purpose of each that is offered. */
void options_explain(Block *block);

/* Splits the arguments of `setoption` in place into the name, its words parted by single blanks,
 * and the value, which reaches to the end of the line; NULL when there is none. False when there is
 * no name. */
bool options_split(char *arguments, char **name, char **value);

/* Tests `text` (NULL: none was given) as a value of `option`. False when it is refused. `message`
 * (OPTION_MESSAGE_MAX bytes) says why, or what was changed to make it acceptable, or is "". */
enum { OPTION_MESSAGE_MAX = 256 };
bool options_parse(const Option *option, const char *text, OptionValue *value, char *message);

/* Carries out `setoption`; what is wrong is said in info strings. False when the option keeps its
 * value. No search may be running. */
bool options_set(Settings *settings, char *arguments);
