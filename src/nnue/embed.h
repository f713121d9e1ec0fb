// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The network file inside the program. The build links one of two files: embed.S, assembled with
 * -DEVALFILE='"path"', or embed_none.c, which contains no network (size 0). */

#include <stdint.h>

extern const uint8_t nnue_embedded[];
extern const uint64_t nnue_embedded_size; // bytes
