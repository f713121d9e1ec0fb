// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* AdamW: a step for each parameter as long as its gradient is steady, and weights that shrink when
 * nothing holds them (Kingma & Ba 2015; Loshchilov & Hutter 2019). */

#include "train/model.h"

/* Moves part `slice` of `slices` of the weights against the sum of the `count` gradients, added in
 * their order, with step length `rate`, keeps them within their limits, and clears the gradients.
 * `model->step` counts the steps before this one; different slices may run at once. */
void adam_step(Model *model, Parameters *const *gradients, int count, float rate, int slice,
               int slices);
