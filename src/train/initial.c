// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/initial.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "nnue/network.h"
#include "train/checkpoint.h"
#include "train/quantise.h"

static_assert((int)INITIAL_ERROR_MAX >= (int)CHECKPOINT_ERROR_MAX, "holds its messages");

static bool read_network(Parameters *weights, const char *path, char *error)
{
    char reason[NETWORK_ERROR_MAX];
    Network *const network = network_open(path, reason);
    if (network == NULL) {
        snprintf(error, INITIAL_ERROR_MAX, "%.200s %s", path, reason);
        return false;
    }
    quantise_undo(weights, network);
    if (!network_has_dense(network)) // weights that are all 0 would never learn
        model_start_dense(weights, network_fingerprint(network));
    network_close(network);
    return true;
}

/* Reads a file of either kind. */
static bool read_weights(Parameters *weights, const char *path, char *error)
{
    FILE *const file = file_open(path, "rb");
    if (file == NULL) {
        snprintf(error, INITIAL_ERROR_MAX, "%.200s: no checkpoint or network to start from: %s",
                 path, strerror(errno));
        return false;
    }
    fclose(file);
    if (network_has_magic(path))
        return read_network(weights, path, error);
    if (checkpoint_has_magic(path))
        return checkpoint_load_weights(weights, path, error);
    snprintf(error, INITIAL_ERROR_MAX, "%.200s: is neither a checkpoint nor a network", path);
    return false;
}

Parameters *initial_read(const char *path, char *error)
{
    Parameters *const weights = parameters_create();
    if (weights == NULL) {
        snprintf(error, INITIAL_ERROR_MAX, "out of memory for the weights");
        return NULL;
    }
    if (read_weights(weights, path, error))
        return weights;
    parameters_free(weights);
    return NULL;
}
