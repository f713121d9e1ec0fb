// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/judge.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "chess/epd.h"
#include "chess/fen.h"
#include "eval/eval.h"
#include "train/points.h"

enum { SCORE_LIMIT = 32767, SEARCH_STEPS = 60, TEXT_TEST_BYTES = 4096 };

typedef struct {
    Position pos;
    int score;    // of the search, internal units
    double label; // `score` in expected points
    double eval;  // of the network under judgement, internal units
} Labelled;

struct LabelSet {
    Labelled *list;
    int count, capacity;
};

static bool add(LabelSet *set, const Position *pos, int score)
{
    if (set->count == set->capacity) {
        const int capacity = set->capacity * 2 + 1024;
        Labelled *const list = realloc(set->list, (size_t)capacity * sizeof *list);
        if (list == NULL)
            return false;
        set->list = list;
        set->capacity = capacity;
    }
    set->list[set->count++] = (Labelled){.pos = *pos, .score = score};
    return true;
}

static bool refuse(char *error, const char *path, const char *reason)
{
    snprintf(error, JUDGE_ERROR_MAX, "%.200s: %.250s", path, reason);
    return false;
}

/* The next position of the file is faulty. */
static bool refuse_position(char *error, const char *path, const LabelSet *set, const char *reason)
{
    snprintf(error, JUDGE_ERROR_MAX, "%.200s: position %d: %.250s", path, set->count + 1, reason);
    return false;
}

/* True when the last operation has its ';': in the last line of a file that was cut off, the digits
 * of a label may be missing. */
static bool is_whole(const EpdRecord *record)
{
    const char *const last = strrchr(record->operations, ';');
    return last != NULL && last[1 + strspn(last + 1, TEXT_SPACES)] == '\0';
}

/* Reads the label of a position; false when it is missing or the king is in check. */
static bool read_label(const EpdRecord *record, int64_t *score)
{
    char text[EPD_TEXT_MAX];
    return is_whole(record) && epd_operand(record, "ce", text, sizeof text) &&
           text_parse_int(text, -SCORE_LIMIT, SCORE_LIMIT, score) && !pos_in_check(&record->pos);
}

/* False when the first bytes of the file hold a control character that no text has. */
static bool is_text(FILE *file)
{
    rewind(file);
    for (int i = 0; i < TEXT_TEST_BYTES; i++) {
        const int c = getc(file);
        if (c == EOF)
            return true;
        if (c == '\0' || (c < ' ' && strchr(TEXT_SPACES, c) == NULL))
            return false;
    }
    return true;
}

/* Returns how many positions the first line of palimpsest-datagen --label announces; 0 if `line` is
 * another one. */
static long announced_by(const char *line)
{
    const char *const end = strstr(line, " positions");
    if (line[0] != '#' || end == NULL || strstr(end, ", checksum ") == NULL)
        return 0;
    const char *number = end;
    while (text_is_digit(number[-1]))
        number--;
    return strtol(number, NULL, 10);
}

/* False when the file was begun by palimpsest-datagen --label and lacks positions. */
static bool has_all(const LabelSet *set, FILE *file, const char *path, char *error)
{
    TextLine line = {0};
    rewind(file);
    const long total = text_line_read(&line, file) && !line.too_long ? announced_by(line.text) : 0;
    text_line_free(&line);
    if (set->count >= total)
        return true;
    snprintf(error, JUDGE_ERROR_MAX,
             "%.200s: %d of %ld positions: continue palimpsest-datagen --label, or "
             "delete the first line",
             path, set->count, total);
    return false;
}

static bool read_file(LabelSet *set, const char *path, char *error)
{
    FILE *const file = file_open(path, "r");
    if (file == NULL)
        return refuse(error, path, strerror(errno));
    EpdRecord record;
    char reason[FEN_ERROR_MAX];
    bool is_good = true;
    int status = epd_next_exact(file, &record, false, reason);
    for (; is_good && status == 1; status = epd_next_exact(file, &record, false, reason)) {
        int64_t score;
        if (!read_label(&record, &score))
            is_good = refuse_position(error, path, set,
                                      "has no label (ce) that ends with ';', or is in check");
        else if (!add(set, &record.pos, (int)score))
            is_good = refuse(error, path, "out of memory");
    }
    if (is_good && status < 0 && ferror(file))
        is_good = refuse(error, path, reason);
    else if (is_good && status < 0)
        is_good = is_text(file)
                      ? refuse_position(error, path, set, reason)
                      : refuse(error, path, "is not a text file of EPD lines with labels (ce)");
    is_good = is_good && has_all(set, file, path, error);
    fclose(file);
    if (is_good && set->count == 0)
        is_good = refuse(error, path, "has no positions");
    return is_good;
}

LabelSet *judge_read(const char *path, char *error)
{
    LabelSet *const set = calloc(1, sizeof *set);
    if (set == NULL) {
        refuse(error, path, "out of memory");
        return NULL;
    }
    if (read_file(set, path, error))
        return set;
    judge_free(set);
    return NULL;
}

void judge_free(LabelSet *set)
{
    if (set != NULL)
        free(set->list);
    free(set);
}

/* Mean of the evaluations minus the labels, in points, with the evaluations times `factor`. */
static double mean_difference(const LabelSet *set, double unit, double factor)
{
    double sum = 0.0;
    for (int i = 0; i < set->count; i++)
        sum += points_of(set->list[i].eval * factor, unit) - set->list[i].label;
    return sum / set->count;
}

static double mean_error(const LabelSet *set, double unit, double factor)
{
    double sum = 0.0;
    for (int i = 0; i < set->count; i++) {
        const Labelled *const l = &set->list[i];
        const double difference = points_of(l->eval * factor, unit) - l->label;
        sum += difference * difference;
    }
    return sum / set->count;
}

static double centred_error(const LabelSet *set, double unit, double factor)
{
    const double mean = mean_difference(set, unit, factor);
    return mean_error(set, unit, factor) - mean * mean;
}

typedef double ErrorFn(const LabelSet *set, double unit, double factor);

/* The factor of the smallest error: golden-section search over its logarithm, 1/8 to 8. */
static double best_factor(ErrorFn *error_at, const LabelSet *set, double unit)
{
    const double ratio = (sqrt(5.0) - 1.0) / 2.0;
    double low = log(0.125), high = log(8.0);
    for (int i = 0; i < SEARCH_STEPS; i++) {
        const double a = high - ratio * (high - low), b = low + ratio * (high - low);
        if (error_at(set, unit, exp(a)) < error_at(set, unit, exp(b)))
            high = b;
        else
            low = a;
    }
    return exp((low + high) / 2.0);
}

static double correlation(const LabelSet *set, double unit, double factor)
{
    double x = 0.0, y = 0.0, xx = 0.0, yy = 0.0, xy = 0.0;
    for (int i = 0; i < set->count; i++) {
        const double a = set->list[i].label;
        const double b = points_of(set->list[i].eval * factor, unit);
        x += a;
        y += b;
        xx += a * a;
        yy += b * b;
        xy += a * b;
    }
    const double n = set->count;
    const double spread = sqrt((xx - x * x / n) * (yy - y * y / n));
    return spread > 0.0 ? (xy - x * y / n) / spread : 0.0;
}

static void judge_strata(const LabelSet *set, double unit, Judgement *judgement)
{
    for (int i = 0; i < set->count; i++) {
        const Labelled *const l = &set->list[i];
        const double difference = points_of(l->eval * judgement->factor, unit) - l->label;
        const int stratum = pos_piece_count_range(&l->pos);
        judgement->strata[stratum].positions++;
        judgement->strata[stratum].error += difference * difference;
    }
    for (int i = 0; i < PIECE_COUNT_RANGES; i++)
        if (judgement->strata[i].positions > 0)
            judgement->strata[i].error /= judgement->strata[i].positions;
}

Judgement judge_network(LabelSet *set, const Network *network, double unit)
{
    const EvalSource source = {.network = network};
    for (int i = 0; i < set->count; i++) {
        Labelled *const l = &set->list[i];
        l->label = points_of(l->score, unit);
        l->eval = eval_from_scratch(&source, &l->pos);
    }
    Judgement judgement = {.positions = set->count, .factor = best_factor(mean_error, set, unit)};
    judgement.error = mean_error(set, unit, judgement.factor);
    judgement.raw_error = mean_error(set, unit, 1.0);
    judgement.correlation = correlation(set, unit, judgement.factor);
    const double factor = best_factor(centred_error, set, unit);
    judgement.centred_error = centred_error(set, unit, factor);
    judgement.mean = mean_difference(set, unit, factor);
    judge_strata(set, unit, &judgement);
    return judgement;
}

void judge_print(const Judgement *judgement, FILE *out)
{
    fprintf(out,
            "%d positions: error %.5f with scores times %.3f, %.5f unscaled; "
            "centred error %.5f, mean of score minus label %+.4f points; correlation %.4f\n",
            judgement->positions, judgement->error, judgement->factor, judgement->raw_error,
            judgement->centred_error, judgement->mean, judgement->correlation);
    for (int i = 0; i < PIECE_COUNT_RANGES; i++)
        if (judgement->strata[i].positions > 0)
            fprintf(out, "%2d to %2d pieces: %5d positions, error %.5f\n", i * 4 + 1, i * 4 + 4,
                    judgement->strata[i].positions, judgement->strata[i].error);
}
