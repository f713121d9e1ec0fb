// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/positions.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"
#include "base/file.h"
#include "chess/epd.h"
#include "chess/fen.h"

enum { FIRST_CAPACITY = 512, REASON_MAX = FEN_ERROR_MAX + 32 };

/* Copies the name of the game, the part of the id before a point or " move "; empty without either.
 */
static void read_game(const EpdRecord *record, char id[EPD_TEXT_MAX])
{
    if (!epd_operand(record, "id", id, EPD_TEXT_MAX))
        id[0] = '\0';
    char *const point = strchr(id, '.');
    char *const end = point != NULL ? point : strstr(id, " move ");
    if (end == NULL)
        id[0] = '\0';
    else
        *end = '\0';
}

static bool reserve(PositionSet *set, int *capacity)
{
    if (set->count < *capacity)
        return true;
    *capacity = *capacity > 0 ? 2 * *capacity : FIRST_CAPACITY;
    LabPosition *const positions = realloc(set->positions, (size_t)*capacity * sizeof *positions);
    if (positions == NULL)
        return false;
    set->positions = positions;
    return true;
}

static void count_games(PositionSet *set)
{
    set->game_count = 0;
    for (int i = 0; i < set->count; i++)
        set->game_count += i == 0 || set->positions[i].game != set->positions[i - 1].game;
}

/* False, with the reason in `error` (REASON_MAX bytes), when a line is malformed, no position is
 * found or memory is short. */
static bool read_file(PositionSet *set, FILE *file, char *error)
{
    EpdRecord record;
    char game[EPD_TEXT_MAX], last_game[EPD_TEXT_MAX] = "", fault[FEN_ERROR_MAX];
    int capacity = 0, status;
    while ((status = epd_next_exact(file, &record, true, fault)) == 1) {
        if (!reserve(set, &capacity)) {
            snprintf(error, REASON_MAX, "out of memory");
            return false;
        }
        read_game(&record, game);
        const bool is_same_game = set->count > 0 && game[0] != '\0' && strcmp(game, last_game) == 0;
        const int number = set->count + 1;
        set->positions[set->count] =
            (LabPosition){.pos = record.pos,
                          .number = number,
                          .game = is_same_game ? set->positions[set->count - 1].game : number};
        set->count++;
        memcpy(last_game, game, sizeof game);
    }
    if (status < 0)
        snprintf(error, REASON_MAX, "position %d: %s", set->count + 1, fault);
    else if (set->count == 0)
        snprintf(error, REASON_MAX, "the file has no positions");
    return status == 0 && set->count > 0;
}

bool positions_read(PositionSet *set, const char *path, char *error)
{
    *set = (PositionSet){0};
    FILE *const file = file_open(path, "r");
    if (file == NULL) {
        snprintf(error, POSITIONS_ERROR_MAX, "%.200s: %s; --positions names another file", path,
                 strerror(errno));
        return false;
    }
    char reason[REASON_MAX];
    const bool is_read = read_file(set, file, reason);
    fclose(file);
    if (!is_read)
        snprintf(error, POSITIONS_ERROR_MAX, "%.200s: %s", path, reason);
    count_games(set);
    return is_read;
}

void positions_spread(PositionSet *set, int count)
{
    if (count == 0 || count >= set->count)
        return;
    for (int i = 0; i < count; i++)
        set->positions[i] = set->positions[(int64_t)i * set->count / count];
    set->count = count;
    count_games(set);
}

int positions_of_game(const PositionSet *set, int game, int *count)
{
    int first = 0, end = 0;
    for (int i = 0; i <= game; i++) {
        first = end;
        while (end < set->count && set->positions[end].game == set->positions[first].game)
            end++;
    }
    *count = end - first;
    return first;
}

uint64_t positions_checksum(const PositionSet *set, int first, int count)
{
    uint64_t sum = 0;
    for (int i = first; i < first + count; i++) {
        const Position *const pos = &set->positions[i].pos;
        const uint64_t part[] = {sum, pos->key, pos->rule50};
        sum = checksum64(part, sizeof part);
    }
    return sum;
}

uint64_t positions_games_checksum(const PositionSet *set)
{
    uint64_t sum = positions_checksum(set, 0, set->count);
    for (int i = 0; i < set->count; i++) {
        const uint64_t part[] = {sum, (uint64_t)(set->positions[i].game - set->positions[0].game)};
        sum = checksum64(part, sizeof part);
    }
    return sum;
}

void positions_free(PositionSet *set)
{
    free(set->positions);
    *set = (PositionSet){0};
}
