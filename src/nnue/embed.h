// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The seam to the network file inside the program. Linked are either embed.S, assembled with
 * -DEVALFILE='"path"', or embed_none.c, which has none: size 0. */

#include <stdint.h>

extern const uint8_t nnue_embedded[];
extern const uint64_t nnue_embedded_size; // bytes
