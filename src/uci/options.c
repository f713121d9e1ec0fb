// SPDX-License-Identifier: GPL-3.0-or-later
#include "uci/options.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/thread.h"
#include "search/params.h"
#include "tt/replacement.h"
#include "uci/commands/hash_files.h"
#include "uci/syzygy_check.h"

static bool apply_hash(Settings *settings, OptionValue value)
{
    bool kept;
    const Tt *const table = engine_table(settings->engine);
    const bool has_whole_keys = tt_has_whole_keys(table);
    const uint64_t requested = (uint64_t)value.number, old = table->bytes >> 20;
    const uint64_t got = engine_set_hash(settings->engine, requested, &kept);
    if (got != requested)
        output_line(settings->out, "info string hash: %" PRIu64 " MiB do not fit, using %" PRIu64,
                    requested, got);
    if (!kept) {
        if (has_whole_keys)
            output_line(settings->out,
                        "info string hash: the table was cleared, because memory is short");
        else
            output_line(
                settings->out,
                "info string hash: the table was cleared, because the entries of a table of "
                "%" PRIu64 " MiB cannot be moved",
                old);
        hash_auto_forget(settings);
    }
    return true;
}

static bool apply_threads(Settings *settings, OptionValue value)
{
    const int got = engine_set_threads(settings->engine, (int)value.number);
    if (got != value.number)
        output_line(settings->out, "info string threads: %" PRId64 " cannot be started, using %d",
                    value.number, got);
    return true;
}

static bool apply_clear_hash(Settings *settings, OptionValue value)
{
    (void)value;
    hash_files_clear(settings);
    return true;
}

static bool apply_replacement(Settings *settings, OptionValue value)
{
    engine_set_replacement(settings->engine, (Replacement)value.number);
    return true;
}

static const char *replacement_choice(int number)
{
    return replacement_name((Replacement)number);
}

static bool apply_save_hash(Settings *settings, OptionValue value)
{
    (void)value;
    return hash_files_save(settings, "");
}

static bool apply_load_hash(Settings *settings, OptionValue value)
{
    (void)value;
    return hash_files_load(settings, "");
}

static bool apply_hash_file(Settings *settings, OptionValue value)
{
    (void)value;
    return hash_auto_change(settings);
}

static bool apply_hash_file_auto(Settings *settings, OptionValue value)
{
    if (value.number == 0) // the table may be emptied before this option is set again
        hash_auto_forget(settings);
    engine_set_keeps_table(settings->engine, value.number != 0);
    return true;
}

/* Weaker play must not know the results of full strength: when it begins, the table is emptied, and
 * the file of HashFile Auto is not loaded until it ends. */
static bool apply_strength(Settings *settings, OptionValue value)
{
    (void)value;
    const bool was_weak = settings->is_weak;
    settings->is_weak = settings_weaken(settings);
    if (settings->is_weak && !was_weak)
        hash_files_clear(settings);
    else if (was_weak && !settings->is_weak)
        hash_auto_forget(settings);
    return true;
}

static bool apply_analysing(Settings *settings, OptionValue value)
{
    engine_set_analysing(settings->engine, settings_analyse(settings));
    return apply_strength(settings, value);
}

static bool apply_log_file(Settings *settings, OptionValue value)
{
    const char *const kind = hash_files_kept_kind(value.text);
    if (kind != NULL) {
        output_line(settings->out, "info string error: Debug Log File: '%s' is a %s", value.text,
                    kind);
        return false;
    }
    if (output_set_log(settings->out, value.text))
        return true;
    output_line(settings->out, "info string error: cannot write to the log file '%s': %s",
                value.text, strerror(errno));
    return false;
}

static bool apply_network(Settings *settings, OptionValue value)
{
    char error[NETWORK_ERROR_MAX];
    if (engine_set_network(settings->engine, value.text, error))
        return true;
    output_line(settings->out, "info string error: EvalFile: '%s' %s; the network stays as it was",
                value.text, error);
    return false;
}

/* With SyzygyVerify: false, with the reason in `error`, when a table is bad or the check was
 * stopped. Tables without sums pass. */
static bool verify_tables(const Settings *settings, const char *folders, char *error)
{
    SyzygyCheckCounts counts;
    if (!settings->verifies_tables || *folders == '\0')
        return true;
    const SyzygyCheckEnd end = syzygy_check(settings, folders, "SyzygyVerify", &counts, error);
    if (end == SYZYGY_CHECK_STOPPED)
        snprintf(error, SYZYGY_ERROR_MAX, "the check of the tables was stopped");
    if (end != SYZYGY_CHECK_DONE)
        return false;
    output_line(settings->out, "info string SyzygyVerify: %d tables intact, %d bad, %d without sum",
                counts.intact, counts.bad, counts.unlisted);
    if (counts.bad > 0)
        snprintf(error, SYZYGY_ERROR_MAX, "%d bad table%s", counts.bad, text_plural(counts.bad));
    return counts.bad == 0;
}

static bool open_tables(const Settings *settings, const char *folders, char *error)
{
    if (verify_tables(settings, folders, error))
        return engine_set_syzygy(settings->engine, folders, error);
    engine_refuse_syzygy(settings->engine, folders);
    return false;
}

static bool apply_syzygy_path(Settings *settings, OptionValue value)
{
    char error[SYZYGY_ERROR_MAX];
    const bool is_good = open_tables(settings, value.text, error);
    if (!is_good) {
        output_line(settings->out, "info string error: SyzygyPath: %s; no tables are in use",
                    error);
        return false;
    }
    const SyzygyTables *const tables = engine_syzygy_tables(settings->engine);
    if (tables->men > 0)
        output_line(settings->out, "info string SyzygyPath: %d WDL and %d DTZ tables, up to %d men",
                    tables->wdl_files, tables->dtz_files, tables->men);
    return true;
}

/* Has the same effect as if it had been set before SyzygyPath. */
static bool apply_syzygy_verify(Settings *settings, OptionValue value)
{
    const char *const folders = engine_syzygy_folders(settings->engine);
    const bool is_open = engine_syzygy_tables(settings->engine)->men > 0;
    if (*folders == '\0' || (value.number == 0 && is_open))
        return true;
    char *const copy = strdup(folders); // opening replaces the list
    if (copy == NULL)
        output_line(settings->out, "info string error: SyzygyVerify: out of memory");
    const bool is_good = copy != NULL && apply_syzygy_path(settings, (OptionValue){.text = copy});
    free(copy);
    return is_good;
}

static bool apply_syzygy(Settings *settings, OptionValue value)
{
    (void)value;
    engine_set_syzygy_use(settings->engine, settings->syzygy);
    return true;
}

static bool apply_learning(Settings *settings, OptionValue value)
{
    (void)value;
    if (learning_set_options(engine_learning(settings->engine), &settings->learning))
        engine_clear_hash(settings->engine); // unsaved results depend on the old options
    return true;
}

static const char *memory_choice(int number)
{
    return learning_mode_name((LearningMode)number);
}

static const char *policy_choice(int number)
{
    return learned_policy_name((LearnPolicy)number);
}

#define FIELD(member) offsetof(Settings, member), sizeof((Settings){0}.member)
#define NO_FIELD 0, 0

static const OptionLibrary FATHOM = {"libfathom", syzygy_is_linked};
static const OptionLibrary SQLITE = {"SQLite", learn_store_is_linked};

/* Name, type, initial value, minimum, maximum, field, optional function; then optional parts by
 * name. Most GUIs show the options in this order, which is that of Stockfish; our own options stand
 * after those that they belong to. GUIs set the options in any order, so the effect of an option
 * must not depend on the order. The option Ponder has no effect in the engine, but GUIs do not
 * ponder without it. */
// clang-format off
static const Option OPTIONS[] = {
    {"Debug Log File", OPTION_STRING, 0, 0, 0, NO_FIELD, apply_log_file,
     .purpose = "log file of all input and output, with times"},
    {"Threads", OPTION_SPIN, 1, 1, ENGINE_MAX_THREADS, NO_FIELD, apply_threads,
     .limit = thread_limit,
     .is_shared = true,
     .purpose = "number of search threads; they share one table"},
    {"Hash", OPTION_SPIN, 16, 1, TT_MIB_MAX, NO_FIELD, apply_hash,
     .is_shared = true,
     .purpose = "size of the transposition table in MiB; a change keeps its entries"},
    {"Clear Hash", OPTION_BUTTON, 0, 0, 0, NO_FIELD, apply_clear_hash,
     .purpose = "clear the transposition table"},
    {"Ponder", OPTION_CHECK, 0, 0, 1, NO_FIELD,
     .purpose = "tell the GUI that the engine can ponder; go ponder always works"},
    {"MultiPV", OPTION_SPIN, 1, 1, MULTI_PV_MAX, FIELD(job.multi_pv),
     .purpose = "number of best lines to search and show"},
    {"Move Overhead", OPTION_SPIN, 10, 0, 10000, FIELD(job.overhead_ms), .alias = "MoveOverhead",
     .purpose = "ms lost per move between engine and GUI"},
    {"nodestime", OPTION_SPIN, 0, 0, 10000, FIELD(job.nodes_per_ms),
     .purpose = "count this many nodes as 1 ms, for games that can be repeated; 0: off"},
    {"UCI_Chess960", OPTION_CHECK, 0, 0, 1, FIELD(chess960),
     .purpose = "Chess960: castling is written as king takes rook"},
    {"UCI_AnalyseMode", OPTION_CHECK, 0, 0, 1, FIELD(analysing), apply_analysing,
     .purpose = "for analysis: ucinewgame keeps the table"},
    {"Analysis Mode", OPTION_CHECK, 0, 0, 1, FIELD(analysing_too), apply_analysing,
     .purpose = "the same as UCI_AnalyseMode, for GUIs that hide options named UCI_"},
    {"UCI_LimitStrength", OPTION_CHECK, 0, 0, 1, FIELD(limits_strength), apply_strength,
     .purpose = "play games at UCI_Elo; analysis has full strength"},
    {"UCI_Elo", OPTION_SPIN, STRENGTH_ELO_MAX, STRENGTH_ELO_MIN, STRENGTH_ELO_MAX, FIELD(elo),
     .purpose = "playing strength, independent of the machine's speed"},
    {"Strength Seed", OPTION_SPIN, 0, 0, INT32_MAX, FIELD(strength_seed),
     .purpose = "random seed of weaker play; 0: a new one for each game"},
    {"UCI_ShowWDL", OPTION_CHECK, 0, 0, 1, FIELD(shows_wdl),
     .purpose = "show with each score the wins, draws and losses expected in 1000 games"},
    {"Show WDL", OPTION_CHECK, 0, 0, 1, FIELD(shows_wdl_too),
     .purpose = "the same as UCI_ShowWDL, for GUIs that hide options named UCI_"},
    {"SyzygyPath", OPTION_STRING, 0, 0, 0, NO_FIELD, apply_syzygy_path, .library = &FATHOM,
     .is_shared = true,
     .purpose = "folders of Syzygy tables, separated by colons (Windows: semicolons)"},
    {"SyzygyProbeDepth", OPTION_SPIN, SYZYGY_DEPTH, 1, 100, FIELD(syzygy.depth), apply_syzygy,
     .library = &FATHOM,
     .is_shared = true,
     .purpose = "least depth to probe positions with as many men as tables and limit allow"},
    {"Syzygy50MoveRule", OPTION_CHECK, 1, 0, 1, FIELD(syzygy.rule50), apply_syzygy,
     .library = &FATHOM,
     .is_shared = true,
     .purpose = "count wins that the fifty-move rule prevents as draws"},
    {"SyzygyProbeLimit", OPTION_SPIN, SYZYGY_MEN_MAX, 0, SYZYGY_MEN_MAX, FIELD(syzygy.men), apply_syzygy,
     .library = &FATHOM,
     .is_shared = true,
     .purpose = "do not probe positions with more men (pieces, with kings and pawns)"},
    {"SyzygyVerify", OPTION_CHECK, 0, 0, 1, FIELD(verifies_tables), apply_syzygy_verify,
     .library = &FATHOM,
     .is_shared = true,
     .purpose = "first compare all tables with MD5SUMS; use none if one is altered"},
    {"EvalFile", OPTION_STRING, 0, 0, 0, NO_FIELD, apply_network,
     .is_shared = true,
     .purpose = "network to use instead of the built-in one"},
    {"Replacement", OPTION_COMBO, REPLACE_TWO_DEEP, 0, REPLACEMENT_NB - 1, NO_FIELD, apply_replacement,
     .choice = replacement_choice,
     .is_shared = true,
     .purpose = "replacement scheme of the table; a change clears it"},
    {"HashFile", OPTION_STRING, 0, 0, 0, FIELD(hash_file), apply_hash_file,
     .purpose = "the file for Save Hash and Load Hash"},
    {"HashFile Auto", OPTION_CHECK, 0, 0, 1, FIELD(hash_file_auto), apply_hash_file_auto,
     .purpose = "load HashFile at the start; if not ReadOnly, save it at quit and in analysis"},
    {"HashFile ReadOnly", OPTION_CHECK, 1, 0, 1, FIELD(hash_file_read_only),
     .purpose = "never write to the file of HashFile"},
    {"HashFile Interval", OPTION_SPIN, 300, 1, 86400, FIELD(hash_file_interval_s),
     .purpose = "seconds of analysis between two saves of HashFile Auto"},
    {"HashFile MinDepth", OPTION_SPIN, 6, 1, 255, FIELD(hash_file_min_depth),
     .purpose = "save only entries of at least this depth"},
    {"HashFile MaxMB", OPTION_SPIN, 1024, 1, 1048576, FIELD(hash_file_max_mib),
     .purpose = "size limit of a hash file in MiB; beyond it only deeper entries are saved"},
    {"Save Hash", OPTION_BUTTON, 0, 0, 0, NO_FIELD, apply_save_hash, .alias = "SaveHashtoFile",
     .purpose = "save the table to the file of HashFile"},
    {"Load Hash", OPTION_BUTTON, 0, 0, 0, NO_FIELD, apply_load_hash, .alias = "LoadHashfromFile",
     .purpose = "add the entries of the file of HashFile to the table"},
    {"Memory", OPTION_COMBO, LEARNING_OFF, 0, LEARNING_MODE_NB - 1, FIELD(learning.mode), apply_learning,
     .choice = memory_choice, .library = &SQLITE,
     .purpose = "position learning: remember positions from game to game"},
    {"MemoryFile", OPTION_STRING, 0, 0, 0, FIELD(learning.path), apply_learning,
     .library = &SQLITE,
     .purpose = "SQLite database of learned positions"},
    {"MemoryPolicy", OPTION_COMBO, LEARN_CRAFTY, 0, LEARN_POLICY_NB - 1, FIELD(learning.policy), apply_learning,
     .choice = policy_choice, .library = &SQLITE,
     .purpose = "which positions are learned and how their scores are used"},
    {"MemoryFuzz", OPTION_SPIN, LEARNING_FUZZ, 0, 1000, FIELD(learning.fuzz), apply_learning,
     .library = &SQLITE,
     .purpose = "assumed error of a learned score, in internal units"},
    {"MemoryMax", OPTION_SPIN, LEARNING_MAX, 1, 10000000, FIELD(learning.max), apply_learning,
     .library = &SQLITE,
     .purpose = "number of learned positions; beyond it the oldest are deleted"},
};
// clang-format on

enum { OPTION_COUNT = sizeof OPTIONS / sizeof OPTIONS[0] };

const Option *options_list(int *count)
{
    *count = OPTION_COUNT;
    return OPTIONS;
}

const Option *options_find(const char *name)
{
    for (int i = 0; i < OPTION_COUNT; i++) {
        const Option *const o = &OPTIONS[i];
        if (text_equal_nocase(name, o->name) ||
            (o->alias != NULL && text_equal_nocase(name, o->alias)))
            return o;
    }
    return NULL;
}

Strength options_strength(const Settings *settings, const Position *root, const Limits *limits)
{
    if (!settings_weaken(settings) || !strength_applies(limits))
        return (Strength){.nodes = 0};
    const uint64_t seed =
        settings->strength_seed != 0 ? (uint64_t)settings->strength_seed : settings->game_seed;
    return strength_at(settings->elo, popcount(pos_occupied(root)), seed);
}

/* Stores the value in the option's field, if it has one. False when a text is too long. */
static bool store(const Option *option, OptionValue value, Settings *settings)
{
    char *const field = (char *)settings + option->field;
    const bool as_bool = value.number != 0;
    const int32_t as_int = (int32_t)value.number;
    if (option->field_size == 0)
        return true;
    if (option->type == OPTION_STRING)
        return strlen(value.text) < option->field_size &&
               text_copy(field, option->field_size, value.text);
    if (option->type == OPTION_CHECK)
        memcpy(field, &as_bool, sizeof as_bool);
    else if (option->field_size == sizeof as_int)
        memcpy(field, &as_int, sizeof as_int);
    else
        memcpy(field, &value.number, sizeof value.number);
    return true;
}

void options_init(Settings *settings, Engine *engine, Output *out)
{
    *settings = (Settings){.engine = engine, .out = out};
    for (int i = 0; i < OPTION_COUNT; i++)
        store(&OPTIONS[i], (OptionValue){.number = OPTIONS[i].initial, .text = ""}, settings);
}

static int64_t spin_max(const Option *option)
{
    const int64_t limit = option->limit != NULL ? option->limit() : option->max;
    return limit < option->max ? limit : option->max;
}

static void print_spin(StrBuf *buf, const char *name, int64_t initial, int64_t min, int64_t max)
{
    strbuf_add(buf,
               "option name %s type spin default %" PRId64 " min %" PRId64 " max %" PRId64 "\n",
               name, initial, min, max);
}

static void print_combo(StrBuf *buf, const Option *option)
{
    strbuf_add(buf, "option name %s type combo default %s", option->name,
               option->choice((int)option->initial));
    for (int i = 0; i <= option->max; i++)
        strbuf_add(buf, " var %s", option->choice(i));
    strbuf_add(buf, "\n");
}

void options_print(StrBuf *buf)
{
    for (int i = 0; i < OPTION_COUNT; i++) {
        const Option *const o = &OPTIONS[i];
        switch (o->type) {
        case OPTION_SPIN: print_spin(buf, o->name, o->initial, o->min, spin_max(o)); break;
        case OPTION_CHECK:
            strbuf_add(buf, "option name %s type check default %s\n", o->name,
                       o->initial ? "true" : "false");
            break;
        case OPTION_COMBO: print_combo(buf, o); break;
        case OPTION_STRING:
            strbuf_add(buf, "option name %s type string default <empty>\n", o->name);
            break;
        case OPTION_BUTTON: strbuf_add(buf, "option name %s type button\n", o->name); break;
        }
    }
    int count;
    const ParamRange *const list = params_list(&count);
    for (int i = 0; params_are_tunable && i < count; i++)
        print_spin(buf, list[i].name, list[i].value, list[i].min, list[i].max);
}

/* Appends the initial value and the range or choices of the option. */
static void explain_values(StrBuf *buf, const Option *option)
{
    switch (option->type) {
    case OPTION_SPIN:
        strbuf_add(buf, "%" PRId64 "; %" PRId64 "..%" PRId64, option->initial, option->min,
                   spin_max(option));
        break;
    case OPTION_CHECK: strbuf_add(buf, "%s", option->initial ? "true" : "false"); break;
    case OPTION_COMBO:
        strbuf_add(buf, "%s;", option->choice((int)option->initial));
        for (int i = 0; i <= option->max; i++)
            strbuf_add(buf, " %s", option->choice(i));
        break;
    case OPTION_STRING: strbuf_add(buf, "path"); break;
    case OPTION_BUTTON: strbuf_add(buf, "button"); break;
    }
}

static bool is_called(const Option *option, const char *part)
{
    return text_contains_nocase(option->name, part) ||
           (option->alias != NULL && text_contains_nocase(option->alias, part));
}

void options_explain(StrBuf *buf, const char *part)
{
    for (int i = 0; i < OPTION_COUNT; i++) {
        if (!is_called(&OPTIONS[i], part))
            continue;
        strbuf_add(buf, "  %s (", OPTIONS[i].name);
        explain_values(buf, &OPTIONS[i]);
        strbuf_add(buf, ")\n            %s\n", OPTIONS[i].purpose);
    }
}

bool options_split(char *arguments, char **name, char **value)
{
    char *cursor = arguments;
    const char *const first = text_word(&cursor);
    if (first == NULL || !text_equal_nocase(first, "name"))
        return false;
    *name = cursor;
    char *const after_name = text_join_words(cursor, "value");
    *value = after_name != NULL ? text_unquote(after_name) : NULL;
    return **name != '\0';
}

/* Parses the value of a spin. A value out of range is clamped, with a warning. */
static bool parse_spin(const Option *option, const char *text, int64_t *number, char *message)
{
    switch (text_clamp_int(text, option->min, spin_max(option), number)) {
    case TEXT_INT_OK: return true;
    case TEXT_INT_NOT_A_NUMBER:
        snprintf(message, OPTION_MESSAGE_MAX, "error: option %s: '%.*s' is not a number",
                 option->name, text_cut(text, 40), text);
        return false;
    default:
        snprintf(message, OPTION_MESSAGE_MAX, "option %s: %.*s is out of range, using %" PRId64,
                 option->name, text_cut(text, 40), text, *number);
        return true;
    }
}

static bool parse_check(const Option *option, const char *text, int64_t *number, char *message)
{
    *number = text_equal_nocase(text, "true");
    if (*number || text_equal_nocase(text, "false"))
        return true;
    snprintf(message, OPTION_MESSAGE_MAX, "error: option %s: '%.*s' is neither true nor false",
             option->name, text_cut(text, 40), text);
    return false;
}

static bool parse_combo(const Option *option, const char *text, int64_t *number, char *message)
{
    for (int i = 0; i <= option->max; i++)
        if (text_equal_nocase(text, option->choice(i))) {
            *number = i;
            return true;
        }
    int length = snprintf(message, OPTION_MESSAGE_MAX, "error: option %s: '%.*s' is not one of",
                          option->name, text_cut(text, 40), text);
    for (int i = 0; i <= option->max && length < OPTION_MESSAGE_MAX; i++)
        length += snprintf(message + length, OPTION_MESSAGE_MAX - (size_t)length, " %s",
                           option->choice(i));
    return false;
}

bool options_parse(const Option *option, const char *text, OptionValue *value, char *message)
{
    *message = '\0';
    *value = (OptionValue){.number = 0, .text = text != NULL ? text : ""};
    if (option->type == OPTION_STRING && text_equal_nocase(value->text, "<empty>"))
        value->text = "";
    if (option->type == OPTION_BUTTON || option->type == OPTION_STRING)
        return true; // some GUIs leave out the value instead of sending an empty string
    if (value->text[0] == '\0') {
        snprintf(message, OPTION_MESSAGE_MAX, "error: option %s needs a value", option->name);
        return false;
    }
    if (option->type == OPTION_SPIN)
        return parse_spin(option, text, &value->number, message);
    if (option->type == OPTION_COMBO)
        return parse_combo(option, text, &value->number, message);
    return parse_check(option, text, &value->number, message);
}

/* Writes the search parameter with this name to `option`, as a spin. False when there is none, or
 * when this is not a build by `make tune`. */
static bool find_param(const char *name, Option *option)
{
    int count;
    const ParamRange *const list = params_list(&count);
    for (int i = 0; params_are_tunable && i < count; i++)
        if (text_equal_nocase(name, list[i].name)) {
            *option = (Option){.name = list[i].name,
                               .type = OPTION_SPIN,
                               .initial = list[i].value,
                               .min = list[i].min,
                               .max = list[i].max};
            return true;
        }
    return false;
}

static bool is_initial(const Option *option, OptionValue value)
{
    return option->type == OPTION_STRING ? *value.text == '\0' : value.number == option->initial;
}

/* Without the option's library only the initial value can be set; GUIs send it, too. */
static bool set_value(const Option *option, OptionValue value, Settings *settings)
{
    if (option->library != NULL && !option->library->is_linked()) {
        if (!is_initial(option, value))
            output_line(settings->out, "info string error: %s: this program was built without %s",
                        option->name, option->library->name);
        return is_initial(option, value);
    }
    if (!store(option, value, settings)) {
        output_line(settings->out, "info string error: option %s: the text is too long",
                    option->name);
        return false;
    }
    return option->apply == NULL || option->apply(settings, value);
}

bool options_set(Settings *settings, char *arguments)
{
    char *name, *text, message[OPTION_MESSAGE_MAX];
    if (!options_split(arguments, &name, &text)) {
        output_line(settings->out, "info string error: setoption needs: name <option> value <x>");
        return false;
    }
    Option param;
    const Option *const known = options_find(name);
    if (known == NULL && !find_param(name, &param)) {
        output_line(settings->out, "info string error: there is no option '%.*s'",
                    text_cut(name, 80), name);
        return false;
    }
    OptionValue value;
    const bool is_good = options_parse(known != NULL ? known : &param, text, &value, message);
    if (*message != '\0')
        output_line(settings->out, "info string %s", message);
    if (is_good && known == NULL)
        params_set(param.name, (int)value.number);
    else if (is_good)
        return set_value(known, value, settings);
    return is_good;
}
