// SPDX-License-Identifier: GPL-3.0-or-later
#include "uci/options.h"

#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "search/params.h"
#include "tt/replacement.h"
#include "uci/commands/hashfile.h"
#include "uci/report.h"

static bool set_hash(Settings *settings, OptionValue value)
{
    bool kept;
    const uint64_t asked = (uint64_t)value.number;
    const uint64_t got = engine_set_hash(settings->engine, asked, &kept);
    if (got != asked)
        output_line(settings->out, "info string hash: asked %" PRIu64 " MiB, got %" PRIu64, asked,
                    got);
    if (!kept)
        output_line(settings->out, "info string hash: what the table knew could not be kept");
    return true;
}

static bool set_threads(Settings *settings, OptionValue value)
{
    const int got = engine_set_threads(settings->engine, (int)value.number);
    if (got != value.number)
        output_line(settings->out, "info string threads: asked %" PRId64 ", got %d", value.number,
                    got);
    return true;
}

static bool set_clear_hash(Settings *settings, OptionValue value)
{
    (void)value;
    engine_clear_hash(settings->engine);
    return true;
}

static bool set_replacement(Settings *settings, OptionValue value)
{
    engine_set_replacement(settings->engine, (Replacement)value.number);
    return true;
}

static const char *name_replacement(int number)
{
    return replacement_name((Replacement)number);
}

static bool set_hash_file(Settings *settings, OptionValue value)
{
    const char *const path = text_equal_nocase(value.text, "<empty>") ? "" : value.text;
    if (text_copy(settings->hash_file, sizeof settings->hash_file, path))
        return true;
    settings->hash_file[0] = '\0';
    output_line(settings->out, "info string error: HashFile: the path is too long; there is none");
    return false;
}

static bool set_hash_file_read_only(Settings *settings, OptionValue value)
{
    settings->hash_file_read_only = value.number != 0;
    return true;
}

static bool set_hash_file_depth(Settings *settings, OptionValue value)
{
    settings->hash_file_depth = (int)value.number;
    return true;
}

static bool set_hash_file_max(Settings *settings, OptionValue value)
{
    settings->hash_file_max_bytes = value.number << 20;
    return true;
}

static bool set_save_hash(Settings *settings, OptionValue value)
{
    (void)value;
    return hashfile_command_save(settings, "");
}

static bool set_load_hash(Settings *settings, OptionValue value)
{
    (void)value;
    return hashfile_command_load(settings, "");
}

static bool set_multi_pv(Settings *settings, OptionValue value)
{
    settings->multi_pv = (int)value.number;
    return true;
}

static bool set_overhead(Settings *settings, OptionValue value)
{
    settings->overhead_ms = (int)value.number;
    return true;
}

static bool set_nodes_time(Settings *settings, OptionValue value)
{
    settings->nodes_per_ms = (int)value.number;
    return true;
}

static bool set_analysing(Settings *settings, OptionValue value)
{
    settings->analysing = value.number != 0;
    engine_set_analysing(settings->engine, settings->analysing);
    return true;
}

static bool set_limits_strength(Settings *settings, OptionValue value)
{
    settings->limits_strength = value.number != 0;
    return true;
}

static bool set_elo(Settings *settings, OptionValue value)
{
    settings->elo = (int)value.number;
    return true;
}

static bool set_seed(Settings *settings, OptionValue value)
{
    settings->seed = (uint64_t)value.number;
    return true;
}

static bool set_chess960(Settings *settings, OptionValue value)
{
    settings->chess960 = value.number != 0;
    return true;
}

static bool set_shows_wdl(Settings *settings, OptionValue value)
{
    settings->shows_wdl = value.number != 0;
    return true;
}

static bool set_log_file(Settings *settings, OptionValue value)
{
    const char *const path = text_equal_nocase(value.text, "<empty>") ? "" : value.text;
    if (output_set_log(settings->out, path))
        return true;
    output_line(settings->out, "info string error: cannot write to the log file '%s'", path);
    return false;
}

static bool set_network(Settings *settings, OptionValue value)
{
    char error[NETWORK_ERROR_MAX];
    const char *const path = text_equal_nocase(value.text, "<empty>") ? "" : value.text;
    if (engine_set_network(settings->engine, path, error))
        return true;
    output_line(settings->out, "info string error: EvalFile: '%s' %s; the old one stays", path,
                error);
    return false;
}

static bool set_syzygy_path(Settings *settings, OptionValue value)
{
    char error[SYZYGY_ERROR_MAX];
    const char *const path = text_equal_nocase(value.text, "<empty>") ? "" : value.text;
    if (!engine_set_syzygy(settings->engine, path, error)) {
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

static bool set_syzygy_depth(Settings *settings, OptionValue value)
{
    SyzygyUse use = engine_syzygy_use(settings->engine);
    use.depth = (int)value.number;
    engine_set_syzygy_use(settings->engine, use);
    return true;
}

static bool set_syzygy_rule50(Settings *settings, OptionValue value)
{
    SyzygyUse use = engine_syzygy_use(settings->engine);
    use.rule50 = value.number != 0;
    engine_set_syzygy_use(settings->engine, use);
    return true;
}

static bool set_syzygy_limit(Settings *settings, OptionValue value)
{
    SyzygyUse use = engine_syzygy_use(settings->engine);
    use.men = (int)value.number;
    engine_set_syzygy_use(settings->engine, use);
    return true;
}

static bool set_memory(Settings *settings, OptionValue value)
{
    LearningOptions plan = *learning_options(engine_learning(settings->engine));
    plan.mode = (LearningMode)value.number;
    learning_set_options(engine_learning(settings->engine), &plan);
    return true;
}

static const char *name_memory(int number)
{
    return learning_mode_name((LearningMode)number);
}

static bool set_memory_file(Settings *settings, OptionValue value)
{
    const char *const path = text_equal_nocase(value.text, "<empty>") ? "" : value.text;
    LearningOptions plan = *learning_options(engine_learning(settings->engine));
    if (!text_copy(plan.path, sizeof plan.path, path)) {
        output_line(settings->out, "info string error: MemoryFile: the path is too long");
        return false;
    }
    learning_set_options(engine_learning(settings->engine), &plan);
    return true;
}

static bool set_memory_policy(Settings *settings, OptionValue value)
{
    LearningOptions plan = *learning_options(engine_learning(settings->engine));
    plan.policy = (LearnPolicy)value.number;
    learning_set_options(engine_learning(settings->engine), &plan);
    return true;
}

static const char *name_policy(int number)
{
    return learn_policy_name((LearnPolicy)number);
}

static bool set_memory_fuzz(Settings *settings, OptionValue value)
{
    LearningOptions plan = *learning_options(engine_learning(settings->engine));
    plan.fuzz = (Score)value.number * SCORE_PAWN_SHOWN / 100;
    learning_set_options(engine_learning(settings->engine), &plan);
    return true;
}

static bool set_memory_max(Settings *settings, OptionValue value)
{
    LearningOptions plan = *learning_options(engine_learning(settings->engine));
    plan.max = value.number;
    learning_set_options(engine_learning(settings->engine), &plan);
    return true;
}

/* Ponder is there for GUIs, which do not ponder with an engine that lacks it: `go ponder` works
 * either way. */
// clang-format off
static const Option OPTIONS[] = {
    {"Debug Log File", NULL, OPTION_STRING, 0, 0, 0, set_log_file, NULL,
     "file for both directions of the conversation, with times", NULL},
    {"Threads", NULL, OPTION_SPIN, 1, 1, ENGINE_MAX_THREADS, set_threads, NULL,
     "search threads sharing one table", NULL},
    {"Hash", NULL, OPTION_SPIN, 16, 1, 33554432, set_hash, NULL,
     "transposition table in MiB; a change keeps what it knows", NULL},
    {"Replacement", NULL, OPTION_COMBO, REPLACE_TWO_DEEP, 0, REPLACEMENT_NB - 1, set_replacement,
     name_replacement,
     "which of two positions the table keeps; a change empties it", NULL},
    {"Clear Hash", NULL, OPTION_BUTTON, 0, 0, 0, set_clear_hash, NULL,
     "forget the table", NULL},
    {"HashFile", NULL, OPTION_STRING, 0, 0, 0, set_hash_file, NULL,
     "the file that Save Hash and Load Hash mean", NULL},
    {"HashFile ReadOnly", NULL, OPTION_CHECK, 1, 0, 1, set_hash_file_read_only, NULL,
     "that file is not written", NULL},
    {"HashFile MinDepth", NULL, OPTION_SPIN, 6, 1, 255, set_hash_file_depth, NULL,
     "results of at least this depth are saved", NULL},
    {"HashFile MaxMB", NULL, OPTION_SPIN, 1024, 1, 1048576, set_hash_file_max, NULL,
     "if they would fill more, only the deeper ones are saved", NULL},
    {"Save Hash", "SaveHashtoFile", OPTION_BUTTON, 0, 0, 0, set_save_hash, NULL,
     "save the table to the file", NULL},
    {"Load Hash", "LoadHashfromFile", OPTION_BUTTON, 0, 0, 0, set_load_hash, NULL,
     "add what the file holds to the table", NULL},
    {"Ponder", NULL, OPTION_CHECK, 0, 0, 1, NULL, NULL,
     "tells the GUI that pondering is possible; go ponder works either way", NULL},
    {"MultiPV", NULL, OPTION_SPIN, 1, 1, 256, set_multi_pv, NULL,
     "how many best lines to search and show", NULL},
    {"Move Overhead", "MoveOverhead", OPTION_SPIN, 10, 0, 10000, set_overhead, NULL,
     "ms lost per move on the way to the GUI", NULL},
    {"nodestime", NULL, OPTION_SPIN, 0, 0, 10000, set_nodes_time, NULL,
     "count so many nodes as a millisecond, so that timed games can be repeated", NULL},
    {"EvalFile", NULL, OPTION_STRING, 0, 0, 0, set_network, NULL,
     "network to evaluate by instead of the one built in", NULL},
    {"SyzygyPath", NULL, OPTION_STRING, 0, 0, 0, set_syzygy_path, NULL,
     "folders of Syzygy tables, parted by a colon (a semicolon on Windows)", syzygy_is_linked},
    {"SyzygyProbeDepth", NULL, OPTION_SPIN, SYZYGY_DEPTH, 1, 100, set_syzygy_depth, NULL,
     "the search looks up positions of the most men from this depth on", syzygy_is_linked},
    {"Syzygy50MoveRule", NULL, OPTION_CHECK, 1, 0, 1, set_syzygy_rule50, NULL,
     "a win that the fifty-move rule spoils is a draw", syzygy_is_linked},
    {"SyzygyProbeLimit", NULL, OPTION_SPIN, SYZYGY_MEN_MAX, 0, SYZYGY_MEN_MAX, set_syzygy_limit, NULL,
     "positions of more men are not looked up", syzygy_is_linked},
    {"Memory", NULL, OPTION_COMBO, LEARNING_OFF, 0, LEARNING_MODE_NB - 1, set_memory, name_memory,
     "whether positions are remembered from game to game", learn_store_is_linked},
    {"MemoryFile", NULL, OPTION_STRING, 0, 0, 0, set_memory_file, NULL,
     "SQLite database in which they are", learn_store_is_linked},
    {"MemoryPolicy", NULL, OPTION_COMBO, LEARN_BEBE, 0, LEARN_POLICY_NB - 1, set_memory_policy,
     name_policy,
     "what is worth remembering, and how it is believed", learn_store_is_linked},
    {"MemoryFuzz", NULL, OPTION_SPIN, LEARNING_FUZZ * 100 / SCORE_PAWN_SHOWN, 0, 1000, set_memory_fuzz, NULL,
     "centipawns by which a remembered score is believed to be out", learn_store_is_linked},
    {"MemoryMax", NULL, OPTION_SPIN, LEARNING_MAX, 1, 10000000, set_memory_max, NULL,
     "positions remembered; then the oldest go", learn_store_is_linked},
    {"UCI_Chess960", NULL, OPTION_CHECK, 0, 0, 1, set_chess960, NULL,
     "castling as king takes rook; Chess960 castling rights are honoured", NULL},
    {"UCI_ShowWDL", NULL, OPTION_CHECK, 0, 0, 1, set_shows_wdl, NULL,
     "show beside each score how many of a thousand games are won, drawn and lost", NULL},
    {"UCI_LimitStrength", NULL, OPTION_CHECK, 0, 0, 1, set_limits_strength, NULL,
     "play games at UCI_Elo; analysis is not weakened", NULL},
    {"UCI_Elo", NULL, OPTION_SPIN, STRENGTH_ELO_MAX, STRENGTH_ELO_MIN, STRENGTH_ELO_MAX, set_elo, NULL,
     "strength to play at, on any machine alike", NULL},
    {"Strength Seed", NULL, OPTION_SPIN, 0, 0, INT32_MAX, set_seed, NULL,
     "what the choices of weaker play are drawn from; 0: every game from another", NULL},
    {"UCI_AnalyseMode", NULL, OPTION_CHECK, 0, 0, 1, set_analysing, NULL,
     "ucinewgame leaves the table as it is", NULL},
};
// clang-format on

enum { OPTION_COUNT = sizeof OPTIONS / sizeof OPTIONS[0] };

const Option *options_list(int *count)
{
    *count = OPTION_COUNT;
    return OPTIONS;
}

bool options_is_offered(const Option *option)
{
    return option->is_linked == NULL || option->is_linked();
}

const Option *options_find(const char *name)
{
    for (int i = 0; i < OPTION_COUNT; i++) {
        const Option *const o = &OPTIONS[i];
        if (!options_is_offered(o))
            continue;
        if (text_equal_nocase(name, o->name) ||
            (o->alias != NULL && text_equal_nocase(name, o->alias)))
            return o;
    }
    return NULL;
}

Strength options_strength(const Settings *settings, const Limits *limits)
{
    if (!settings->limits_strength || settings->analysing || !strength_applies(limits))
        return (Strength){.nodes = 0};
    return strength_at(settings->elo, settings->seed != 0 ? settings->seed : settings->game_seed);
}

void options_init(Settings *settings, Engine *engine, Output *out)
{
    *settings = (Settings){.engine = engine,
                           .out = out,
                           .multi_pv = (int)options_find("MultiPV")->initial,
                           .overhead_ms = (int)options_find("Move Overhead")->initial,
                           .nodes_per_ms = (int)options_find("nodestime")->initial,
                           .chess960 = options_find("UCI_Chess960")->initial != 0,
                           .shows_wdl = options_find("UCI_ShowWDL")->initial != 0,
                           .elo = (int)options_find("UCI_Elo")->initial,
                           .hash_file_read_only = options_find("HashFile ReadOnly")->initial != 0,
                           .hash_file_depth = (int)options_find("HashFile MinDepth")->initial,
                           .hash_file_max_bytes = options_find("HashFile MaxMB")->initial << 20};
}

static void print_spin(Block *block, const char *name, int64_t initial, int64_t min, int64_t max)
{
    block_add(block,
              "option name %s type spin default %" PRId64 " min %" PRId64 " max %" PRId64 "\n",
              name, initial, min, max);
}

static void print_combo(Block *block, const Option *option)
{
    block_add(block, "option name %s type combo default %s", option->name,
              option->choice((int)option->initial));
    for (int i = 0; i <= option->max; i++)
        block_add(block, " var %s", option->choice(i));
    block_add(block, "\n");
}

void options_print(Block *block)
{
    for (int i = 0; i < OPTION_COUNT; i++) {
        const Option *const o = &OPTIONS[i];
        if (!options_is_offered(o))
            continue;
        switch (o->type) {
        case OPTION_SPIN: print_spin(block, o->name, o->initial, o->min, o->max); break;
        case OPTION_CHECK:
            block_add(block, "option name %s type check default %s\n", o->name,
                      o->initial ? "true" : "false");
            break;
        case OPTION_COMBO: print_combo(block, o); break;
        case OPTION_STRING:
            block_add(block, "option name %s type string default <empty>\n", o->name);
            break;
        case OPTION_BUTTON: block_add(block, "option name %s type button\n", o->name); break;
        }
    }
    int count;
    const ParamRange *const list = params_list(&count);
    for (int i = 0; params_are_tunable && i < count; i++)
        print_spin(block, list[i].name, list[i].value, list[i].min, list[i].max);
}

/* What an option can be: the choices of a combo, the range of a spin, or its kind. */
static void explain_values(Block *block, const Option *option)
{
    switch (option->type) {
    case OPTION_SPIN:
        block_add(block, "%" PRId64 "; %" PRId64 "..%" PRId64, option->initial, option->min,
                  option->max);
        break;
    case OPTION_CHECK: block_add(block, "%s", option->initial ? "true" : "false"); break;
    case OPTION_COMBO:
        block_add(block, "%s;", option->choice((int)option->initial));
        for (int i = 0; i <= option->max; i++)
            block_add(block, " %s", option->choice(i));
        break;
    case OPTION_STRING: block_add(block, "path"); break;
    case OPTION_BUTTON: block_add(block, "button"); break;
    }
}

void options_explain(Block *block)
{
    for (int i = 0; i < OPTION_COUNT; i++) {
        if (!options_is_offered(&OPTIONS[i]))
            continue;
        block_add(block, "  %s (", OPTIONS[i].name);
        explain_values(block, &OPTIONS[i]);
        block_add(block, ")\n            %s\n", OPTIONS[i].purpose);
    }
}

/* Moves the words of `from` up to a word `value`, or to the end, together so that single blanks
 * part them. Returns what follows that word, or NULL. */
static char *squeeze_name(char *from)
{
    char *end = from, *cursor = from;
    for (char *word = text_word(&cursor); word != NULL; word = text_word(&cursor)) {
        if (text_equal_nocase(word, "value")) {
            *end = '\0';
            return cursor;
        }
        if (end != from)
            *end++ = ' ';
        const size_t length = strlen(word);
        memmove(end, word, length);
        end += length;
    }
    *end = '\0';
    return NULL;
}

bool options_split(char *arguments, char **name, char **value)
{
    char *cursor = arguments;
    const char *const first = text_word(&cursor);
    if (first == NULL || !text_equal_nocase(first, "name"))
        return false;
    *name = cursor;
    char *const rest = squeeze_name(cursor);
    *value = rest != NULL ? text_trim(rest) : NULL;
    return **name != '\0';
}

/* A spin's value: out of range it is moved to the nearer end, and that is said. */
static bool parse_spin(const Option *option, const char *text, int64_t *number, char *message)
{
    switch (text_clamp_int(text, option->min, option->max, number)) {
    case TEXT_INT_OK: return true;
    case TEXT_INT_NOT_A_NUMBER:
        snprintf(message, OPTION_MESSAGE_MAX, "error: option %s: '%.40s' is not a number",
                 option->name, text);
        return false;
    default:
        snprintf(message, OPTION_MESSAGE_MAX, "option %s: %.40s is out of range, using %" PRId64,
                 option->name, text, *number);
        return true;
    }
}

static bool parse_check(const Option *option, const char *text, int64_t *number, char *message)
{
    *number = text_equal_nocase(text, "true");
    if (*number || text_equal_nocase(text, "false"))
        return true;
    snprintf(message, OPTION_MESSAGE_MAX, "error: option %s: '%.40s' is neither true nor false",
             option->name, text);
    return false;
}

static bool parse_combo(const Option *option, const char *text, int64_t *number, char *message)
{
    for (int i = 0; i <= option->max; i++)
        if (text_equal_nocase(text, option->choice(i))) {
            *number = i;
            return true;
        }
    int length = snprintf(message, OPTION_MESSAGE_MAX, "error: option %s: '%.40s' is none of",
                          option->name, text);
    for (int i = 0; i <= option->max && length < OPTION_MESSAGE_MAX; i++)
        length += snprintf(message + length, OPTION_MESSAGE_MAX - (size_t)length, " %s",
                           option->choice(i));
    return false;
}

bool options_parse(const Option *option, const char *text, OptionValue *value, char *message)
{
    *message = '\0';
    *value = (OptionValue){.number = 0, .text = text != NULL ? text : ""};
    if (option->type == OPTION_BUTTON || option->type == OPTION_STRING)
        return true; // some GUIs send no value for the empty string
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

/* In a build for tuning every parameter of the search is a spin. Writes it to `option`; false when
 * there is none of that name. */
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
        output_line(settings->out, "info string error: there is no option '%.80s'", name);
        return false;
    }
    OptionValue value;
    const bool is_good = options_parse(known != NULL ? known : &param, text, &value, message);
    if (*message != '\0')
        output_line(settings->out, "info string %s", message);
    if (is_good && known == NULL)
        params_set(param.name, (int)value.number);
    else if (is_good && known->set != NULL)
        return known->set(settings, value);
    return is_good;
}
