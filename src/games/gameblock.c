// SPDX-License-Identifier: GPL-3.0-or-later
#include "games/gameblock.h"

#include <assert.h>
#include <string.h>

#include "base/record_log.h"

static_assert((int)GAMEBLOCK_MAX_BYTES <= (int)RECORD_LOG_MAX_SIZE, "a block is one record");

/* The first byte of a block with nodes; two bytes with the size of the game follow, the lower byte
 * first. The first byte of a packed game is its version (gamecode.c), which is never this number.
 */
enum { WITH_TREE = 3 };

bool gameblock_split(GameBlock *block, const uint8_t *bytes, size_t size)
{
    *block = (GameBlock){.game = bytes, .game_size = size};
    if (size < 1 || bytes[0] != WITH_TREE)
        return size >= 1;
    if (size < GAMEBLOCK_HEAD)
        return false;
    const size_t game_size = bytes[1] | (size_t)bytes[2] << 8;
    if (game_size >= size - GAMEBLOCK_HEAD)
        return false;
    block->game = bytes + GAMEBLOCK_HEAD;
    block->game_size = game_size;
    block->tree = block->game + game_size;
    block->tree_size = size - GAMEBLOCK_HEAD - game_size;
    return true;
}

size_t gameblock_join(const GameBlock *block, uint8_t *bytes)
{
    assert(block->game_size <= GAME_MAX_BYTES && block->tree_size <= TREE_MAX_BYTES);
    if (block->tree_size == 0) {
        memcpy(bytes, block->game, block->game_size);
        return block->game_size;
    }
    bytes[0] = WITH_TREE;
    bytes[1] = (uint8_t)block->game_size;
    bytes[2] = (uint8_t)(block->game_size >> 8);
    memcpy(bytes + GAMEBLOCK_HEAD, block->game, block->game_size);
    memcpy(bytes + GAMEBLOCK_HEAD + block->game_size, block->tree, block->tree_size);
    return GAMEBLOCK_HEAD + block->game_size + block->tree_size;
}
