// SPDX-License-Identifier: GPL-3.0-or-later
#include "datagen/wdl.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "chess/chess960.h"
#include "chess/play.h"
#include "datagen/gamefile.h"
#include "datagen/pgnscores.h"
#include "datagen/winfit.h"

static_assert((int)WDL_ERROR_MAX >= (int)GAMEFILE_ERROR_MAX, "holds every error message");

enum {
    BANDS = 5,      // of material, in the table and the figure
    FIGURE_STEP = 5 // bins per point of the figure
};

typedef struct {
    WinTable table;
    PgnTally pgn;
    int pawn;           // WdlOptions.pawn
    uint64_t damaged;   // parts of files of games that could not be read
    uint64_t games;     // games so far; games % WINFIT_GROUPS is the group of a game
    uint64_t positions; // counted in `table`
} WdlData;

static void count_position(WdlData *data, const Position *pos, Score score, int result,
                           uint64_t game)
{
    data->positions += winfit_count(&data->table, (int)(game % WINFIT_GROUPS), score,
                                    pos_material(pos), winfit_outcome(result, pos->side));
}

/* A printed score in internal units. */
static Score score_in_units(const WdlData *data, int centipawns, int material)
{
    return data->pawn > 0 ? (Score)lround(centipawns * data->pawn / 100.0)
                          : winrate_units(centipawns, material);
}

static void count_move(void *ctx, const PgnScore *move)
{
    WdlData *const data = ctx;
    const Score score = score_in_units(data, move->centipawns, pos_material(move->pos));
    count_position(data, move->pos, score, move->result, data->games + move->game);
}

/* A GamefileVisit: counts the positions of the game that are kept for training (quiet ones). */
static bool count_game(void *ctx, const GameRecord *game, const GameBlock *block)
{
    (void)block;
    WdlData *const data = ctx;
    Position pos;
    chess960_start(&pos, game->setup[WHITE], game->setup[BLACK]);
    for (int ply = 0; ply < game->plies; ply++) {
        if (gamecode_suits_training(&pos, game, ply))
            count_position(data, &pos, game->scores[ply], game->result, data->games);
        pos_advance(&pos, game->moves[ply]);
    }
    data->games++;
    return true;
}

static bool refuse(char *error, const char *subject, const char *reason)
{
    snprintf(error, WDL_ERROR_MAX, "%.150s: %.100s", subject, reason);
    return false;
}

static bool begins_with_magic(const char *text)
{
    return strncmp(text, GAMECODE_MAGIC, sizeof GAMECODE_MAGIC - 1) == 0;
}

static bool read_pgn(WdlData *data, const char *path, const char *player, char *error)
{
    StrBuf text = {0};
    const uint64_t before = data->pgn.games;
    bool is_read = file_read_text(path, &text);
    if (!is_read) {
        refuse(error, path, strerror(errno));
    } else if (text.text != NULL && begins_with_magic(text.text)) {
        is_read = refuse(error, path, "only PGN can be read from a pipe");
    } else if (text.text != NULL) {
        is_read = pgnscores_read(text.text, player, count_move, data, &data->pgn);
        data->games += data->pgn.games - before;
        if (!is_read)
            snprintf(error, WDL_ERROR_MAX, "out of memory");
    }
    strbuf_free(&text);
    return is_read;
}

static bool read_gamefile(WdlData *data, const char *path, char *error)
{
    GamefileTally tally;
    if (!gamefile_read(&(GamefileSource){.path = path, .label = path}, count_game, data, &tally,
                       error))
        return false;
    data->damaged += tally.damaged + tally.unreadable + tally.truncated;
    return true;
}

/* Whether the file was written by this program. A look at a pipe would take bytes from it. */
static bool is_gamefile(const char *path)
{
    return file_kind(path, NULL) == FILE_REGULAR &&
           file_begins_with(path, GAMECODE_MAGIC, sizeof GAMECODE_MAGIC - 1);
}

static uint64_t sound_games(const WdlData *data)
{
    return data->games + data->pgn.unjudged;
}

static uint64_t faulty_games(const WdlData *data)
{
    return data->pgn.faulty + data->damaged;
}

static bool read_files(WdlData *data, const WdlOptions *options, char *error)
{
    for (int i = 0; i < options->count; i++) {
        const char *const path = options->paths[i];
        const uint64_t sound = sound_games(data), faulty = faulty_games(data);
        const bool is_read = is_gamefile(path) ? read_gamefile(data, path, error)
                                               : read_pgn(data, path, options->player, error);
        if (!is_read)
            return false;
        if (sound_games(data) == sound && faulty_games(data) > faulty)
            return refuse(error, path, "has no game that can be read");
    }
    return true;
}

/* Whether a file may be PGN. */
static bool has_pgn(const WdlOptions *options)
{
    for (int i = 0; i < options->count; i++)
        if (!is_gamefile(options->paths[i]))
            return true;
    return false;
}

/* Lowest material of a band. */
static int band_from(int band)
{
    return WINRATE_MATERIAL_MIN + band * WINFIT_MATERIALS / BANDS;
}

/* Number of positions, of those won, and of the wins that the model predicts. */
typedef struct {
    double seen, won, expected;
} Cell;

/* Sums the bins first..last of all materials of a band. */
static Cell sum_cell(const WinTable *table, const WinRate *model, int band, int first, int last)
{
    Cell cell = {0};
    for (int material = band_from(band); material < band_from(band + 1); material++)
        for (int bin = first; bin <= last; bin++) {
            double seen = 0.0;
            for (int group = 0; group < WINFIT_GROUPS; group++) {
                seen += table->seen[group][material - WINRATE_MATERIAL_MIN][bin];
                cell.won += table->won[group][material - WINRATE_MATERIAL_MIN][bin];
            }
            cell.seen += seen;
            cell.expected += seen * winrate_win(model, winfit_bin_score(bin), material);
        }
    return cell;
}

static double percent(double part, double whole)
{
    return whole > 0.0 ? 100.0 * part / whole : 0.0;
}

static void print_bands(const WdlData *data, const WinFit *fit, FILE *out)
{
    enum { MIDDLE = WINFIT_BINS / 2, NEAR = 100 / WINFIT_BIN };
    fprintf(out, "material   half         spread   won at 0 (model)   won at half (model)\n");
    for (int band = 0; band < BANDS; band++) {
        const int material = (band_from(band) + band_from(band + 1)) / 2;
        const double half = winrate_half(&fit->model, material);
        const int half_bin = MIDDLE + (int)(half / WINFIT_BIN);
        const Cell at_zero =
            sum_cell(&data->table, &fit->model, band, MIDDLE - NEAR / 4, MIDDLE + NEAR / 4);
        const Cell at_half =
            sum_cell(&data->table, &fit->model, band, half_bin < NEAR / 2 ? 0 : half_bin - NEAR / 2,
                     half_bin + NEAR / 2 < WINFIT_BINS ? half_bin + NEAR / 2 : WINFIT_BINS - 1);
        fprintf(out, "%2d..%2d   %6.1f +- %-5.1f %6.1f   %7.1f%% (%.1f%%)   %10.1f%% (%.1f%%)\n",
                band_from(band), band_from(band + 1) - 1, half, winfit_half_error(fit, material),
                winrate_spread(&fit->model, material), percent(at_zero.won, at_zero.seen),
                percent(at_zero.expected, at_zero.seen), percent(at_half.won, at_half.seen),
                percent(at_half.expected, at_half.seen));
    }
}

static void print_tally(const WdlData *data, FILE *out)
{
    fprintf(out, "games      %" PRIu64 "\n", data->games);
    fprintf(out, "positions  %" PRIu64 " with scores within %d units and material of %d..%d\n",
            data->positions, WINFIT_SCORE_MAX, WINRATE_MATERIAL_MIN, WINRATE_MATERIAL_MAX);
    if (data->pgn.unjudged > 0)
        fprintf(out, "skipped    %" PRIu64 " games without a result by rules or adjudication\n",
                data->pgn.unjudged);
    if (faulty_games(data) > 0)
        fprintf(out, "damaged    %" PRIu64 " games are damaged or illegal\n", faulty_games(data));
}

/* Prints the coefficients in the form of the initialiser in eval/winrate.c. */
static void print_coefficients(const WinRate *model, FILE *out)
{
    const double *const terms[2] = {model->half, model->spread};
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < WINRATE_TERMS; k++)
            fprintf(out, "%s%.2f", k > 0 ? ", " : i == 0 ? "{{" : "}, {", terms[i][k]);
    fputs("}}\n", out);
}

static const char FIGURE_HEAD[] =
    "# material from, to, score, positions, per cent won, per cent by the model\n";

/* Whether the figure may be written to `path`. A file that is no figure stays as it is: `--figure
 * games.pgn` without the name of the figure must not cost the games. */
static bool can_replace(const char *path)
{
    int64_t size;
    return file_kind(path, &size) != FILE_REGULAR || size == 0 ||
           file_begins_with(path, FIGURE_HEAD, sizeof FIGURE_HEAD - 1);
}

/* Writes data for gnuplot. Each band has a title, one line per point (lowest and highest material,
 * score, positions, per cent won, per cent by the model) and two empty lines. */
static bool save_figure(const WdlData *data, const WinFit *fit, const char *path)
{
    FileDraft draft;
    if (!file_draft(&draft, path))
        return false;
    FILE *const file = draft.stream;
    fputs(FIGURE_HEAD, file);
    for (int band = 0; band < BANDS; band++) {
        fprintf(file, "\"%d to %d\"\n", band_from(band), band_from(band + 1) - 1);
        for (int bin = 0; bin + FIGURE_STEP <= WINFIT_BINS; bin += FIGURE_STEP) {
            const Cell cell = sum_cell(&data->table, &fit->model, band, bin, bin + FIGURE_STEP - 1);
            const Score score = winfit_bin_score(bin + FIGURE_STEP / 2);
            const int material = (band_from(band) + band_from(band + 1)) / 2;
            fprintf(file, "%d %d %d %.0f %.3f %.3f\n", band_from(band), band_from(band + 1) - 1,
                    score, cell.seen, percent(cell.won, cell.seen),
                    100.0 * winrate_win(&fit->model, score, material));
        }
        fprintf(file, "\n\n");
    }
    if (ferror(file) == 0)
        return file_publish(&draft);
    file_discard(&draft);
    return false;
}

/* Fits the model to the data and prints it; saves the figure, if one is wanted. */
static bool fit_and_print(const WdlData *data, const char *figure, FILE *out, char *error)
{
    WinFit fit;
    print_tally(data, out);
    if (!winfit_fit(&data->table, WINRATE_TERMS, &fit)) {
        snprintf(error, WDL_ERROR_MAX, "too few games to fit the model");
        return false;
    }
    print_bands(data, &fit, out);
    print_coefficients(&fit.model, out);
    if (figure == NULL || save_figure(data, &fit, figure))
        return true;
    return refuse(error, figure, strerror(errno));
}

bool wdl_fit(const WdlOptions *options, FILE *out, char *error)
{
    if (options->figure != NULL && !can_replace(options->figure)) {
        snprintf(error, WDL_ERROR_MAX, "%.150s exists and is no figure", options->figure);
        return false;
    }
    const char *const for_pgn = options->player != NULL ? "--player"
                                : options->pawn > 0     ? "--pawn"
                                                        : NULL;
    if (for_pgn != NULL && !has_pgn(options))
        return refuse(error, for_pgn, "has no effect without a PGN file");
    WdlData *const data = mem_alloc_large(sizeof *data, NULL);
    if (data == NULL) {
        snprintf(error, WDL_ERROR_MAX, "out of memory");
        return false;
    }
    data->pawn = options->pawn;
    bool is_good = read_files(data, options, error);
    if (is_good && options->player != NULL && data->pgn.moves == 0)
        is_good = refuse(error, "--player", "no PGN file has scores of this player");
    is_good = is_good && fit_and_print(data, options->figure, out, error);
    mem_free_large(data, sizeof *data);
    return is_good;
}
