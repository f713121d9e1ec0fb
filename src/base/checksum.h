// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* A checksum for files: a fast 64-bit hash against accidents, not against forgers. Its value for
 * given bytes is part of the file formats and never changes. */

#include <stddef.h>
#include <stdint.h>

/* The hash of `size` bytes, the same on every machine. A change of a few bytes within one aligned
 * group of eight never goes unseen; any other does once in 2^64. The low half is good by itself. */
uint64_t checksum64(const void *bytes, size_t size);
