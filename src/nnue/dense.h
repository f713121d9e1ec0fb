// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The dense layers: a small network on top of the hidden layer, whose output is added to the direct
 * output (arch.h). They represent interactions between neurons, which a weighted sum cannot.
 * Integer arithmetic only, so every processor gives the same result. */

#include "nnue/arch.h"

/* Returns the output for the squares of all neurons, 0..DENSE_ONE each, the side to move's view
 * first; in units of 1 / (DENSE_ONE * DENSE_OUTPUT_ONE). */
int32_t dense_evaluate(const DenseLayers *layers, const uint8_t inputs[DENSE_INPUTS]);

/* The same for tests, without vectors. */
int32_t dense_evaluate_reference(const DenseLayers *layers, const uint8_t inputs[DENSE_INPUTS]);
