// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The optimiser AdamW: each parameter has its own step length, normalised by the recent size of its
 * gradient, and weights decay slowly towards 0 (Kingma & Ba 2015; Loshchilov & Hutter 2019). */

#include "train/model.h"

/* Performs one step on part `slice` of `slices` of the weights. The gradient is the sum of `count`
 * arrays, added in their order; they are cleared. `rate` is the learning rate; weights stay within
 * their limits. `model->step` counts the steps before this one. Different slices may run in
 * parallel. */
void adam_step(Model *model, Parameters *const *gradients, int count, float rate, int slice,
               int slices);
