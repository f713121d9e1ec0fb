// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* From the floating-point model to the integers of the engine, and what is lost on the way. */

#include "train/model.h"
#include "train/sample.h"

/* A network whose mean loss, or whose loss at any position, is beyond these (internal units) must
 * not leave the trainer. Rounding alone costs 3 to 20 units on average, the more the larger the
 * weights; what is wrong costs hundreds. The second bound grows by a part of the evaluation. */
enum { QUANTISE_MEAN_BOUND = 32, QUANTISE_WORST_BOUND = 256, QUANTISE_WORST_PART = 8 };

typedef struct {
    double mean, worst; // difference of the evaluations, internal units
    bool is_within;     // the bounds
} QuantiseLoss;

/* Rounds the model to the nearest network, which evaluates `output_scale` times as high. Returns
 * how many parameters did not fit and were clipped to their limits. */
size_t quantise_model(Network *network, const Parameters *weights, double output_scale);

/* Shifts the output biases of a network so that over `count` samples it is neither above nor below
 * `output_scale` times the model it was made of. The rounding of output weights shifts all
 * positions of a bucket by nearly the same amount: most of what is lost is won back by this. */
void quantise_centre(Network *network, const Parameters *weights, double output_scale,
                     const Sample *samples, size_t count);

/* The evaluation of a network by the definition in arch.h, internal units for the side to move. */
int quantise_evaluate(const Network *network, const SampleInputs *inputs);

/* The evaluation of a model in internal units, neuron by neuron. */
double quantise_evaluate_model(const Parameters *weights, const SampleInputs *inputs);

/* Compares a network with `output_scale` times the model it was made of, over `count` samples. */
QuantiseLoss quantise_compare(const Network *network, const Parameters *weights,
                              double output_scale, const Sample *samples, size_t count);
