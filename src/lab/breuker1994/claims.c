// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/breuker1994/claims.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "tt/replacement.h"

const int claims_schemes[CLAIMS_SCHEMES] = {REPLACE_TWO_BIG1, REPLACE_TWO_DEEP, REPLACE_BIG1,
                                            REPLACE_BIG_ALL,  REPLACE_DEEP,     REPLACE_NEW,
                                            REPLACE_OLD};
enum { TWO_LEVELS = 2 }; // the first two schemes have two levels

typedef struct {
    const Cube *cube;
    int seed, ply;
} View;

enum { NAMES_MAX = 100 }; // bytes of the names of all schemes

/* The best and the worst schemes by a measure, each with blanks between the names. Schemes with
 * equal nodes share a place. */
typedef struct {
    char best[NAMES_MAX], worst[NAMES_MAX];
    int best_count, worst_count; // number of schemes in these places
    double least, most;          // their nodes
} Extremes;

typedef double (*Measure)(const View *view, Stamping stamping, int scheme, int size);

static double nodes_at(const View *view, Stamping stamping, int scheme, int size)
{
    return cube_nodes(view->cube, (CubePlace){view->seed, stamping, scheme, size, view->ply});
}

/* A Measure: the mean over all sizes; ignores `size`. */
static double mean_nodes(const View *view, Stamping stamping, int scheme, int size)
{
    (void)size;
    double sum = 0;
    for (int i = 0; i < view->cube->size_count; i++)
        sum += log(nodes_at(view, stamping, scheme, i));
    return view->cube->size_count > 0 ? exp(sum / view->cube->size_count) : NAN;
}

static const char *name_of(int i)
{
    return scheme_name(claims_schemes[i]);
}

/* Adds the name of scheme `i` to the `*count` names in `names`. */
static void add_name(char names[NAMES_MAX], int *count, int i)
{
    const size_t used = strlen(names);
    snprintf(names + used, NAMES_MAX - used, "%s%s", used > 0 ? " " : "", name_of(i));
    (*count)++;
}

/* Finds the best and the worst schemes by `measure` at one size (an index). `least` and `most` are
 * NAN when a scheme is missing. */
static Extremes extremes(const View *view, Stamping stamping, Measure measure, int size)
{
    Extremes e = {.least = INFINITY, .most = -INFINITY};
    double nodes[CLAIMS_SCHEMES];
    for (int i = 0; i < CLAIMS_SCHEMES; i++) {
        nodes[i] = measure(view, stamping, claims_schemes[i], size);
        if (isnan(nodes[i]))
            return (Extremes){.least = NAN, .most = NAN};
        e.least = fmin(e.least, nodes[i]);
        e.most = fmax(e.most, nodes[i]);
    }
    for (int i = 0; i < CLAIMS_SCHEMES; i++) {
        if (nodes[i] <= e.least)
            add_name(e.best, &e.best_count, i);
        if (nodes[i] >= e.most)
            add_name(e.worst, &e.worst_count, i);
    }
    return e;
}

/* Whether the best, or the worst, schemes are this one alone. */
static bool is_alone(const char *names, Replacement scheme)
{
    return strcmp(names, replacement_name(scheme)) == 0;
}

static double percent_more(double more, double less)
{
    return 100 * (more / less - 1);
}

static double percent_saved(double less, double more)
{
    return 100 * (1 - less / more);
}

/* Whether a figure of the paper, a range from `low` to `high`, holds for `value`. All figures have
 * the same tolerance: half of the figure on both sides. */
static bool is_within(double value, double low, double high)
{
    return value >= 0.5 * low && value <= 1.5 * high;
}

/* Whether an upper limit of the paper holds, with the same tolerance. */
static bool is_at_most(double value, double limit)
{
    return value <= 1.5 * limit;
}

/* Makes a finding. `decisive` is a number that is NAN if observations for the verdict are missing.
 */
__attribute__((format(printf, 3, 4))) static Finding finding(double decisive, bool holds,
                                                             const char *format, ...)
{
    Finding result = {.verdict = CLAIM_OPEN};
    if (isnan(decisive)) {
        snprintf(result.figures, sizeof result.figures, "not observed");
        return result;
    }
    result.verdict = holds ? CLAIM_HOLDS : CLAIM_FAILS;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(result.figures, sizeof result.figures, format, arguments);
    va_end(arguments);
    return result;
}

/* Nodes of the worst two-level scheme relative to the best one-level scheme. */
static double levels_ratio(const View *view, Measure measure, int size)
{
    double worst_two = 0, best_one = INFINITY;
    for (int i = 0; i < CLAIMS_SCHEMES; i++) {
        const double nodes = measure(view, STAMPING_OFF, claims_schemes[i], size);
        if (isnan(nodes))
            return NAN;
        if (i < TWO_LEVELS)
            worst_two = nodes > worst_two ? nodes : worst_two;
        else
            best_one = nodes < best_one ? nodes : best_one;
    }
    return worst_two / best_one;
}

static Finding judge_levels(const View *view)
{
    const double ratio = levels_ratio(view, mean_nodes, 0);
    int sizes = 0;
    for (int size = 0; size < view->cube->size_count; size++)
        sizes += levels_ratio(view, nodes_at, size) < 1;
    return finding(ratio, ratio < 1,
                   "worst two-level scheme against best one-level scheme %+.1f%%; better at %d of "
                   "%d sizes",
                   100 * (ratio - 1), sizes, view->cube->size_count);
}

/* Finds the best and the worst scheme in the smallest table of the paper. */
static Extremes at_8k(const View *view)
{
    return extremes(view, STAMPING_OFF, nodes_at, cube_size(view->cube, 8));
}

static Finding judge_first(const View *view)
{
    const Extremes e = at_8k(view);
    return finding(e.least, is_alone(e.best, REPLACE_TWO_BIG1), "first %s %s, %.0f K",
                   e.best_count == 1 ? "is" : "are", e.best, e.least / 1000);
}

static Finding judge_last(const View *view)
{
    const Extremes e = at_8k(view);
    return finding(e.least, is_alone(e.worst, REPLACE_NEW), "last %s %s, %.0f K",
                   e.worst_count == 1 ? "is" : "are", e.worst, e.most / 1000);
}

static Finding judge_small_spread(const View *view)
{
    const Extremes e = at_8k(view);
    const double spread = percent_more(e.most, e.least);
    return finding(spread, is_within(spread, 23, 23), "%.1f%%", spread);
}

static Finding judge_large_spread(const View *view)
{
    double most = NAN;
    char figures[100];
    size_t used = 0;
    for (int size = 0; size < view->cube->size_count; size++) {
        if (view->cube->kilos[size] < 512)
            continue;
        const Extremes e = extremes(view, STAMPING_OFF, nodes_at, size);
        const double spread = percent_more(e.most, e.least);
        if (isnan(spread))
            return finding(NAN, false, "%s", "");
        most = isnan(most) || spread > most ? spread : most;
        if (used < sizeof figures)
            used += (size_t)snprintf(figures + used, sizeof figures - used, "%s%dK %.1f%%",
                                     used > 0 ? ", " : "", view->cube->kilos[size], spread);
    }
    return finding(most, is_at_most(most, 3), "%s", figures);
}

/* Judges the saving of TwoDeep against Deep by a measure, at one size (an index). */
static Finding judge_deep(const View *view, Measure measure, int size)
{
    const double saved = percent_saved(measure(view, STAMPING_OFF, REPLACE_TWO_DEEP, size),
                                       measure(view, STAMPING_OFF, REPLACE_DEEP, size));
    return finding(saved, is_within(saved, 5, 10), "%.1f%%", saved);
}

static Finding judge_deep_at_8k(const View *view)
{
    return judge_deep(view, nodes_at, cube_size(view->cube, 8));
}

static Finding judge_deep_mean(const View *view)
{
    return judge_deep(view, mean_nodes, 0);
}

/* Saving per doubling of the table between two sizes (indices), in per cent, as a mean over the
 * schemes. */
static double doubling(const View *view, int from, int to)
{
    if (from < 0 || to <= from)
        return NAN;
    double sum = 0;
    for (int i = 0; i < CLAIMS_SCHEMES; i++)
        sum += log(nodes_at(view, STAMPING_OFF, claims_schemes[i], to)) -
               log(nodes_at(view, STAMPING_OFF, claims_schemes[i], from));
    const double doublings = log2((double)view->cube->kilos[to] / view->cube->kilos[from]);
    return 100 * (1 - exp(sum / CLAIMS_SCHEMES / doublings));
}

static Finding judge_doubling(const View *view)
{
    const int last = view->cube->size_count - 1;
    const double saved = doubling(view, 0, last);
    return finding(saved, is_within(saved, 5, 7), "%.1f%% a doubling from %dK to %dK", saved,
                   view->cube->kilos[0], view->cube->kilos[last > 0 ? last : 0]);
}

static Finding judge_constancy(const View *view)
{
    const int last = view->cube->size_count - 1;
    const double early = doubling(view, 0, 1), late = doubling(view, last - 1, last);
    return finding(last < 2 ? NAN : early + late, fabs(late) < early / 2,
                   "first doubling %.1f%%, last %.1f%%", early, late);
}

static Finding judge_stamping(const View *view)
{
    double sum = 0;
    int better = 0, cells = 0;
    for (int i = 0; i < CLAIMS_SCHEMES; i++)
        for (int size = 0; size < view->cube->size_count; size++) {
            const double off = nodes_at(view, STAMPING_OFF, claims_schemes[i], size);
            const double on = nodes_at(view, STAMPING_ON, claims_schemes[i], size);
            sum += log(on / off);
            better += on < off;
            cells++;
        }
    const double saved = cells > 0 ? 100 * (1 - exp(sum / cells)) : NAN;
    return finding(saved, saved > 0, "%.1f%% saved; fewer nodes in %d of %d cells", saved, better,
                   cells);
}

/* Sorts the schemes by their mean nodes over all sizes, the best first. */
static void rank_schemes(const View *view, Stamping stamping, int order[CLAIMS_SCHEMES])
{
    for (int i = 0; i < CLAIMS_SCHEMES; i++) {
        int j = i;
        for (; j > 0 && mean_nodes(view, stamping, claims_schemes[order[j - 1]], 0) >
                            mean_nodes(view, stamping, claims_schemes[i], 0);
             j--)
            order[j] = order[j - 1];
        order[j] = i;
    }
}

static void print_order(const int order[CLAIMS_SCHEMES], char *out, size_t size)
{
    size_t used = 0;
    out[0] = '\0';
    for (int i = 0; i < CLAIMS_SCHEMES && used < size; i++)
        used +=
            (size_t)snprintf(out + used, size - used, "%s%s", i > 0 ? " " : "", name_of(order[i]));
}

/* Whether scheme `i` needs fewer nodes than scheme `j` in the mean over all sizes: 1, 0 (as many)
 * or -1. */
static int lead(const View *view, Stamping stamping, int i, int j)
{
    const double a = mean_nodes(view, stamping, claims_schemes[i], 0);
    const double b = mean_nodes(view, stamping, claims_schemes[j], 0);
    return (a < b) - (a > b);
}

static Finding judge_order(const View *view)
{
    int off[CLAIMS_SCHEMES], on[CLAIMS_SCHEMES], swapped = 0;
    rank_schemes(view, STAMPING_OFF, off);
    rank_schemes(view, STAMPING_ON, on);
    for (int i = 0; i < CLAIMS_SCHEMES; i++)
        for (int j = i + 1; j < CLAIMS_SCHEMES; j++)
            swapped += lead(view, STAMPING_OFF, i, j) * lead(view, STAMPING_ON, i, j) < 0;
    char without[100], with[100];
    print_order(off, without, sizeof without);
    print_order(on, with, sizeof with);
    const double decisive = extremes(view, STAMPING_OFF, mean_nodes, 0).least +
                            extremes(view, STAMPING_ON, mean_nodes, 0).least;
    return finding(decisive, swapped == 0, "%d of 21 pairs change places; cleared: %s; stamped: %s",
                   swapped, without, with);
}

static Finding judge_edge(const View *view)
{
    const Extremes off = extremes(view, STAMPING_OFF, mean_nodes, 0);
    const Extremes on = extremes(view, STAMPING_ON, mean_nodes, 0);
    return finding(off.least + on.least,
                   is_alone(off.best, REPLACE_TWO_BIG1) && is_alone(on.best, REPLACE_TWO_BIG1),
                   "best over all sizes: cleared %s, stamped %s", off.best, on.best);
}

/* Nodes that the largest table saves at `ply` against no table, in per cent, as a mean over the
 * schemes. */
static double table_saves(const View *view, Stamping stamping, int ply)
{
    const View here = {view->cube, view->seed, ply};
    const double none = nodes_at(&here, STAMPING_OFF, SCHEME_NONE, 0);
    double sum = 0;
    for (int i = 0; i < CLAIMS_SCHEMES; i++)
        sum += log(nodes_at(&here, stamping, claims_schemes[i], view->cube->size_count - 1) / none);
    return 100 * (1 - exp(sum / CLAIMS_SCHEMES));
}

static Finding judge_three_ply(const View *view)
{
    const double saved = table_saves(view, STAMPING_ON, 3);
    return finding(saved, saved < 0, "the stamped table saves %.1f%%", saved);
}

static Finding judge_table(const View *view)
{
    double least = INFINITY;
    char figures[100];
    size_t used = 0;
    for (int ply = 4; ply <= view->ply; ply++) {
        const double saved = table_saves(view, STAMPING_OFF, ply);
        least = isnan(saved) || saved < least ? saved : least;
        if (used < sizeof figures)
            used += (size_t)snprintf(figures + used, sizeof figures - used, "%s%d ply %.0f%%",
                                     ply > 4 ? ", " : "", ply, saved);
    }
    return finding(isinf(least) ? NAN : least, least > 0, "saved: %s", figures);
}

static const struct {
    const char *text;
    Finding (*judge)(const View *view);
} CLAIMS[] = {
    {"Two levels beat one (each two-level scheme below each one-level scheme, mean of sizes)",
     judge_levels},
    {"TwoBig1 comes first at 8K", judge_first},
    {"New comes last at 8K", judge_last},
    {"The spread at 8K is about 23% (11.5 to 34.5)", judge_small_spread},
    {"The spread from 512K up is only around 3% (4.5 at most)", judge_large_spread},
    {"TwoDeep saves 5 to 10% against Deep, as Ebeling (1986) found (2.5 to 15, at 8K)",
     judge_deep_at_8k},
    {"TwoDeep saves 5 to 10% against Deep, as Ebeling (1986) found (2.5 to 15, mean of sizes)",
     judge_deep_mean},
    {"A doubling of the table saves 7% (Ebeling 1986) or 5% (Schaeffer 1994) (2.5 to 10.5, mean of "
     "schemes)",
     judge_doubling},
    {"Nodes tend to constancy (last doubling saves less than half of what the first saves)",
     judge_constancy},
    {"Time stamping has a slight edge (saves nodes, mean of schemes and sizes)", judge_stamping},
    {"The order of the schemes is the same with stamping (by mean of sizes)", judge_order},
    {"TwoBig1 is best with and without stamping (by mean of sizes)", judge_edge},
    {"At 3 ply the stamped table costs nodes (largest table, mean of schemes)", judge_three_ply},
    {"Over 3 ply the table saves nodes (largest table, mean of schemes)", judge_table},
};

int claims_count(void)
{
    return sizeof CLAIMS / sizeof CLAIMS[0];
}

const char *claims_text(int claim)
{
    return CLAIMS[claim].text;
}

/* Whether a seed has another verdict than `verdict`. Seeds without a verdict do not count. */
static bool seeds_disagree(int claim, const Cube *cube, Verdict verdict, int ply)
{
    for (int seed = 0; seed < cube->seed_count; seed++) {
        const Verdict other = claims_judge(claim, cube, seed, ply).verdict;
        if (other != verdict && other != CLAIM_OPEN)
            return true;
    }
    return false;
}

Finding claims_judge(int claim, const Cube *cube, int seed, int ply)
{
    const View view = {cube, seed, ply};
    Finding result = CLAIMS[claim].judge(&view);
    if (seed == CUBE_MEAN && result.verdict != CLAIM_OPEN &&
        seeds_disagree(claim, cube, result.verdict, ply))
        result.verdict = CLAIM_DEPENDS;
    // A Finding contains its text and has no pointers.
    // cppcheck-suppress returnDanglingLifetime
    return result;
}

int claims_judge_seeds(int claim, const Cube *cube, int ply, int *holds)
{
    int judged = 0;
    *holds = 0;
    for (int seed = 0; seed < cube->seed_count; seed++) {
        const Verdict verdict = claims_judge(claim, cube, seed, ply).verdict;
        judged += verdict != CLAIM_OPEN;
        *holds += verdict == CLAIM_HOLDS;
    }
    return judged;
}

double claims_spread(const Cube *cube, CubePlace at)
{
    const View view = {cube, at.seed, at.ply};
    const Extremes e = extremes(&view, at.stamping, nodes_at, at.size);
    return percent_more(e.most, e.least);
}
