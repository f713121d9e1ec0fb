// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/breuker1994/observation.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/text.h"
#include "tt/replacement.h"

static const char *const STAMPINGS[STAMPING_NB] = {"cleared", "stamped", "refreshed"};
static const char *const HISTORIES[HISTORY_NB] = {"kept", "aged", "cleared"};
static const char NO_TABLE[] = "None";

const char *scheme_name(int scheme)
{
    return scheme == SCHEME_NONE ? NO_TABLE : replacement_name((Replacement)scheme);
}

const char *stamping_name(Stamping stamping)
{
    return STAMPINGS[stamping];
}

const char *fate_name(HistoryFate fate)
{
    return HISTORIES[fate];
}

bool scheme_parse(const char *name, int *out)
{
    Replacement replacement = REPLACE_THOMPSON;
    if (text_equal_nocase(name, NO_TABLE)) {
        *out = SCHEME_NONE;
        return true;
    }
    const bool is_known = replacement_parse(name, &replacement);
    *out = (int)replacement;
    return is_known;
}

/* Index of `name` in `names`; -1 when absent. */
static int find_name(const char *const *names, int count, const char *name)
{
    for (int i = 0; i < count; i++)
        if (text_equal_nocase(names[i], name))
            return i;
    return -1;
}

bool fate_parse(const char *name, HistoryFate *out)
{
    const int i = find_name(HISTORIES, HISTORY_NB, name);
    if (i >= 0)
        *out = (HistoryFate)i;
    return i >= 0;
}

void observation_key(const Observation *o, char *out)
{
    const Setting *const s = &o->setting;
    snprintf(out, RESULTS_ROW_MAX, "%08" PRIx32 ",%s,%d,%s,%s,%d,%d,%d,%d", s->suite,
             scheme_name(s->scheme), s->kilo, stamping_name(s->stamping), fate_name(s->history),
             s->early_termination, s->seed, o->ply, o->position);
}

void observation_print(const Observation *o, char *out)
{
    char key[RESULTS_ROW_MAX];
    observation_key(o, key);
    snprintf(out, RESULTS_ROW_MAX, "%.300s,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%d,%.15s", key,
             o->nodes.interior, o->nodes.leaf, o->nodes.quiescence, o->score, o->move);
}

/* Parses field `column` as a number from `min` to `max`; sets `*is_good` to false on failure. */
static int64_t number(const char *row, int column, int64_t min, int64_t max, bool *is_good)
{
    char text[32];
    int64_t value = min;
    if (!results_field(row, column, text, sizeof text) || !text_parse_int(text, min, max, &value))
        *is_good = false;
    return value;
}

/* Returns the index in `names` of the name in field `column`; sets `*is_good` to false on failure.
 */
static int choice(const char *row, int column, const char *const *names, int count, bool *is_good)
{
    char text[32];
    const int i =
        results_field(row, column, text, sizeof text) ? find_name(names, count, text) : -1;
    if (i < 0)
        *is_good = false;
    return i < 0 ? 0 : i;
}

static uint32_t suite_number(const char *row, bool *is_good)
{
    char text[32], *end = text;
    const bool is_field = results_field(row, 0, text, sizeof text);
    const unsigned long value = is_field ? strtoul(text, &end, 16) : 0;
    if (!is_field || end == text || *end != '\0' || value > UINT32_MAX)
        *is_good = false;
    return (uint32_t)value;
}

bool observation_parse(Observation *o, const char *row)
{
    bool is_good = true;
    char scheme[32];
    *o = (Observation){0};
    o->setting.suite = suite_number(row, &is_good);
    if (!results_field(row, 1, scheme, sizeof scheme) || !scheme_parse(scheme, &o->setting.scheme))
        is_good = false;
    o->setting.kilo = (int)number(row, 2, 0, INT32_MAX, &is_good);
    o->setting.stamping = (Stamping)choice(row, 3, STAMPINGS, STAMPING_NB, &is_good);
    o->setting.history = (HistoryFate)choice(row, 4, HISTORIES, HISTORY_NB, &is_good);
    o->setting.early_termination = number(row, 5, 0, 1, &is_good) != 0;
    o->setting.seed = (int)number(row, 6, 0, INT32_MAX, &is_good);
    o->ply = (int)number(row, 7, 1, ALIBABA_MAX_DEPTH, &is_good);
    o->position = (int)number(row, 8, 1, INT32_MAX, &is_good);
    o->nodes.interior = (uint64_t)number(row, 9, 0, INT64_MAX, &is_good);
    o->nodes.leaf = (uint64_t)number(row, 10, 0, INT64_MAX, &is_good);
    o->nodes.quiescence = (uint64_t)number(row, 11, 0, INT64_MAX, &is_good);
    o->score = (Score)number(row, 12, -SCORE_INF, SCORE_INF, &is_good);
    return results_field(row, 13, o->move, sizeof o->move) && is_good;
}
