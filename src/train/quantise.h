// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Quantisation: from the floating-point model to the integers of the engine, and its error. */

#include "train/model.h"
#include "train/sample.h"

/* Bounds of the difference between network and model, in internal units: QUANTISE_MEAN_BOUND on
 * average, QUANTISE_WORST_BOUND + |evaluation| / QUANTISE_WORST_PART in each position. Networks
 * with a scale above NNUE_SCALE have larger bounds in proportion, because the scale multiplies the
 * effect of rounding. The trainer writes no network beyond these bounds. If the model learned with
 * rounded weights, the difference is about one unit on average, else 3 to 20; a bug causes
 * hundreds. */
enum { QUANTISE_MEAN_BOUND = 32, QUANTISE_WORST_BOUND = 256, QUANTISE_WORST_PART = 8 };

typedef struct {
    double mean, worst; // differences of evaluations, internal units
    bool is_within;     // the mean and all differences lie within the bounds
} QuantiseLoss;

/* Rounds the model to a network whose evaluations are those of the model times `output_scale`.
 * Returns the number of parameters that were clipped to their limits. */
size_t quantise_model(Network *network, const Parameters *weights, double output_scale);

/* Sets slice `slice` (0..slices - 1) of `rounded` to the weights that the network of `weights` will
 * have, as floats. Different slices may run in parallel. */
void quantise_round(Parameters *rounded, const Parameters *weights, int slice, int slices);

/* Sets `*weights` to the model that rounds to `network`, before the output scale. */
void quantise_undo(Parameters *weights, const Network *network);

/* Shifts the output bias of each bucket so that the mean difference from `output_scale` times the
 * model is 0 over `count` samples. This removes most of the error, because rounding of the output
 * weights shifts all positions of a bucket by nearly the same amount. */
void quantise_centre(Network *network, const Parameters *weights, double output_scale,
                     const Sample *samples, size_t count);

/* Returns the evaluation of a network in internal units from the view of the side to move, computed
 * neuron by neuron after the definition in arch.h. */
int quantise_evaluate(const Network *network, const SampleInputs *inputs);

/* Returns the same for a model, without output scale. */
double quantise_evaluate_model(const Parameters *weights, const SampleInputs *inputs);

/* Compares a network with `output_scale` times its model, over `count` samples. */
QuantiseLoss quantise_compare(const Network *network, const Parameters *weights,
                              double output_scale, const Sample *samples, size_t count);
