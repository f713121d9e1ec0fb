// SPDX-License-Identifier: GPL-3.0-or-later
#include "nnue/forward.h"

#include <assert.h>

#include "nnue/dense.h"
#include "nnue/features.h"
#include "nnue/simd.h"

enum {
    VECTORS = NNUE_HIDDEN / SIMD_LANES,
    SUMS = VECTORS % 4 == 0 ? 4 : 2,                 // independent sums, to hide latency
    LANE_PRODUCTS = 2 * NNUE_HIDDEN / SIMD_SUM_LANES // products of both views per joined lane
};

static_assert(NNUE_HIDDEN <= 512, "the limit in arch.h");
static_assert(VECTORS % 2 == 0, "simd_store_squares() takes two vectors");
static_assert(NNUE_QA * NNUE_OUTPUT_LIMIT <= INT16_MAX, "a clipped neuron times a weight fits");
static_assert((int64_t)LANE_PRODUCTS * NNUE_QA * NNUE_QA * NNUE_OUTPUT_LIMIT <= INT32_MAX,
              "no lane overflows");

/* The last step of the formula in arch.h. Cannot overflow for a network that network_parse()
 * accepts. */
static int scale_output(const Network *network, int64_t total, int32_t dense, int bucket)
{
    const int64_t added = (int64_t)dense * (NNUE_QA * NNUE_QB) / (DENSE_ONE * DENSE_OUTPUT_ONE);
    return (int)((total / NNUE_QA + network->output_bias[bucket] + added) * network->scale /
                 (NNUE_QA * NNUE_QB));
}

/* Adds clip(value)^2 * weight for the neurons of one view. clip(value) * weight fits 16 bits. Sets
 * the inputs of the dense layers. */
static inline void add_view(SimdSum sums[SUMS], const int16_t *values, const int16_t *weights,
                            uint8_t *squares)
{
    const SimdShorts limit = simd_fill(NNUE_QA);
    for (int first = 0; first < VECTORS; first += SUMS) {
        SimdShorts clipped[SUMS];
        for (int i = 0; i < SUMS; i++) {
            const int offset = (first + i) * SIMD_LANES;
            clipped[i] = simd_clip(simd_load(values + offset), limit);
            const SimdShorts weighted = simd_multiply(clipped[i], simd_load(weights + offset));
            sums[i] = simd_add_products(sums[i], weighted, clipped[i]);
        }
        for (int i = 0; i < SUMS; i += 2)
            simd_store_squares(squares + (first + i) * SIMD_LANES, clipped[i], clipped[i + 1]);
    }
}

int nnue_evaluate(Accumulators *all, const Position *pos, int ply)
{
    const Color us = pos->side;
    const int bucket = feature_bucket(popcount(pos_occupied(pos)));
    const Network *const network = all->network;
    SimdSum sums[SUMS] = {0};
    alignas(64) uint8_t squares[DENSE_INPUTS];
    const Accumulator *const hidden = accumulators_get(all, pos, ply);
    add_view(sums, hidden->values[us], network->output[bucket][0], squares);
    add_view(sums, hidden->values[!us], network->output[bucket][1], squares + NNUE_HIDDEN);
    for (int i = 1; i < SUMS; i++)
        sums[0] += sums[i];
    const int32_t dense = dense_evaluate(&network->dense[bucket], squares);
    return scale_output(network, simd_total(sums[0]), dense, bucket);
}

/* The sum of one view, computed from the board alone. Sets the inputs of the dense layers. */
static int64_t view_total(const Network *network, const Position *pos, Color perspective,
                          const int16_t *weights, uint8_t *squares)
{
    const bool mirrored = feature_mirrored(pos_king(pos, perspective));
    const Marks marks = marks_of(pos);
    int64_t total = 0;
    for (int i = 0; i < NNUE_HIDDEN; i++) {
        int64_t neuron = network->input_bias[i];
        for (Bitboard b = pos_occupied(pos); b;) {
            const Square s = pop_lsb(&b);
            const int marked = marks_add(&marks, pos_piece_on(pos, s), s);
            neuron += network->input[feature_index(perspective, mirrored, marked, s)][i];
        }
        neuron = neuron < 0 ? 0 : neuron > NNUE_QA ? NNUE_QA : neuron;
        total += neuron * neuron * weights[i];
        squares[i] = (uint8_t)((neuron * neuron + 256) / 512);
    }
    return total;
}

int nnue_evaluate_reference(const Network *network, const Position *pos)
{
    const Color us = pos->side;
    const int bucket = feature_bucket(popcount(pos_occupied(pos)));
    uint8_t squares[DENSE_INPUTS];
    const int64_t total =
        view_total(network, pos, us, network->output[bucket][0], squares) +
        view_total(network, pos, !us, network->output[bucket][1], squares + NNUE_HIDDEN);
    const int32_t dense = dense_evaluate_reference(&network->dense[bucket], squares);
    return scale_output(network, total, dense, bucket);
}

const char *nnue_simd_name(void)
{
    return SIMD_NAME;
}
