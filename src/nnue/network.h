// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Reads and writes network files. A file has a header of 64 bytes and the parameters in the order
 * of Network, without `scale` and padding. All numbers are little-endian. The header: the magic
 * "PALIMNET" (8 bytes); version (3), inputs, hidden, buckets, mirrored, QA, QB (arch.h) and scale
 * (4 bytes each); size of the parameters, checksum of scale and parameters, 0 (8 bytes each). One
 * network can be embedded in the program.
 *
 * An input weight is one byte. Files of version 1 have two; they load, too, with weights beyond the
 * limit clipped (a hundredth of them in our networks). Files of versions 1 and 2 have no dense
 * layers, which then have no effect.
 *
 * A file with fewer marks (768, 3,072 or 6,144 inputs) is read, too: a piece gets the same weights
 * with and without a missing mark, so all evaluations are those of the file. Its fingerprint
 * then differs from that in a program with that number of marks.
 *
 * Files of any other architecture are refused. The error text continues a sentence that begins with
 * the file name: "has 128 hidden neurons, this program needs 384". Every `error` below has
 * NETWORK_ERROR_MAX bytes. */

#include <stdbool.h>
#include <stddef.h>

#include "nnue/arch.h"

enum { NETWORK_ERROR_MAX = 256, NETWORK_NAME_MAX = 9 };

/* For tests: returns the size in bytes of a network file of this architecture with dense layers. */
size_t network_file_size(void);

/* Returns the network embedded at build time (make EVALFILE=, by default nets/default.nnue). NULL,
 * with the reason in `error`, if there is none or it is refused. The first call checks the network
 * and must end before another thread calls; later calls may come from any thread. */
const Network *network_embedded(char *error);

/* Reads a network from `size` bytes. Returns false, with the reason in `error` and `*network`
 * unchanged, if the bytes are not a network, are damaged, have another architecture, or contain
 * weights out of range. */
bool network_parse(Network *network, const void *bytes, size_t size, char *error);

/* Returns whether the file `path` begins as a network file does. */
bool network_has_magic(const char *path);

/* As network_parse(), for the file `path`. */
bool network_load(Network *network, const char *path, char *error);

/* Allocates a network and reads it from a file. Returns NULL, with the reason in `error`, on
 * failure. Free with network_close(). */
Network *network_open(const char *path, char *error);

/* Returns false if the dense layers have no effect, as in files of versions 1 and 2. */
bool network_has_dense(const Network *network);

/* Frees a network of network_open(); `network` may be NULL. */
void network_close(Network *network);

/* Writes `network` to `path`. A network whose dense layers have no effect becomes a file of version
 * 2. An existing file is replaced only when the new one is complete. Returns false, with the reason
 * in `error`, on failure. */
bool network_save(const Network *network, const char *path, char *error);

/* Returns the checksum of scale and parameters, which identifies a network. */
uint64_t network_fingerprint(const Network *network);

/* Writes the name of a network, the first 8 hexadecimal digits of its fingerprint, to `name`
 * (NETWORK_NAME_MAX bytes). */
void network_name(const Network *network, char *name);

/* For tests and measurements: fills a network with random parameters, up to the allowed limits.
 * Equal seeds give equal networks. */
void network_randomise(Network *network, uint64_t seed);
