// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Forward pass and gradients of the dense layers (nnue/dense.h) in floating point, for one
 * position. Neurons are clipped to 0..1. The second layer's inputs are the neurons of the first,
 * then their squares. */

#include "train/model.h"

/* Sums of the neurons before clipping. */
typedef struct {
    alignas(64) float first[DENSE_FIRST];
    alignas(64) float second[DENSE_SECOND];
} DenseSums;

/* Returns the output for `squares`, those of the hidden neurons (DENSE_INPUTS, aligned to 64
 * bytes); sets `*sums`. */
float dense_forward(const DenseParameters *weights, const float *squares, DenseSums *sums);

/* After dense_forward(), with `slope`, the derivative of the loss by the output: adds to `gradient`
 * and sets `square_slopes`, the derivatives of the loss by the squares. */
void dense_backward(const DenseParameters *weights, const float *squares, const DenseSums *sums,
                    float slope, DenseParameters *gradient, float *square_slopes);
