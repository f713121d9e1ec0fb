// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Quantisation: from the floating-point model to the integers of the engine, and its error. */

#include "train/model.h"
#include "train/sample.h"

/* Bounds for the difference between network and model, in internal units: on average, and at any
 * position (plus |evaluation| / QUANTISE_WORST_PART). The trainer does not write a network beyond
 * these bounds. Rounding alone causes 3 to 20 units on average, more with larger weights; a defect
 * causes hundreds. */
enum { QUANTISE_MEAN_BOUND = 32, QUANTISE_WORST_BOUND = 256, QUANTISE_WORST_PART = 8 };

typedef struct {
    double mean, worst; // differences of evaluations, internal units
    bool is_within;     // all differences lie within the bounds
} QuantiseLoss;

/* Rounds the model to a network with evaluations `output_scale` times as high. Returns the number
 * of parameters that were clipped to their limits. */
size_t quantise_model(Network *network, const Parameters *weights, double output_scale);

/* Shifts the output biases so that the mean difference from `output_scale` times the model is 0
 * over `count` samples. Rounding of the output weights shifts all positions of a bucket by nearly
 * the same amount, so this removes most of the error. */
void quantise_centre(Network *network, const Parameters *weights, double output_scale,
                     const Sample *samples, size_t count);

/* Returns a network's evaluation by the definition in arch.h, in internal units for the side to
 * move. */
int quantise_evaluate(const Network *network, const SampleInputs *inputs);

/* Returns the evaluation of a model in internal units, computed neuron by neuron. */
double quantise_evaluate_model(const Parameters *weights, const SampleInputs *inputs);

/* Compares a network with `output_scale` times its model, over `count` samples. */
QuantiseLoss quantise_compare(const Network *network, const Parameters *weights,
                              double output_scale, const Sample *samples, size_t count);
