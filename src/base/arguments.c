// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/arguments.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "base/text.h"

enum { SHARDS_MAX = 1000000, HELP_COLUMN = 26, HELP_WIDTH = 96 };

typedef struct {
    const Arguments *arguments;
    char *to;
    int command;
    uint64_t given;    // set of the options given, one bit each
    char **list_words; // start of argv, where the words of the list are collected. This overwrites
                       // only words that have been read
    char *error;
} Reading;

static bool belongs(const Argument *argument, int command)
{
    const unsigned commands = argument->commands != 0 ? argument->commands : 1;
    return (commands >> command & 1) != 0;
}

static bool is_operand(const Argument *argument)
{
    return argument->name[0] != '-' || argument->kind == ARGUMENT_LIST;
}

static bool read_shard(const char *text, Shard *shard)
{
    char number[16];
    const char *const slash = strchr(text, '/');
    if (slash == NULL || (size_t)(slash - text) >= sizeof number)
        return false;
    memcpy(number, text, (size_t)(slash - text));
    number[slash - text] = '\0';
    return text_parse_int(slash + 1, 1, SHARDS_MAX, &shard->count) &&
           text_parse_int(number, 1, shard->count, &shard->number);
}

static bool refuse_value(const Reading *reading, const Argument *argument, const char *value)
{
    char expected[96];
    if (argument->kind == ARGUMENT_INTEGER)
        snprintf(expected, sizeof expected, "a whole number from %" PRId64 " to %" PRId64,
                 argument->min, argument->max);
    else if (argument->kind == ARGUMENT_REAL)
        snprintf(expected, sizeof expected, "a number from %g to %g", argument->least,
                 argument->most);
    else
        snprintf(expected, sizeof expected, "i/n with 1 <= i <= n");
    snprintf(reading->error, ARGUMENTS_ERROR_MAX, "%s %.*s: not %s", argument->name,
             text_cut(value, 40), value, expected);
    return false;
}

static bool read_value(const Reading *reading, const Argument *argument, const char *value)
{
    void *const to = reading->to + argument->offset;
    bool is_read = true;
    switch (argument->kind) {
    case ARGUMENT_INTEGER: is_read = text_parse_int(value, argument->min, argument->max, to); break;
    case ARGUMENT_REAL:
        is_read = text_parse_real(value, argument->least, argument->most, to);
        break;
    case ARGUMENT_SHARD: is_read = read_shard(value, to); break;
    case ARGUMENT_TEXT: *(const char **)to = value; break;
    case ARGUMENT_FLAG:
    case ARGUMENT_LIST: break;
    }
    return is_read || refuse_value(reading, argument, value);
}

/* Stores `value`, which is NULL when the command line ends before it. False, with the reason in the
 * error text, when the value is missing or wrong. */
static bool take(Reading *reading, const Argument *argument, char *value)
{
    void *const to = reading->to + argument->offset;
    reading->given |= UINT64_C(1) << (argument - reading->arguments->options);
    if (argument->kind == ARGUMENT_FLAG) {
        *(bool *)to = true;
        return true;
    }
    if (value == NULL || value[0] == '\0') {
        snprintf(reading->error, ARGUMENTS_ERROR_MAX, "%s: needs a value", argument->name);
        return false;
    }
    if (argument->kind != ARGUMENT_LIST)
        return read_value(reading, argument, value);
    ArgumentList *const list = to;
    list->words = reading->list_words;
    list->words[list->count++] = value;
    return true;
}

static bool is_given(const Reading *reading, int i)
{
    return (reading->given >> i & 1) != 0;
}

/* Index of the command with this name; 0: there is none. */
static int find_command(const Arguments *arguments, const char *word)
{
    for (int i = 1; i < arguments->command_count; i++)
        if (strcmp(word, arguments->commands[i].name) == 0)
            return i;
    return 0;
}

/* Returns the option named `word`, or the operand whose value it is. NULL, with the reason in the
 * error text, when there is none. */
static const Argument *find(const Reading *reading, const char *word)
{
    const Argument *const options = reading->arguments->options;
    for (int i = 0; i < reading->arguments->option_count; i++) {
        const bool has_room = options[i].kind == ARGUMENT_LIST || !is_given(reading, i);
        if (belongs(&options[i], reading->command) &&
            (word[0] == '-' ? strcmp(options[i].name, word) == 0
                            : is_operand(&options[i]) && has_room))
            return &options[i];
    }
    if (find_command(reading->arguments, word) > 0) {
        snprintf(reading->error, ARGUMENTS_ERROR_MAX, "%s: must be the first argument", word);
        return NULL;
    }
    snprintf(reading->error, ARGUMENTS_ERROR_MAX, "%.*s: %s%s%s; --help shows all there are",
             text_cut(word, 80), word, word[0] == '-' ? "no such option" : "unexpected argument",
             reading->command > 0 ? " of " : "",
             reading->command > 0 ? reading->arguments->commands[reading->command].name : "");
    return NULL;
}

static bool take_defaults(const Reading *reading)
{
    const Arguments *const arguments = reading->arguments;
    for (int i = 0; i < arguments->option_count; i++) {
        const Argument *const option = &arguments->options[i];
        if (option->def != NULL && !read_value(reading, option, option->def))
            return false;
    }
    return true;
}

static bool is_complete(const Reading *reading)
{
    const Arguments *const arguments = reading->arguments;
    for (int i = 0; i < arguments->option_count; i++) {
        const Argument *const option = &arguments->options[i];
        const bool is_named = option->name[0] == '-';
        if (!belongs(option, reading->command) || is_given(reading, i) ||
            (is_named && !option->is_required))
            continue;
        if (is_named || reading->command == 0)
            snprintf(reading->error, ARGUMENTS_ERROR_MAX, "%s is missing; --help shows all options",
                     option->name);
        else
            snprintf(reading->error, ARGUMENTS_ERROR_MAX, "%s: needs %s; --help shows how",
                     arguments->commands[reading->command].name, option->name);
        return false;
    }
    return true;
}

int arguments_read(const Arguments *arguments, void *to, int argc, char **argv, char *error)
{
    assert(arguments->option_count <= ARGUMENTS_MAX);
    Reading reading = {.arguments = arguments, .to = to, .list_words = argv, .error = error};
    for (int i = 0; i < argc; i++)
        if (strcmp(argv[i], "--help") == 0)
            return ARGUMENTS_HELP;
    if (argc > 0)
        reading.command = find_command(arguments, argv[0]);
    if (!take_defaults(&reading))
        return ARGUMENTS_WRONG;
    for (int i = reading.command > 0; i < argc; i++) {
        const Argument *const argument = find(&reading, argv[i]);
        if (argument == NULL)
            return ARGUMENTS_WRONG;
        const bool is_before_value = argv[i][0] == '-' && argument->kind != ARGUMENT_FLAG;
        i += is_before_value;
        if (!take(&reading, argument, i < argc ? argv[i] : NULL))
            return ARGUMENTS_WRONG;
    }
    return is_complete(&reading) ? reading.command : ARGUMENTS_WRONG;
}

/* Prints `text` wrapped, starting at column `indent`; further lines are indented to it. */
static void print_wrapped(FILE *out, const char *text, int indent)
{
    int column = indent;
    while (*text != '\0') {
        const int length = (int)strcspn(text, " \n");
        fprintf(out, "%.*s", length, text);
        column += length;
        text += length;
        if (*text == '\0')
            break;
        const int next = (int)strcspn(text + 1, " \n");
        const bool is_over = *text++ == '\n' || column + 1 + next > HELP_WIDTH;
        fprintf(out, "%s%*s", is_over ? "\n" : " ", is_over ? indent : 0, "");
        column = is_over ? indent : column + 1;
    }
    fputs("\n", out);
}

/* Prints an operand, or an option with the name of its value. Returns the number of characters. */
static int print_argument(FILE *out, const Argument *argument)
{
    static const char *const VALUES[] = {
        [ARGUMENT_INTEGER] = "N", [ARGUMENT_REAL] = "X",    [ARGUMENT_TEXT] = "TEXT",
        [ARGUMENT_FLAG] = "",     [ARGUMENT_SHARD] = "i/n", [ARGUMENT_LIST] = "TEXT"};
    const char *const value = argument->value != NULL ? argument->value : VALUES[argument->kind];
    const bool is_list = argument->kind == ARGUMENT_LIST;
    if (argument->name[0] != '-')
        return fprintf(out, "%s%s", argument->name, is_list ? "..." : "");
    if (is_list)
        return fprintf(out, "[%s] %s...", argument->name, value);
    return fprintf(out, "%s%s%s", argument->name, value[0] != '\0' ? " " : "", value);
}

/* Prints the operands of a command, or its options. Leaves out the optional options of the default
 * command, which are too many for one line. */
static void print_arguments(const Arguments *arguments, int command, bool operands, FILE *out)
{
    for (int i = 0; i < arguments->option_count; i++) {
        const Argument *const option = &arguments->options[i];
        const bool is_optional = !operands && !option->is_required;
        if (!belongs(option, command) || is_operand(option) != operands ||
            (is_optional && command == 0))
            continue;
        fputs(is_optional ? " [" : " ", out);
        print_argument(out, option);
        fputs(is_optional ? "]" : "", out);
    }
}

static void print_synopsis(const Arguments *arguments, int command, FILE *out)
{
    const bool has_name = command > 0;
    fprintf(out, "\n%s%s%s", arguments->program, has_name ? " " : "",
            has_name ? arguments->commands[command].name : "");
    print_arguments(arguments, command, false, out);
    fputs(has_name ? "" : " [options]", out);
    print_arguments(arguments, command, true, out);
    fputs("\n", out);
}

/* Prints an option with its explanation; nothing for one without. */
static void print_option(FILE *out, const Argument *option)
{
    char text[1024];
    if (option->help == NULL)
        return;
    fputs("  ", out);
    const int width = 2 + print_argument(out, option);
    const bool fits = width < HELP_COLUMN;
    const bool has_def = option->def != NULL;
    fprintf(out, "%s%*s", fits ? "" : "\n", fits ? HELP_COLUMN - width : HELP_COLUMN, "");
    snprintf(text, sizeof text, "%s%s%s%s", option->help, has_def ? " (" : "",
             has_def ? option->def : "", has_def ? ")" : "");
    print_wrapped(out, text, HELP_COLUMN);
}

void arguments_print_help(const Arguments *arguments, FILE *out)
{
    print_wrapped(out, arguments->purpose, 0);
    print_synopsis(arguments, 0, out);
    for (int i = 0; i < arguments->option_count; i++)
        if (belongs(&arguments->options[i], 0))
            print_option(out, &arguments->options[i]);
    for (int i = 1; i < arguments->command_count; i++) {
        print_synopsis(arguments, i, out);
        fprintf(out, "%*s", HELP_COLUMN, "");
        print_wrapped(out, arguments->commands[i].help, HELP_COLUMN);
        for (int j = 0; j < arguments->option_count; j++)
            if (belongs(&arguments->options[j], i) && !belongs(&arguments->options[j], 0))
                print_option(out, &arguments->options[j]);
    }
    if (arguments->command_count > 0)
        fprintf(out, "\n%s --help\n", arguments->program);
    if (arguments->remark != NULL) {
        fputs("\n", out);
        print_wrapped(out, arguments->remark, 0);
    }
}
