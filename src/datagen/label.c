// SPDX-License-Identifier: GPL-3.0-or-later
#include "datagen/label.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/checksum.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "base/progress.h"
#include "base/rng.h"
#include "base/text.h"
#include "base/thread.h"
#include "chess/fen.h"
#include "datagen/game.h"
#include "datagen/gamefile.h"
#include "datagen/treewalk.h"
#include "engine/single.h"

enum {
    HASH_MIB = 16,
    TRIES = 4,       // random plies tried in a game until one is quiet
    RULE50_MAX = 20, // a static evaluation does not see the fifty-move rule coming
    HEAD_MAX = 256,
    TREE_SEARCH_NODES = 2000, // of the search that a position is drawn from
    TREE_SEARCH_DEPTH = 1     // least depth of its nodes, plies
};

/* A sample of a stream, every element equally likely (reservoir sampling, Vitter 1985). */
typedef struct {
    Position *positions; // room for `quota`
    int size, quota;
    uint64_t seen;
} Reservoir;

typedef struct {
    const LabelOptions *options;
    Reservoir strata[PIECE_COUNT_RANGES];
    Rng rng;
    Position kept[GAME_MAX_PLIES]; // training positions of the current game
} Selection;

typedef struct {
    Score score;
    bool is_done;
} Label;

/* The searches: threads take positions in order; the finished prefix is written. */
typedef struct {
    const LabelOptions *options;
    Position *positions;
    Label *labels;
    int count, next, written;
    FILE *file;
    Mutex mutex; // guards labels, next, written, file, running, failure
    Cond thread_end;
    int running;
    const char *failure;
} Labelling;

static bool refuse(char *error, const char *path, const char *reason)
{
    snprintf(error, LABEL_ERROR_MAX, "%.200s: %.250s", path, reason);
    return false;
}

static void offer(Selection *selection, const Position *pos)
{
    Reservoir *const r = &selection->strata[pos_piece_count_range(pos)];
    r->seen++;
    if (r->size < r->quota) {
        r->positions[r->size++] = *pos;
        return;
    }
    const uint64_t place = rng_below(&selection->rng, r->seen);
    if (place < (uint64_t)r->quota)
        r->positions[place] = *pos;
}

/* A GamefileVisit: offers one quiet position of the game. */
static bool draw_from_game(void *ctx, const GameRecord *game, const GameBlock *block)
{
    (void)block;
    Selection *const selection = ctx;
    SelfplayGame replay;
    int count = 0;
    selfplay_game_replay(&replay, game);
    for (int ply = 0; ply < game->plies; ply++) {
        selection->kept[count] = replay.pos;
        count += selfplay_game_replay_move(&replay, game);
    }
    for (int i = 0; i < TRIES && count > 0; i++) {
        const Position *const pos = &selection->kept[rng_below(&selection->rng, (uint64_t)count)];
        if (!pos_needs_chess960(pos) && pos->rule50 <= RULE50_MAX && selfplay_is_quiet(pos)) {
            offer(selection, pos);
            break;
        }
    }
    return true;
}

static bool read_games(Selection *selection, char *error)
{
    const LabelOptions *const options = selection->options;
    for (int i = 0; i < options->path_count; i++) {
        GamefileTally tally;
        char reason[GAMEFILE_ERROR_MAX];
        const GamefileSource source = {.path = options->paths[i],
                                       .label = options->is_silent ? NULL : "reading games",
                                       .stop = options->stop};
        if (gamefile_read(&source, draw_from_game, selection, &tally, reason))
            continue;
        if (interrupt_is_set(options->stop))
            return refuse(error, options->paths[i], "interrupted while reading");
        snprintf(error, LABEL_ERROR_MAX, "%.500s", reason); // begins with the path
        return false;
    }
    return true;
}

/* Gives each stratum its share of `room`, which holds options->positions. Those with most pieces
 * get the remainder, because nearly every game reaches them; the sum is options->positions. */
static void share_room(Selection *selection, Position *room)
{
    for (int s = 0; s < PIECE_COUNT_RANGES; s++) {
        Reservoir *const r = &selection->strata[s];
        r->quota = (selection->options->positions + s) / PIECE_COUNT_RANGES;
        r->positions = room;
        room += r->quota;
    }
}

/* Selects the positions into `all`, which holds options->positions; returns their number, -1 on
 * failure. Strata alternate, so that any first part of them is balanced. */
static int select_positions(const LabelOptions *options, Position *all, char *error)
{
    Selection *const selection = calloc(1, sizeof *selection);
    Position *const room = calloc((size_t)options->positions, sizeof *room);
    int count = -1;
    if (selection == NULL || room == NULL) {
        snprintf(error, LABEL_ERROR_MAX, "out of memory");
    } else {
        selection->options = options;
        share_room(selection, room);
        rng_seed(&selection->rng, options->seed);
        if (read_games(selection, error)) {
            count = 0;
            for (int i = 0; i < selection->strata[PIECE_COUNT_RANGES - 1].quota; i++)
                for (int s = 0; s < PIECE_COUNT_RANGES; s++)
                    if (i < selection->strata[s].size)
                        all[count++] = selection->strata[s].positions[i];
        }
        if (count == 0) {
            snprintf(error, LABEL_ERROR_MAX, "the games have no quiet position to label");
            count = -1;
        }
    }
    free(selection);
    free(room);
    return count;
}

/* Writes the labels that are finished in order. The caller holds the mutex. */
static void write_finished(Labelling *l)
{
    while (l->written < l->count && l->labels[l->written].is_done && l->failure == NULL) {
        const Position *const pos = &l->positions[l->written];
        char fen[FEN_MAX];
        fen_print(pos, false, fen);
        *strrchr(fen, ' ') = '\0'; // the counters are operations of EPD
        *strrchr(fen, ' ') = '\0';
        if (fprintf(l->file, "%s hmvc %d; ce %d;\n", fen, pos->rule50,
                    l->labels[l->written].score) < 0 ||
            fflush(l->file) != 0)
            l->failure = strerror(errno);
        else
            l->written++;
    }
}

static int claim(Labelling *l)
{
    mutex_lock(&l->mutex);
    const bool is_left =
        l->next < l->count && l->failure == NULL && !interrupt_is_set(l->options->stop);
    const int index = is_left ? l->next++ : -1;
    mutex_unlock(&l->mutex);
    return index;
}

static Score search(Single *single, const Position *pos, uint64_t nodes)
{
    const Limits limits = {.nodes = nodes};
    Path path;
    path_start(&path, pos);
    single_new_game(single);
    return single_search(single, pos, &path, &limits).score;
}

/* Replaces `pos` by a random quiet position inside its search, if there is one. */
static void enter_tree(Single *single, Treewalk *walk, uint64_t seed, Position *pos)
{
    Rng rng;
    rng_seed(&rng, seed);
    search(single, pos, TREE_SEARCH_NODES);
    treewalk_find(walk, single_table(single), pos, TREE_SEARCH_DEPTH);
    for (int left = walk->count; left > 1; left--) {
        TreewalkNode *const node = &walk->found[1 + rng_below(&rng, (uint64_t)left - 1)];
        if (!pos_in_check(&node->pos) && selfplay_is_quiet(&node->pos)) {
            *pos = node->pos;
            return;
        }
        *node = walk->found[left - 1];
    }
}

static void *search_positions(void *ctx)
{
    Labelling *const l = ctx;
    const LabelOptions *const options = l->options;
    Single *const single = single_create(HASH_MIB, options->eval);
    Treewalk *const walk = malloc(sizeof *walk);
    const bool has_memory = single != NULL && walk != NULL;
    for (int i = has_memory ? claim(l) : -1; i >= 0; i = claim(l)) {
        if (options->is_from_tree)
            enter_tree(single, walk, options->seed + (uint64_t)i, &l->positions[i]);
        const Score score = search(single, &l->positions[i], options->nodes);
        mutex_lock(&l->mutex);
        l->labels[i] = (Label){.score = score, .is_done = true};
        write_finished(l);
        mutex_unlock(&l->mutex);
    }
    mutex_lock(&l->mutex);
    if (!has_memory)
        l->failure = "out of memory";
    l->running--;
    cond_signal(&l->thread_end);
    mutex_unlock(&l->mutex);
    single_destroy(single);
    free(walk);
    return NULL;
}

/* Shows the progress until all threads have ended. The caller holds the mutex. Labels that were in
 * the file before took no time, so the bar leaves them out. */
static void show_progress(Labelling *l, int before)
{
    Progress bar;
    progress_start(&bar, l->options->is_silent ? NULL : "searching", (uint64_t)(l->count - before));
    while (l->running > 0) {
        progress_update(&bar, (uint64_t)(l->written - before));
        cond_wait_ms(&l->thread_end, &l->mutex, PROGRESS_REDRAW_MS);
    }
    progress_end(&bar, l->written >= l->count);
}

static void run_threads(Labelling *l, Thread *threads)
{
    mutex_init(&l->mutex);
    cond_init(&l->thread_end);
    mutex_lock(&l->mutex);
    const int before = l->written;
    while (l->running < l->options->threads &&
           thread_start(&threads[l->running], search_positions, l))
        l->running++;
    const int started = l->running;
    if (started == 0)
        l->failure = "cannot start a thread";
    show_progress(l, before);
    mutex_unlock(&l->mutex);
    for (int i = 0; i < started; i++)
        thread_join(&threads[i]);
    cond_destroy(&l->thread_end);
    mutex_destroy(&l->mutex);
}

/* Cuts off a line without an end, which an interrupted write can leave. */
static bool cut_unfinished_line(FILE *file)
{
    long end = 0;
    rewind(file);
    for (int c; (c = fgetc(file)) != EOF;)
        end = c == '\n' ? ftell(file) : end;
    return !ferror(file) && ftruncate(fileno(file), end) == 0 && fseek(file, 0, SEEK_SET) == 0;
}

/* A checksum of the selected positions: other games give other positions. */
static uint32_t checksum_positions(const Labelling *l)
{
    uint64_t sum = 0;
    for (int i = 0; i < l->count; i++) {
        const uint64_t parts[] = {sum, l->positions[i].key, (uint64_t)l->positions[i].rule50};
        sum = checksum64(parts, sizeof parts);
    }
    return (uint32_t)sum;
}

/* Writes the first line of the file to `head` (HEAD_MAX), without its end. palimpsest-train reads
 * the number of positions there. */
static void print_head(const Labelling *l, char *head)
{
    const LabelOptions *const o = l->options;
    snprintf(head, HEAD_MAX,
             "# %" PRIu64 " nodes, evaluation %.32s, seed %" PRIu64
             ", %d positions%s, checksum %08" PRIx32,
             o->nodes, o->eval_name, o->seed, l->count, o->is_from_tree ? " of searches" : "",
             checksum_positions(l));
}

/* Counts the labels in the file, whose first line is good. -1 on failure. */
static int count_labels(FILE *file)
{
    TextLine line = {0};
    int count = -1; // the first line is no label
    if (cut_unfinished_line(file))
        while (text_line_read(&line, file))
            count++;
    text_line_free(&line);
    return count;
}

/* Writes the first line to a file that has none, or only a part of it. */
static bool begin_file(FILE *file, const char *head)
{
    return ftruncate(fileno(file), 0) == 0 && fseek(file, 0, SEEK_SET) == 0 &&
           fprintf(file, "%s\n", head) > 0;
}

/* What a file holds before it is extended. */
typedef enum { FILE_UNREADABLE, FILE_BEGUN, FILE_WITHOUT_HEAD, FILE_FOREIGN } FileState;

/* Reads the first line; a file without the whole line is still to be begun. */
static FileState examine_head(FILE *file, const char *head)
{
    TextLine line = {0};
    const bool is_read = text_line_read(&line, file), has_end = !feof(file);
    FileState state = has_end ? FILE_BEGUN : FILE_WITHOUT_HEAD;
    if (ferror(file))
        state = FILE_UNREADABLE;
    else if (is_read && (line.too_long || strncmp(line.text, head, line.length + has_end) != 0))
        state = FILE_FOREIGN;
    text_line_free(&line);
    return state;
}

/* Opens the file to append to. Returns the number of labels it holds, -1 with the reason in `error`
 * when it was begun with other options or games; such a file stays unchanged. */
static int open_file(Labelling *l, char *error)
{
    const char *const path = l->options->out;
    char head[HEAD_MAX];
    print_head(l, head);
    l->file = file_open(path, "a+b");
    if (l->file != NULL && !file_lock(l->file)) {
        refuse(error, path, "another process is writing to it");
        return -1;
    }
    if (l->file == NULL || fseek(l->file, 0, SEEK_SET) != 0) {
        refuse(error, path, strerror(errno));
        return -1;
    }
    const FileState state = examine_head(l->file, head);
    if (state == FILE_FOREIGN) {
        refuse(error, path, "is another kind of file, or was begun with other options or games");
        return -1;
    }
    int count = -1;
    if (state == FILE_BEGUN)
        count = count_labels(l->file);
    else if (state == FILE_WITHOUT_HEAD && begin_file(l->file, head)) // or an interrupted start
        count = 0;
    if (count < 0)
        refuse(error, path, strerror(errno));
    if (count <= l->count)
        return count;
    refuse(error, path, "has more lines than positions were drawn");
    return -1;
}

/* Labels the positions that the file does not have yet. */
static bool label_rest(Labelling *l, char *error)
{
    const LabelOptions *const o = l->options;
    l->next = l->written = open_file(l, error);
    bool is_done = l->written >= 0;
    Thread *const threads = calloc((size_t)o->threads, sizeof *threads);
    if (is_done && threads == NULL)
        l->failure = "out of memory";
    else if (is_done && l->written < l->count)
        run_threads(l, threads);
    free(threads);
    if (l->file != NULL && fclose(l->file) != 0 && l->failure == NULL)
        l->failure = strerror(errno);
    if (is_done && l->failure != NULL)
        is_done = refuse(error, o->out, l->failure);
    return is_done;
}

bool label_positions(const LabelOptions *options, LabelResult *result, char *error)
{
    Position *const all = calloc((size_t)options->positions, sizeof *all);
    Label *const labels = calloc((size_t)options->positions, sizeof *labels);
    bool is_done = all != NULL && labels != NULL;
    *result = (LabelResult){0};
    if (!is_done)
        snprintf(error, LABEL_ERROR_MAX, "out of memory");
    const int count = is_done ? select_positions(options, all, error) : -1;
    is_done = count >= 0;
    if (is_done) {
        Labelling l = {.options = options, .positions = all, .labels = labels, .count = count};
        is_done = label_rest(&l, error);
        *result = (LabelResult){.labelled = l.written > 0 ? l.written : 0, .selected = count};
    }
    result->is_stopped =
        interrupt_is_set(options->stop) && (count < 0 || result->labelled < result->selected);
    free(labels);
    free(all);
    return is_done;
}
