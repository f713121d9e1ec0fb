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

enum { SCORE_LIMIT = 32767, SEARCH_STEPS = 60 };

typedef struct {
    double label, eval; // label: points; eval: internal units
    int stratum;
} Sample;

typedef struct {
    Sample *list;
    int count, capacity;
} Samples;

static double points(double score, double unit)
{
    return 1.0 / (1.0 + exp(-score / unit));
}

static bool add(Samples *samples, Sample sample)
{
    if (samples->count == samples->capacity) {
        const int capacity = samples->capacity * 2 + 1024;
        Sample *const list = realloc(samples->list, (size_t)capacity * sizeof *list);
        if (list == NULL)
            return false;
        samples->list = list;
        samples->capacity = capacity;
    }
    samples->list[samples->count++] = sample;
    return true;
}

static bool refuse(char *error, const char *path, const char *reason)
{
    snprintf(error, JUDGE_ERROR_MAX, "%.200s: %.250s", path, reason);
    return false;
}

/* Evaluates one labelled position; false when its label is missing or the king is in check. */
static bool evaluate(const EvalSource *source, const EpdRecord *record, double unit, Sample *sample)
{
    char text[EPD_TEXT_MAX];
    int64_t label;
    if (!epd_operand(record, "ce", text, sizeof text) ||
        !text_parse_int(text, -SCORE_LIMIT, SCORE_LIMIT, &label) || pos_in_check(&record->pos))
        return false;
    *sample = (Sample){.label = points((double)label, unit),
                       .eval = eval_plainly(source, &record->pos),
                       .stratum = pos_piece_count_range(&record->pos)};
    return true;
}

static bool read_samples(const Network *network, const char *path, double unit, Samples *samples,
                         char *error)
{
    const EvalSource source = {.network = network};
    FILE *const file = file_open(path, "r");
    if (file == NULL)
        return refuse(error, path, strerror(errno));
    EpdRecord record;
    char reason[FEN_ERROR_MAX];
    int status;
    bool is_good = true;
    while (is_good && (status = epd_next(file, &record, false, reason)) == 1) {
        Sample sample;
        if (!evaluate(&source, &record, unit, &sample))
            is_good = refuse(error, path, "a position has no label or is in check");
        else if (!add(samples, sample))
            is_good = refuse(error, path, "out of memory");
    }
    fclose(file);
    if (is_good && status < 0)
        is_good = refuse(error, path, reason);
    if (is_good && samples->count == 0)
        is_good = refuse(error, path, "has no positions");
    return is_good;
}

static double mean_error(const Samples *samples, double unit, double factor)
{
    double sum = 0.0;
    for (int i = 0; i < samples->count; i++) {
        const Sample *const s = &samples->list[i];
        const double difference = points(s->eval * factor, unit) - s->label;
        sum += difference * difference;
    }
    return sum / samples->count;
}

/* The factor of the smallest error: golden-section search over its logarithm, 1/8 to 8. */
static double best_factor(const Samples *samples, double unit)
{
    const double ratio = (sqrt(5.0) - 1.0) / 2.0;
    double low = log(0.125), high = log(8.0);
    for (int i = 0; i < SEARCH_STEPS; i++) {
        const double a = high - ratio * (high - low), b = low + ratio * (high - low);
        if (mean_error(samples, unit, exp(a)) < mean_error(samples, unit, exp(b)))
            high = b;
        else
            low = a;
    }
    return exp((low + high) / 2.0);
}

static double correlation(const Samples *samples, double unit, double factor)
{
    double x = 0.0, y = 0.0, xx = 0.0, yy = 0.0, xy = 0.0;
    for (int i = 0; i < samples->count; i++) {
        const double a = samples->list[i].label;
        const double b = points(samples->list[i].eval * factor, unit);
        x += a;
        y += b;
        xx += a * a;
        yy += b * b;
        xy += a * b;
    }
    const double n = samples->count;
    const double spread = sqrt((xx - x * x / n) * (yy - y * y / n));
    return spread > 0.0 ? (xy - x * y / n) / spread : 0.0;
}

static void judge_strata(const Samples *samples, double unit, Judgement *judgement)
{
    for (int i = 0; i < samples->count; i++) {
        const Sample *const s = &samples->list[i];
        const double difference = points(s->eval * judgement->factor, unit) - s->label;
        judgement->strata[s->stratum].positions++;
        judgement->strata[s->stratum].error += difference * difference;
    }
    for (int i = 0; i < PIECE_COUNT_RANGES; i++)
        if (judgement->strata[i].positions > 0)
            judgement->strata[i].error /= judgement->strata[i].positions;
}

bool judge_network(const Network *network, const char *path, double unit, Judgement *judgement,
                   char *error)
{
    Samples samples = {0};
    *judgement = (Judgement){0};
    const bool is_good = read_samples(network, path, unit, &samples, error);
    if (is_good) {
        judgement->positions = samples.count;
        judgement->factor = best_factor(&samples, unit);
        judgement->error = mean_error(&samples, unit, judgement->factor);
        judgement->raw_error = mean_error(&samples, unit, 1.0);
        judgement->correlation = correlation(&samples, unit, judgement->factor);
        judge_strata(&samples, unit, judgement);
    }
    free(samples.list);
    return is_good;
}

void judge_print(const Judgement *judgement, FILE *out)
{
    fprintf(out,
            "%d positions: error %.5f with scores times %.3f, %.5f unscaled; correlation %.4f\n",
            judgement->positions, judgement->error, judgement->factor, judgement->raw_error,
            judgement->correlation);
    for (int i = 0; i < PIECE_COUNT_RANGES; i++)
        if (judgement->strata[i].positions > 0)
            fprintf(out, "%2d to %2d pieces: %5d positions, error %.5f\n", i * 4 + 1, i * 4 + 4,
                    judgement->strata[i].positions, judgement->strata[i].error);
}
