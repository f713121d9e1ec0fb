// SPDX-License-Identifier: GPL-3.0-or-later
#include "nnue/embed.h"

const uint8_t nnue_embedded[1] = {0}; // C has no empty arrays
const uint64_t nnue_embedded_size = 0;
