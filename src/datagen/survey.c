// SPDX-License-Identifier: GPL-3.0-or-later
#include "datagen/survey.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "datagen/gamefile.h"
#include "datagen/keyset.h"
#include "datagen/live.h"
#include "datagen/winfit.h"

enum {
    SAMPLE_MAX = 1 << 20, // different positions in the sample for duplicates
    BAND = 250,           // width of the score histogram's rows
    BANDS = 2 * WINFIT_SCORE_MAX / BAND + 1
};

typedef struct {
    GamefileTally sum;
    uint64_t results[GAME_WHITE_WINS + 1];
    uint64_t chess960, double_chess960;
    uint64_t ends[END_LENGTH + 1];
    uint64_t bands[BANDS]; // kept positions by score
    uint64_t modelled;     // positions the win model is fitted to
    WinTable wins;
    Keyset sample;        // kept positions with no bit of `sample_mask` in their key
    uint64_t sample_mask; // so that any two equal ones are both in it or both not
    bool is_short_of_memory;
    uint64_t game_count; // to share the games out among the win model's groups
} Survey;

/* Keeps the sample small: each time it is full, half the keys are left out of it from then on. */
static void sample_position(Survey *survey, Key key)
{
    if ((key & survey->sample_mask) != 0)
        return;
    if (!keyset_add(&survey->sample, key, NULL))
        survey->is_short_of_memory = true;
    if (survey->sample.size < SAMPLE_MAX)
        return;
    survey->sample_mask = survey->sample_mask << 1 | 1;
    if (!keyset_thin(&survey->sample, survey->sample_mask))
        survey->is_short_of_memory = true;
}

static void take_position(Survey *survey, const Position *pos, const GameRecord *game, int ply)
{
    const int score = game->scores[ply];
    sample_position(survey, pos->key);
    survey->bands[(score + WINFIT_SCORE_MAX + BAND / 2) / BAND]++;
    survey->modelled +=
        winfit_count(&survey->wins, (int)(survey->game_count % WINFIT_GROUPS), score,
                     pos_material(pos), winfit_outcome(game->result, pos->side));
}

/* Replays the game for its positions and its end. */
static bool take_game(void *ctx, const GameRecord *game, size_t bytes)
{
    (void)bytes;
    Survey *survey = ctx;
    LiveGame live;
    live_start(&live, game->number, game->setup[WHITE], game->setup[BLACK]);
    live.record.opening = game->opening;
    for (int ply = 0; ply < game->plies; ply++) {
        const int kept = live.kept;
        const Position before = live.pos;
        live_play(&live, game->moves[ply], game->scores[ply]);
        if (live.kept > kept)
            take_position(survey, &before, game, ply);
    }
    survey->ends[live_end(&live)]++;
    survey->results[game->result]++;
    survey->chess960 +=
        game->setup[WHITE] != CHESS960_STANDARD || game->setup[BLACK] != CHESS960_STANDARD;
    survey->double_chess960 += game->setup[WHITE] != game->setup[BLACK];
    survey->game_count++;
    return !survey->is_short_of_memory;
}

static void add_tally(GamefileTally *sum, const GamefileTally *tally)
{
    sum->games += tally->games;
    sum->plies += tally->plies;
    sum->kept += tally->kept;
    sum->bytes += tally->bytes;
    sum->damaged += tally->damaged + tally->unreadable + tally->truncated;
}

static double percent(uint64_t part, uint64_t whole)
{
    return whole == 0 ? 0.0 : 100.0 * (double)part / (double)whole;
}

static double ratio(uint64_t part, uint64_t whole)
{
    return whole == 0 ? 0.0 : (double)part / (double)whole;
}

static void print_games(const Survey *survey, FILE *out)
{
    const GamefileTally *sum = &survey->sum;
    const uint64_t *results = survey->results, *ends = survey->ends, games = sum->games;
    fprintf(out, "games      %" PRIu64 ": White %.1f%%, drawn %.1f%%, Black %.1f%%\n", games,
            percent(results[GAME_WHITE_WINS], games), percent(results[GAME_DRAW], games),
            percent(results[GAME_BLACK_WINS], games));
    fprintf(
        out,
        "ends       adjudicated %.1f%%, mate %.1f%%, stalemate %.1f%%, repetition %.1f%%, fifty "
        "moves %.1f%%, material %.1f%%, length %.1f%%\n",
        percent(ends[END_NONE], games), percent(ends[END_MATE], games),
        percent(ends[END_STALEMATE], games), percent(ends[END_REPETITION], games),
        percent(ends[END_FIFTY], games), percent(ends[END_MATERIAL], games),
        percent(ends[END_LENGTH], games));
    fprintf(out, "chess960   %.1f%%, with two arrays %.1f%%\n", percent(survey->chess960, games),
            percent(survey->double_chess960, games));
    fprintf(out, "plies      %" PRIu64 ", %.1f a game\n", sum->plies, ratio(sum->plies, games));
    fprintf(out, "positions  %" PRIu64 " kept, %.1f a game, %.1f%% of the plies\n", sum->kept,
            ratio(sum->kept, games), percent(sum->kept, sum->plies));
    fprintf(out, "bytes      %" PRIu64 ", %.3f a kept position\n", sum->bytes,
            ratio(sum->bytes, sum->kept));
    const uint64_t sampled = survey->sample.total, different = survey->sample.size;
    fprintf(out, "duplicates %.2f%% of %" PRIu64 " sampled positions\n",
            percent(sampled - different, sampled), sampled);
    if (sum->damaged > 0)
        fprintf(out, "damaged    %" PRIu64 " blocks passed over\n", sum->damaged);
}

static void print_histogram(const Survey *survey, FILE *out)
{
    enum { BAR = 50 };
    uint64_t most = 1;
    for (int i = 0; i < BANDS; i++)
        most = survey->bands[i] > most ? survey->bands[i] : most;
    fprintf(out, "scores     (side to move, kept positions, rows of %d units)\n", BAND);
    for (int i = 0; i < BANDS; i++) {
        char bar[BAR + 1];
        const size_t length = (size_t)(survey->bands[i] * BAR / most);
        memset(bar, '#', length);
        bar[length] = '\0';
        fprintf(out, "  %+6d %6.2f%% %s\n", i * BAND - WINFIT_SCORE_MAX,
                percent(survey->bands[i], survey->sum.kept), bar);
    }
}

static void print_win_model(const Survey *survey, FILE *out)
{
    WinFit fit;
    if (!winfit_fit(&survey->wins, 1, &fit)) {
        fprintf(out, "wins       too few games to fit a model\n");
        return;
    }
    fprintf(out,
            "wins       P(win) = 1 / (1 + exp((a - score) / b)): a = %.1f +- %.1f, b = %.1f, from "
            "%" PRIu64 " positions\n",
            fit.model.half[0], winfit_half_error(&fit, 0), fit.model.spread[0], survey->modelled);
}

static bool read_files(Survey *survey, char *const *paths, int count, char *error)
{
    for (int i = 0; i < count; i++) {
        GamefileTally tally;
        const bool is_read = gamefile_read(paths[i], paths[i], take_game, survey, &tally, error);
        if (survey->is_short_of_memory)
            snprintf(error, GAMEFILE_ERROR_MAX, "out of memory");
        if (!is_read)
            return false;
        add_tally(&survey->sum, &tally);
    }
    return true;
}

bool survey_print(char *const *paths, int count, FILE *out, char *error)
{
    Survey *survey = mem_alloc_large(sizeof *survey, NULL);
    if (survey == NULL) {
        snprintf(error, GAMEFILE_ERROR_MAX, "out of memory");
        return false;
    }
    const bool is_read = read_files(survey, paths, count, error);
    if (is_read) {
        print_games(survey, out);
        print_histogram(survey, out);
        print_win_model(survey, out);
    }
    keyset_free(&survey->sample);
    mem_free_large(survey, sizeof *survey);
    return is_read;
}
