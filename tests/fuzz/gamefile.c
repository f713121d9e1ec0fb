// SPDX-License-Identifier: GPL-3.0-or-later
/* Files of self-play games: a game that is read is packed again into the same bytes, because each
 * game has one code; so are its tree nodes. Input: see fuzz_record_log(). */
#include "fuzz.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "chess/chess960.h"
#include "chess/movegen.h"
#include "chess/play.h"
#include "datagen/gamefile.h"
#include "datagen/verify.h"

static TreeNode nodes[TREE_NODES_MAX];
static uint8_t packed[GAMEBLOCK_MAX_BYTES];
static int node_count;

static void keep_node(void *ctx, const Position *pos, const TreeNode *node)
{
    (void)ctx;
    assert(pos_check(pos) == NULL && !pos_in_check(pos));
    nodes[node_count++] = *node;
}

static bool check_game(void *ctx, const GameRecord *game, const GameBlock *block)
{
    ++*(uint64_t *)ctx; // the number of games
    const size_t size = gamecode_pack(game, packed);
    assert(size == block->game_size && memcmp(packed, block->game, size) == 0);
    node_count = 0;
    if (block->tree_size > 0 &&
        treecode_unpack(game, block->tree, block->tree_size, keep_node, NULL)) {
        const size_t tree = treecode_pack(game, nodes, node_count, packed);
        assert(tree == block->tree_size && memcmp(packed, block->tree, tree) == 0);
    }
    verify_block(game, block);
    return true;
}

void fuzz_gamefile(const uint8_t *bytes, size_t size)
{
    GamefileTally tally;
    uint64_t games = 0;
    char error[GAMEFILE_ERROR_MAX];
    const GamefileSource source = {.path = fuzz_record_log(GAMECODE_MAGIC, bytes, size)};
    if (!gamefile_read(&source, check_game, &games, &tally, error)) {
        assert(*error != '\0');
        return;
    }
    assert(tally.games == games);
    assert(tally.kept <= tally.plies && (tally.next_number > 0) == (tally.games > 0));
}

static void add_move(void *ctx, const Position *pos, Move move)
{
    GameRecord *const game = ctx;
    (void)pos;
    game->scores[game->plies] = (int16_t)(game->plies * 37 % 400 - 200);
    game->moves[game->plies++] = move;
}

/* One tree node of one move at each ply. */
static size_t pack_tree(const GameRecord *game, uint8_t *bytes)
{
    Position pos;
    int count = 0;
    chess960_start(&pos, CHESS960_STANDARD, CHESS960_STANDARD);
    for (int ply = 0; ply < game->plies; ply++) {
        Move moves[MAX_MOVES];
        TreeNode node = {.ply = (uint16_t)ply, .length = 1, .depth = 3, .bound = TREE_EXACT};
        Position end;
        gen_legal(&pos, moves);
        node.path[0] = moves[0];
        pos_play(&end, &pos, moves[0]);
        if (!pos_in_check(&end))
            nodes[count++] = node;
        pos_advance(&pos, game->moves[ply]);
    }
    return treecode_pack(game, nodes, count, bytes);
}

void seed_gamefile(void)
{
    char path[] = "/tmp/palimpsest-fuzz-XXXXXX", error[RECORD_LOG_ERROR_MAX];
    static uint8_t game_bytes[GAME_MAX_BYTES], tree_bytes[TREE_MAX_BYTES];
    RecordWriter writer;
    const int file = mkstemp(path);
    assert(file >= 0);
    close(file);
    for (uint64_t seed = 0; seed < 6; seed++) {
        GameRecord game = {.number = (uint32_t)seed,
                           .setup = {CHESS960_STANDARD, CHESS960_STANDARD},
                           .result = GAME_DRAW};
        fuzz_random_game(seed, 10 << seed, add_move, &game);
        for (int ply = 0; ply < game.plies && seed % 3 == 1; ply++)
            if (ply / 6 % 2 == 0)
                game.scores[ply] = GAME_NO_SCORE; // scores in parts
        GameBlock block = {.game = game_bytes, .tree = tree_bytes};
        block.game_size = gamecode_pack(&game, game_bytes);
        block.tree_size = seed % 2 == 0 ? 0 : pack_tree(&game, tree_bytes);
        const size_t size = gameblock_join(&block, packed);
        remove(path);
        if (!record_log_append_open(&writer, path, GAMECODE_MAGIC, NULL, error))
            abort();
        if (!record_log_append(&writer, packed, size) || !record_log_append_close(&writer))
            abort();
        fuzz_seed_log(path, GAMECODE_MAGIC);
    }
    remove(path);
}
