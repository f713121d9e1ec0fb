// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The UCI options. From one table of all options this module prints the list for `uci`, parses
 * `setoption` and stores the values. */

#include <stddef.h>

#include "uci/settings.h"

typedef enum { OPTION_SPIN, OPTION_CHECK, OPTION_COMBO, OPTION_STRING, OPTION_BUTTON } OptionType;

/* A valid value of an option. */
typedef struct {
    int64_t number;   // of a spin; 0 or 1 of a check; index of a combo's choice
    const char *text; // of a string
} OptionValue;

/* An optional library, which a build may lack. */
typedef struct {
    const char *name;
    bool (*is_linked)(void);
} OptionLibrary;

/* If an option has a field in Settings, its value is stored there. `apply` produces any other
 * effect, after the value was stored. It prints the reason and returns false when the value cannot
 * be used. */
typedef struct {
    const char *name;
    OptionType type;
    int64_t initial, min, max;
    size_t field, field_size; // offset and size of the field in Settings; size 0: no field. A check
                              // has a bool, a spin or combo 32 or 64 bits, a string a char array
    bool (*apply)(Settings *settings, OptionValue value); // or NULL
    const char *alias;                                    // another accepted name, or NULL
    const char *(*choice)(int number);                    // names of a combo's choices 0..max
    int (*limit)(void);           // a lower maximum, of this machine; NULL: none
    const OptionLibrary *library; // needed for all values but the initial one; NULL: none
    bool is_shared; // all processes of a cluster need it; false for what the job of each search
                    // contains, and for analysis mode, learning, hash files, the log and clears:
                    // only process 0 has those, and the engine passes on each clear (peers.h)
    const char *purpose; // for `help`
} Option;

/* For tests: the table of all options, `*count` long. */
const Option *options_list(int *count);

/* The option that has this name or alias, in upper or lower case; else NULL. */
const Option *options_find(const char *name);

/* Sets every field of Settings to its initial value. `engine` is not changed: its own defaults are
 * the same. */
void options_init(Settings *settings, Engine *engine, Output *out);

/* The playing strength for a search of `root` within `limits`. */
Strength options_strength(const Settings *settings, const Position *root, const Limits *limits);

/* Appends the `option name ...` lines of `uci`. */
void options_print(StrBuf *buf);

/* Appends the options for `help` whose name or alias contains `part` ("": all), in upper or lower
 * case: initial value, range and purpose of each. */
void options_explain(StrBuf *buf, const char *part);

/* Splits the arguments of `setoption` in place into the name, with single blanks between its words,
 * and the value, which is the rest of the line, or NULL if missing. False when there is no name. */
bool options_split(char *arguments, char **name, char **value);

/* Parses `text` (NULL: no value was given) as a value of `option`. Returns false for an invalid
 * value. `message` (OPTION_MESSAGE_MAX bytes) holds the error, a warning that the value was
 * clamped, or "". */
enum { OPTION_MESSAGE_MAX = 256 };
bool options_parse(const Option *option, const char *text, OptionValue *value, char *message);

/* Runs `setoption` and prints errors as info strings. Returns false when the option keeps its
 * value. No search may be running. */
bool options_set(Settings *settings, char *arguments);
