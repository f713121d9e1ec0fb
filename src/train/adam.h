// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The optimiser AdamW (Kingma & Ba 2015; Loshchilov & Hutter 2019): the step of each parameter is
 * divided by the recent size of its gradient, and all parameters decay slowly towards 0. */

#include "train/model.h"

/* Performs one step on slice `slice` (0..slices - 1) of the weights and of their moving averages.
 * The gradient is the sum of `count` arrays, added in order of their index; the function then sets
 * this slice of the arrays to 0. `rate` is the learning rate; the dense layers learn at ten times
 * this rate, but decay as the other weights do. Weights stay within their limits (model.h).
 * `model->step` is the number of steps before this one; the caller increments it after all slices.
 * Different slices may run in parallel. */
void adam_step(Model *model, Parameters *const *gradients, int count, float rate, int slice,
               int slices);
