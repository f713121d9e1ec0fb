// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Network files: a 64-byte head (magic, version, the numbers of arch.h, the scale of this network,
 * size, checksum of scale and parameters), then the parameters, little-endian, in the order of
 * Network without padding. A file is
 * taken whole or refused with a reason, worded to follow the file's name ("has 128 hidden neurons,
 * this program needs 256"); one network may be embedded in the program. */

#include <stdbool.h>
#include <stddef.h>

#include "nnue/arch.h"

enum { NETWORK_ERROR_MAX = 256, NETWORK_NAME_MAX = 9 };

/* Size in bytes of a file of this architecture. */
size_t network_file_size(void);

/* The network embedded at build time (EVALFILE=, nets/default.nnue), checked once and then shared
 * by all threads; NULL when there is none or it is refused, with the reason in `error`. Call first
 * from one thread. */
const Network *network_embedded(char *error);

/* Reads a network from `size` bytes. False, with the reason in `error` (NETWORK_ERROR_MAX bytes)
 * and `*network` untouched, when they are no network, are damaged, or have another architecture or
 * weights out of range. */
bool network_parse(Network *network, const void *bytes, size_t size, char *error);

/* The same from a file. */
bool network_load(Network *network, const char *path, char *error);

/* The network of a file in memory of its own, to be given back by network_close(). NULL, with the
 * reason in `error`, when it cannot be had. */
Network *network_open(const char *path, char *error);

/* Frees a network of network_open(); NULL may be given. */
void network_close(Network *network);

/* Writes `network` to `path`, replacing a file there only once the new one is complete. False, with
 * the reason in `error`, on failure. */
bool network_save(const Network *network, const char *path, char *error);

/* The checksum of its scale and parameters, to tell networks apart by. */
uint64_t network_fingerprint(const Network *network);

/* Its first 8 hexadecimal digits and a NUL: a name. `name` holds NETWORK_NAME_MAX bytes. */
void network_name(const Network *network, char *name);

/* A network for tests: parameters from `seed`, spread over the whole range allowed. */
void network_randomise(Network *network, uint64_t seed);
