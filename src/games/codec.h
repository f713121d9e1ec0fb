// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* A range coder that writes or reads (rangecode.h). The same code writes and reads a message, so
 * that both agree. When writing, each function writes the given value and returns it. When reading,
 * it returns the value read, or fails and returns 0. */

#include "games/rangecode.h"

typedef struct {
    bool is_writing, has_failed;
    RangeWriter writer;
    RangeReader reader;
} Codec;

/* Marks the message as invalid and returns 0. */
uint32_t codec_fail(Codec *codec);

/* Codes a number from 0 to `total` - 1, all equally likely. */
uint32_t codec_number(Codec *codec, uint32_t number, uint32_t total);

/* Codes an index into `weights`, with probability proportional to its weight. The weights are above
 * 0 and their sum is `total`. */
uint32_t codec_choice(Codec *codec, uint32_t choice, const uint16_t *weights, uint32_t total);
