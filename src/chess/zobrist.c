// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/zobrist.h"

#include "base/checksum.h"

Key zobrist_piece[PIECE_NB][SQ_NB];
Key zobrist_castling[CASTLING_NB];
Key zobrist_ep_file[8];
Key zobrist_black;

/* SplitMix64 (Steele, Lea and Flood 2014). Not taken from base/rng.h: a change of the generator
 * there must not change the keys, which are stored in files. */
static uint64_t next_number(uint64_t *state)
{
    uint64_t z = *state += 0x9E3779B97F4A7C15ULL;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ z >> 27) * 0x94D049BB133111EBULL;
    return z ^ z >> 31;
}

void zobrist_init(void)
{
    uint64_t state = 1994;
    for (Piece piece = 0; piece < PIECE_NB; piece++)
        for (Square s = 0; s < SQ_NB; s++)
            zobrist_piece[piece][s] = next_number(&state);
    for (int file = 0; file < 8; file++)
        zobrist_ep_file[file] = next_number(&state);
    zobrist_black = next_number(&state);
    // The number of a set is the XOR of the numbers of its rights.
    Key right[4];
    for (int i = 0; i < 4; i++)
        right[i] = next_number(&state);
    for (int set = 0; set < CASTLING_NB; set++) {
        zobrist_castling[set] = 0;
        for (int i = 0; i < 4; i++)
            if (set >> i & 1)
                zobrist_castling[set] ^= right[i];
    }
}

uint64_t zobrist_fingerprint(void)
{
    const uint64_t parts[] = {
        checksum64(zobrist_piece, sizeof zobrist_piece),
        checksum64(zobrist_castling, sizeof zobrist_castling),
        checksum64(zobrist_ep_file, sizeof zobrist_ep_file),
        zobrist_black,
    };
    return checksum64(parts, sizeof parts);
}
