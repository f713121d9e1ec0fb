// SPDX-License-Identifier: GPL-3.0-or-later
#include "datagen/winfit.h"

#include <assert.h>
#include <math.h>

enum { NO_GROUP = -1, STEPS_MAX = 200, UNKNOWNS_MAX = 2 * WINRATE_TERMS };

static const double UNIT = 300.0; // scores are divided by it, so that all unknowns are about 1

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

/* The model with scores divided by UNIT: `terms` coefficients of half, then `terms` of spread. */
typedef struct {
    int terms;
    double x[UNKNOWNS_MAX];
} Unknowns;

/* The log likelihood, its gradient, and the Fisher information matrix (lower triangle). */
typedef struct {
    double value;
    int count; // of unknowns
    double gradient[UNKNOWNS_MAX];
    double information[UNKNOWNS_MAX][UNKNOWNS_MAX];
} Likelihood;

static void compute_powers(double x, double *powers)
{
    powers[0] = 1.0;
    for (int i = 1; i < WINRATE_TERMS; i++)
        powers[i] = powers[i - 1] * x;
}

/* Adds `seen` positions, of which `won` were won, to the likelihood. `sensitivity` holds the
 * derivative of the log odds with respect to each unknown. */
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

/* Computes the likelihood over all groups except `left_out`. False when the spread is not positive
 * at some material. */
static bool measure(const WinTable *table, int left_out, const Unknowns *model, Likelihood *sum)
{
    *sum = (Likelihood){.count = 2 * model->terms};
    for (int row = 0; row < WINFIT_MATERIALS; row++) {
        double power[WINRATE_TERMS], half = 0.0, spread = 0.0;
        compute_powers(winrate_place(row + WINRATE_MATERIAL_MIN), power);
        for (int i = 0; i < model->terms; i++) {
            half += model->x[i] * power[i];
            spread += model->x[model->terms + i] * power[i];
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
            for (int i = 0; i < model->terms; i++) {
                sensitivity[i] = -power[i] / spread;
                sensitivity[model->terms + i] = -power[i] * log_odds / spread;
            }
            add_bin(sum, seen, won, log_odds, sensitivity);
        }
    }
    return true;
}

/* Solves information * step = gradient by Cholesky's method, with the diagonal multiplied by
 * 1 + `damping`. False when the matrix is not positive definite. */
static bool solve(const Likelihood *likelihood, double damping, double *step)
{
    double lower[UNKNOWNS_MAX][UNKNOWNS_MAX];
    for (int i = 0; i < likelihood->count; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = likelihood->information[i][j] * (i == j ? 1.0 + damping : 1.0);
            for (int k = 0; k < j; k++)
                sum -= lower[i][k] * lower[j][k];
            if (i == j && !(sum > 1e-9))
                return false;
            lower[i][j] = i == j ? sqrt(sum) : sum / lower[j][j];
        }
    }
    for (int i = 0; i < likelihood->count; i++) {
        double sum = likelihood->gradient[i];
        for (int k = 0; k < i; k++)
            sum -= lower[i][k] * step[k];
        step[i] = sum / lower[i][i];
    }
    for (int i = likelihood->count - 1; i >= 0; i--) {
        double sum = step[i];
        for (int k = i + 1; k < likelihood->count; k++)
            sum -= lower[k][i] * step[k];
        step[i] = sum / lower[i][i];
    }
    return true;
}

/* Maximises the likelihood by Fisher scoring with the damping of Marquardt (1963). A step that
 * lowers the likelihood is rejected and the damping raised. False when it does not converge. */
static bool fit_unknowns(const WinTable *table, int left_out, Unknowns *unknowns)
{
    Likelihood current, candidate;
    double damping = 1.0;
    if (!measure(table, left_out, unknowns, &current))
        return false;
    for (int i = 0; i < STEPS_MAX; i++) {
        double step[UNKNOWNS_MAX], gain = 0.0;
        if (!solve(&current, 0.0, step))
            return false;
        for (int k = 0; k < current.count; k++)
            gain += current.gradient[k] * step[k];
        if (gain < 1e-6) // estimated gain of the undamped step, in log likelihood
            return true;
        solve(&current, damping, step);
        Unknowns next = *unknowns;
        for (int k = 0; k < current.count; k++)
            next.x[k] += step[k];
        const bool is_better =
            measure(table, left_out, &next, &candidate) && candidate.value >= current.value;
        damping *= is_better ? 0.2 : 10.0;
        if (!is_better)
            continue;
        *unknowns = next;
        current = candidate;
    }
    return false;
}

/* Whether half and spread are larger than a bin, the least that can be measured, at each material.
 * Without drawn games half is 0, or what rounding makes of it. */
static bool is_sound(const WinRate *model)
{
    for (int m = WINRATE_MATERIAL_MIN; m <= WINRATE_MATERIAL_MAX; m++)
        if (!(winrate_half(model, m) > WINFIT_BIN && winrate_spread(model, m) > WINFIT_BIN))
            return false;
    return true;
}

static bool fit_without(const WinTable *table, int left_out, Unknowns *unknowns, WinRate *model)
{
    if (!fit_unknowns(table, left_out, unknowns))
        return false;
    *model = (WinRate){0};
    for (int i = 0; i < unknowns->terms; i++) {
        model->half[i] = unknowns->x[i] * UNIT;
        model->spread[i] = unknowns->x[unknowns->terms + i] * UNIT;
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
        Unknowns others = all;
        if (!fit_without(table, group, &others, &fit->without[group]))
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
