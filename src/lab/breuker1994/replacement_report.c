// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/breuker1994/replacement_report.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/text.h"
#include "lab/breuker1994/claims.h"

enum {
    PAPER_MIN_PLY = 3,
    PAPER_MAX_PLY = 8,
    PAPER_PLIES = PAPER_MAX_PLY - PAPER_MIN_PLY + 1,
    PAPER_KILO = 1024,
    CLAIM_PLY = 7, // the depth in the figures of the paper
    PAPER_POSITIONS = 18,
    CELL_MAX = 32
};

/* Tables 1 to 3 of the paper: kilonodes at 3..8 ply, schemes in the order of claims_schemes. */
static const int PAPER_NONE[PAPER_PLIES] = {185, 1083, 3847, 23573, 96969, 610696};
static const int PAPER[STAMPING_REFRESH][CLAIMS_SCHEMES][PAPER_PLIES] = {
    [STAMPING_OFF] = {{194, 897, 2791, 12591, 40161, 191687},
                      {194, 897, 2791, 12507, 39596, 185354},
                      {194, 907, 2788, 12568, 40324, 197502},
                      {194, 907, 2788, 12542, 40478, 197377},
                      {194, 899, 2816, 13206, 40916, 196826},
                      {194, 899, 2816, 12702, 39634, 214693},
                      {194, 931, 2798, 12897, 40116, 202986}},
    [STAMPING_ON] = {{191, 915, 2738, 12296, 38062, 180187},
                     {191, 915, 2738, 11989, 38514, 191747},
                     {191, 914, 2764, 12327, 38357, 197978},
                     {191, 914, 2792, 11822, 39985, 197573},
                     {191, 907, 2753, 11887, 39622, 195008},
                     {191, 907, 2753, 12112, 40656, 202209},
                     {191, 934, 2777, 11926, 39580, 205200}},
};

typedef struct {
    const Cube *cube;
    ReplacementReportStyle style;
    FILE *out;
    int position_count, max_claim_ply;
    int width; // of a column of plain text
} Page;

static void heading(const Page *page, const char *text)
{
    fprintf(page->out, page->style == REPORT_MARKDOWN ? "\n#### %s\n\n" : "\n%s\n", text);
}

static void first_cell(const Page *page, const char *text)
{
    fprintf(page->out, page->style == REPORT_MARKDOWN ? "| %s |" : "%-16s", text);
}

static void cell(const Page *page, const char *text)
{
    if (page->style == REPORT_MARKDOWN)
        fprintf(page->out, " %s |", text);
    else
        fprintf(page->out, " %*s", page->width, text);
}

static void number_cell(const Page *page, int decimals, double value, const char *unit)
{
    char text[CELL_MAX] = "-";
    if (!isnan(value))
        snprintf(text, sizeof text, "%.*f%s", decimals, value, unit);
    cell(page, text);
}

static void end_row(const Page *page)
{
    fputc('\n', page->out);
}

/* Ends the header row. In Markdown, also prints the rule below it, for a first column and `columns`
 * others. */
static void rule(const Page *page, int columns)
{
    end_row(page);
    if (page->style != REPORT_MARKDOWN)
        return;
    fprintf(page->out, "|---|");
    for (int i = 0; i < columns; i++)
        fprintf(page->out, "---:|");
    end_row(page);
}

/* --- the paper's tables --- */

/* Prints the kilonodes of the paper, ours and their ratio. Our nodes are scaled to the number of
 * positions in the paper. */
static void paper_cell(const Page *page, int paper, double nodes)
{
    char text[CELL_MAX];
    const double kilos = nodes / 1000 * PAPER_POSITIONS / page->position_count;
    if (isnan(nodes))
        snprintf(text, sizeof text, "%d - -", paper);
    else
        snprintf(text, sizeof text, "%d %.0f %.2f", paper, kilos, kilos / paper);
    cell(page, text);
}

static void paper_header(const Page *page)
{
    first_cell(page, "scheme");
    for (int ply = PAPER_MIN_PLY; ply <= PAPER_MAX_PLY; ply++) {
        char text[CELL_MAX];
        snprintf(text, sizeof text, "%d ply", ply);
        cell(page, text);
    }
    rule(page, PAPER_PLIES);
}

/* Our nodes with the paper's table size, from 3 ply; NAN: not measured. */
static double paper_size_nodes(const Page *page, int scheme, Stamping stamping, int ply)
{
    const CubePlace place = {.seed = CUBE_MEAN,
                             .stamping = stamping,
                             .scheme = scheme,
                             .size = cube_size(page->cube, PAPER_KILO),
                             .ply = PAPER_MIN_PLY + ply};
    return cube_nodes(page->cube, place);
}

/* A table of the paper, unless none of its searches was repeated. */
static void print_paper_table(Page *page, const char *title, Stamping stamping, const int *schemes,
                              int count, const int (*paper)[PAPER_PLIES])
{
    bool is_measured = false;
    for (int i = 0; i < count * PAPER_PLIES; i++)
        is_measured |=
            !isnan(paper_size_nodes(page, schemes[i / PAPER_PLIES], stamping, i % PAPER_PLIES));
    if (!is_measured)
        return;
    page->width = 20;
    heading(page, title);
    paper_header(page);
    for (int i = 0; i < count; i++) {
        first_cell(page, scheme_name(schemes[i]));
        for (int ply = 0; ply < PAPER_PLIES; ply++)
            paper_cell(page, paper[i][ply], paper_size_nodes(page, schemes[i], stamping, ply));
        end_row(page);
    }
}

static void print_paper_tables(Page *page)
{
    print_paper_table(page, "Table 1: no table (kilonodes in the paper, ours, ratio)", STAMPING_OFF,
                      (const int[]){SCHEME_NONE}, 1, &PAPER_NONE);
    print_paper_table(
        page,
        "Table 2: 1024K positions, cleared between positions (kilonodes in the paper, ours, ratio)",
        STAMPING_OFF, claims_schemes, CLAIMS_SCHEMES, PAPER[STAMPING_OFF]);
    print_paper_table(
        page, "Table 3: 1024K positions, with time stamping (kilonodes in the paper, ours, ratio)",
        STAMPING_ON, claims_schemes, CLAIMS_SCHEMES, PAPER[STAMPING_ON]);
}

/* --- nodes against size --- */

static void size_header(const Page *page, const char *first, int from, const char *last)
{
    char text[CELL_MAX];
    first_cell(page, first);
    for (int size = from; size < page->cube->size_count; size++) {
        snprintf(text, sizeof text, "%dK", page->cube->kilos[size]);
        cell(page, text);
    }
    if (last != NULL)
        cell(page, last);
    rule(page, page->cube->size_count - from + (last != NULL));
}

/* True when the cube has the scheme at the depth of `place` with any table size. */
static bool is_observed(const Page *page, CubePlace place)
{
    for (place.size = 0; place.size < page->cube->size_count; place.size++)
        if (!isnan(cube_nodes(page->cube, place)))
            return true;
    return false;
}

static void print_nodes(const Page *page, Stamping stamping, int ply)
{
    CubePlace place = {.seed = CUBE_MEAN, .stamping = stamping, .ply = ply};
    size_header(page, "scheme", 0, NULL);
    for (place.scheme = 0; place.scheme < REPLACEMENT_NB; place.scheme++) {
        if (!is_observed(page, place))
            continue;
        first_cell(page, scheme_name(place.scheme));
        for (place.size = 0; place.size < page->cube->size_count; place.size++)
            number_cell(page, 0, cube_nodes(page->cube, place) / 1000, "");
        end_row(page);
    }
    first_cell(page, "spread");
    for (place.size = 0; place.size < page->cube->size_count; place.size++)
        number_cell(page, 1, claims_spread(page->cube, place), "%");
    end_row(page);
}

/* Prints the standard deviation of the nodes between Zobrist seeds, as a mean over the schemes: how
 * much the nodes of one seed are a matter of chance. */
static void print_noise(const Page *page, Stamping stamping, int ply)
{
    CubePlace place = {.seed = CUBE_MEAN, .stamping = stamping, .ply = ply};
    first_cell(page, "noise");
    for (place.size = 0; place.size < page->cube->size_count; place.size++) {
        double sum = 0;
        for (int i = 0; i < CLAIMS_SCHEMES; i++) {
            place.scheme = claims_schemes[i];
            sum += cube_noise(page->cube, place);
        }
        number_cell(page, 2, 100 * sum / CLAIMS_SCHEMES, "%");
    }
    end_row(page);
}

/* Prints the saving of each table size against the next smaller one, and the mean saving per
 * doubling. */
static void print_savings(const Page *page, Stamping stamping, int ply)
{
    const Cube *const cube = page->cube;
    CubePlace place = {.seed = CUBE_MEAN, .stamping = stamping, .ply = ply};
    size_header(page, "saving up to", 1, "a doubling");
    for (place.scheme = 0; place.scheme < REPLACEMENT_NB; place.scheme++) {
        if (!is_observed(page, place))
            continue;
        double last = NAN, first = NAN;
        first_cell(page, scheme_name(place.scheme));
        for (place.size = 0; place.size < cube->size_count; place.size++) {
            const double nodes = cube_nodes(cube, place);
            if (place.size == 0)
                first = nodes;
            else
                number_cell(page, 1, 100 * (1 - nodes / last), "%");
            last = nodes;
        }
        const double doublings = log2((double)cube->kilos[cube->size_count - 1] / cube->kilos[0]);
        number_cell(page, 2, 100 * (1 - pow(last / first, 1 / doublings)), "%");
        end_row(page);
    }
}

/* True when the cube has any scheme at this depth. */
static bool is_any_observed(const Page *page, Stamping stamping, int ply)
{
    CubePlace place = {.seed = CUBE_MEAN, .stamping = stamping, .ply = ply};
    for (place.scheme = 0; place.scheme < REPLACEMENT_NB; place.scheme++)
        if (is_observed(page, place))
            return true;
    return false;
}

static void print_sizes(Page *page, Stamping stamping, int ply)
{
    if (!is_any_observed(page, stamping, ply))
        return;
    char text[128];
    page->width = 9;
    snprintf(text, sizeof text, "Kilonodes against table size: %d ply, table %s", ply,
             stamping_name(stamping));
    heading(page, text);
    print_nodes(page, stamping, ply);
    if (page->cube->seed_count > 1)
        print_noise(page, stamping, ply);
    if (page->cube->size_count < 2 || ply > CLAIM_PLY)
        return;
    snprintf(text, sizeof text, "Saving by a larger table: %d ply, table %s", ply,
             stamping_name(stamping));
    heading(page, text);
    print_savings(page, stamping, ply);
}

/* --- the claims --- */

/* The depth at which the claims are tested: that of the paper or the greatest allowed, or else the
 * greatest smaller depth with observations. */
static int claim_ply(const Page *page)
{
    for (int ply = page->max_claim_ply < CLAIM_PLY ? page->max_claim_ply : CLAIM_PLY; ply > 1;
         ply--)
        for (Stamping stamping = 0; stamping < STAMPING_NB; stamping++)
            if (is_any_observed(page, stamping, ply))
                return ply;
    return CLAIM_PLY;
}

static void print_claims(const Page *page)
{
    static const char *const VERDICTS[] = {[CLAIM_HOLDS] = "holds",
                                           [CLAIM_FAILS] = "does not hold",
                                           [CLAIM_DEPENDS] = "seeds disagree",
                                           [CLAIM_OPEN] = "open"};
    const bool is_markdown = page->style == REPORT_MARKDOWN;
    const int ply = claim_ply(page);
    char text[128], seeds[64];
    snprintf(text, sizeof text, "The paper's claims, at %d ply", ply);
    heading(page, text);
    if (is_markdown)
        fprintf(page->out, "| claim | | figures |\n|---|---|---|\n");
    for (int i = 0; i < claims_count(); i++) {
        const Finding finding = claims_judge(i, page->cube, CUBE_MEAN, ply);
        int holds;
        const int judged = claims_judge_seeds(i, page->cube, ply, &holds);
        seeds[0] = '\0';
        if (judged > 1) // not all seeds need have this depth
            snprintf(seeds, sizeof seeds, "; holds under %d of %d seeds", holds, judged);
        const char *const verdict = VERDICTS[finding.verdict];
        if (is_markdown)
            fprintf(page->out, "| %s | *%s* | %s%s |\n", claims_text(i), verdict, finding.figures,
                    seeds);
        else
            fprintf(page->out, "%-15s%s\n%-15s%s%s\n", verdict, claims_text(i), "", finding.figures,
                    seeds);
    }
}

static void print_cube(const Cube *cube, const ReportForm *form, FILE *out)
{
    Page page = {.cube = cube,
                 .style = form->style,
                 .out = out,
                 .position_count = cube->position_count * form->positions_per_row,
                 .max_claim_ply = form->max_claim_ply};
    fprintf(out,
            "%sALIBABA on %d positions (suite %08" PRIx32 "): history %s between positions, "
            "quiescence %s early termination, %d seed%s\n",
            form->style == REPORT_MARKDOWN ? "### " : "", page.position_count, cube->common.suite,
            fate_name(cube->common.history), cube->common.early_termination ? "with" : "without",
            cube->seed_count, text_plural(cube->seed_count));
    if (cube->unfinished > 0)
        fprintf(out,
                "%sUnfinished, and so counted as not measured: %d sum%s over these positions\n",
                form->style == REPORT_MARKDOWN ? "\n" : "", cube->unfinished,
                text_plural(cube->unfinished));
    print_paper_tables(&page);
    for (int ply = CUBE_PLIES - 1; ply >= CLAIM_PLY; ply--)
        for (Stamping stamping = 0; stamping < STAMPING_NB; stamping++)
            print_sizes(&page, stamping, ply);
    if (claim_ply(&page) < CLAIM_PLY)
        for (Stamping stamping = 0; stamping < STAMPING_NB; stamping++)
            print_sizes(&page, stamping, claim_ply(&page));
    print_claims(&page);
    fputc('\n', out);
}

/* Writes one setting per group of rows to `groups`, which has room for all rows, and their number
 * to `*count`. False, with the reason in `error`, when a row is malformed. */
static bool find_groups(const Results *results, Setting *groups, int *count, char *error)
{
    *count = 0;
    for (size_t i = 0; i < results->count; i++) {
        Observation o;
        if (!observation_parse(&o, results->rows[i])) {
            snprintf(error, RESULTS_ERROR_MAX, "malformed row: %.300s", results->rows[i]);
            return false;
        }
        int g = 0;
        while (g < *count && !setting_same_group(&groups[g], &o.setting))
            g++;
        if (g == *count)
            groups[(*count)++] = o.setting;
    }
    return true;
}

static const char INTRODUCTION[] =
    "# The experiment of 1994: all tables\n\n"
    "Cells of tables 1 to 3: kilonodes in the paper, our kilonodes (if there were other positions: "
    "scaled to as many as in the paper), ours divided by the paper's. \"-\": not measured. "
    "*Cleared*: the table is emptied between positions. *Stamped*: it is kept, and any new result "
    "replaces an entry of an earlier position. *Refreshed*: stamped, and a read makes an entry "
    "current again. *Spread*: how many more nodes the worst scheme needs than the best. \"Suite\" "
    "is a checksum of the positions and their games. "
    "[What follows from the tables](README.md#the-experiment-of-1994).\n\n";

bool replacement_report(const Results *results, const ReportForm *form, FILE *out, char *error)
{
    int count = 0;
    Setting *const groups = malloc((results->count + 1) * sizeof *groups);
    Cube *const cube = malloc(sizeof *cube);
    bool is_good = groups != NULL && cube != NULL;
    if (!is_good)
        snprintf(error, RESULTS_ERROR_MAX, "out of memory");
    is_good = is_good && find_groups(results, groups, &count, error);
    if (form->style == REPORT_MARKDOWN && is_good)
        fputs(INTRODUCTION, out);
    for (int i = 0; i < count && is_good; i++) {
        is_good = cube_fill(cube, results, &groups[i], error);
        if (is_good)
            print_cube(cube, form, out);
    }
    free(groups);
    free(cube);
    return is_good;
}
