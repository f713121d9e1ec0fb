// SPDX-License-Identifier: GPL-3.0-or-later
#include "datagen/winfit.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { NO_GROUP = -1, STEPS_MAX = 200, UNKNOWNS_MAX = 2 * WINRATE_TERMS };

static const double UNIT = 300.0; // scores are divided by it, so that all unknowns are of one size

bool winfit_count(WinTable *table, int group, Score score, int material, Outcome outcome)
{
    assert(0 <= group && group < WINFIT_GROUPS);
    if (score < -WINFIT_SCORE_MAX || score > WINFIT_SCORE_MAX || material < WINRATE_MATERIAL_MIN ||
        material > WINRATE_MATERIAL_MAX)
        return false;
    const int row = material - WINRATE_MATERIAL_MIN, middle = WINFIT_BINS / 2;
    const int off = (score + (score < 0 ? -WINFIT_BIN : WINFIT_BIN) / 2) / WINFIT_BIN;
    table->seen[group][row][middle + off]++;
    table->seen[group][row][middle - off]++;
    table->won[group][row][middle + off] += outcome == OUTCOME_WIN;
    table->won[group][row][middle - off] += outcome == OUTCOME_LOSS;
    return true;
}

/* The model in the unit of the fit: so many coefficients of the half, then as many of the spread.
 */
typedef struct {
    int terms;
    double x[UNKNOWNS_MAX];
} Unknowns;

/* The log likelihood, its gradient, and the expectation of its second derivatives. */
typedef struct {
    double value;
    int count; // of unknowns
    double gradient[UNKNOWNS_MAX];
    double information[UNKNOWNS_MAX][UNKNOWNS_MAX];
} Likelihood;

static void powers(double place, double *to)
{
    to[0] = 1.0;
    for (int i = 1; i < WINRATE_TERMS; i++)
        to[i] = to[i - 1] * place;
}

/* Adds what `seen` positions, `won` of them won, say of the unknowns; `sensitivity` is how the log
 * odds change with each of them. */
static void add_bin(Likelihood *sum, double seen, double won, double log_odds,
                    const double *sensitivity)
{
    const double p = 1.0 / (1.0 + exp(-log_odds));
    /* log(1 + e^x) without overflow. */
    const double softplus = log_odds > 0 ? log_odds + log1p(exp(-log_odds)) : log1p(exp(log_odds));
    sum->value += won * log_odds - seen * softplus;
    for (int i = 0; i < sum->count; i++) {
        sum->gradient[i] += (won - seen * p) * sensitivity[i];
        for (int j = 0; j <= i; j++)
            sum->information[i][j] += seen * p * (1.0 - p) * sensitivity[i] * sensitivity[j];
    }
}

/* False when the spread is not positive at some material. */
static bool measure(const WinTable *table, int left_out, const Unknowns *at, Likelihood *sum)
{
    *sum = (Likelihood){.count = 2 * at->terms};
    for (int row = 0; row < WINFIT_MATERIALS; row++) {
        double power[WINRATE_TERMS], half = 0.0, spread = 0.0;
        powers(winrate_place(row + WINRATE_MATERIAL_MIN), power);
        for (int i = 0; i < at->terms; i++) {
            half += at->x[i] * power[i];
            spread += at->x[at->terms + i] * power[i];
        }
        if (spread < 1e-3)
            return false;
        for (int bin = 0; bin < WINFIT_BINS; bin++) {
            double seen = 0.0, won = 0.0, sensitivity[UNKNOWNS_MAX];
            for (int group = 0; group < WINFIT_GROUPS; group++) {
                seen += group == left_out ? 0.0 : table->seen[group][row][bin];
                won += group == left_out ? 0.0 : table->won[group][row][bin];
            }
            if (seen == 0.0)
                continue;
            const double log_odds = (winfit_bin_score(bin) / UNIT - half) / spread;
            for (int i = 0; i < at->terms; i++) {
                sensitivity[i] = -power[i] / spread;
                sensitivity[at->terms + i] = -power[i] * log_odds / spread;
            }
            add_bin(sum, seen, won, log_odds, sensitivity);
        }
    }
    return true;
}

/* Solves information * step = gradient with `damping` added to the diagonal, by Cholesky's method.
 * False when the matrix is not positive. */
static bool solve(const Likelihood *at, double damping, double *step)
{
    double lower[UNKNOWNS_MAX][UNKNOWNS_MAX];
    for (int i = 0; i < at->count; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = at->information[i][j] * (i == j ? 1.0 + damping : 1.0);
            for (int k = 0; k < j; k++)
                sum -= lower[i][k] * lower[j][k];
            if (i == j && !(sum > 1e-9))
                return false;
            lower[i][j] = i == j ? sqrt(sum) : sum / lower[j][j];
        }
    }
    for (int i = 0; i < at->count; i++) {
        double sum = at->gradient[i];
        for (int k = 0; k < i; k++)
            sum -= lower[i][k] * step[k];
        step[i] = sum / lower[i][i];
    }
    for (int i = at->count - 1; i >= 0; i--) {
        double sum = step[i];
        for (int k = i + 1; k < at->count; k++)
            sum -= lower[k][i] * step[k];
        step[i] = sum / lower[i][i];
    }
    return true;
}

/* Fisher's scoring, damped after Levenberg (1944): a step that makes it worse is tried again,
 * shorter. */
static bool fit_unknowns(const WinTable *table, int left_out, Unknowns *at)
{
    Likelihood here, there;
    double damping = 1.0;
    if (!measure(table, left_out, at, &here))
        return false;
    for (int i = 0; i < STEPS_MAX; i++) {
        double step[UNKNOWNS_MAX], gain = 0.0;
        if (!solve(&here, 0.0, step))
            return false;
        for (int k = 0; k < here.count; k++)
            gain += here.gradient[k] * step[k];
        if (gain < 1e-6) // what the undamped step may still add to the log likelihood
            return true;
        solve(&here, damping, step);
        Unknowns next = *at;
        for (int k = 0; k < here.count; k++)
            next.x[k] += step[k];
        const bool is_better = measure(table, left_out, &next, &there) && there.value >= here.value;
        damping *= is_better ? 0.2 : 10.0;
        if (!is_better)
            continue;
        *at = next;
        here = there;
    }
    return false;
}

/* A spread within a bin is a step that the bins do not show. */
static bool is_sound(const WinRate *model)
{
    for (int m = WINRATE_MATERIAL_MIN; m <= WINRATE_MATERIAL_MAX; m++)
        if (!(winrate_half(model, m) > 0.0 && winrate_spread(model, m) > WINFIT_BIN))
            return false;
    return true;
}

static bool fit_without(const WinTable *table, int left_out, Unknowns *at, WinRate *model)
{
    if (!fit_unknowns(table, left_out, at))
        return false;
    *model = (WinRate){0};
    for (int i = 0; i < at->terms; i++) {
        model->half[i] = at->x[i] * UNIT;
        model->spread[i] = at->x[at->terms + i] * UNIT;
    }
    return is_sound(model);
}

bool winfit_fit(const WinTable *table, int terms, WinFit *fit)
{
    assert(1 <= terms && terms <= WINRATE_TERMS);
    Unknowns all = {.terms = terms};
    all.x[0] = all.x[terms] = 1.0;
    if (!fit_without(table, NO_GROUP, &all, &fit->model))
        return false;
    for (int group = 0; group < WINFIT_GROUPS; group++) {
        Unknowns rest = all;
        if (!fit_without(table, group, &rest, &fit->without[group]))
            return false;
    }
    return true;
}

double winfit_half_error(const WinFit *fit, int material)
{
    double squares = 0.0;
    for (int group = 0; group < WINFIT_GROUPS; group++) {
        const double off =
            winrate_half(&fit->without[group], material) - winrate_half(&fit->model, material);
        squares += off * off;
    }
    return sqrt(squares * (WINFIT_GROUPS - 1) / WINFIT_GROUPS);
}
