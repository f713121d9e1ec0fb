// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* A fast 64-bit checksum for files. It detects accidents, not forgery. The value for given bytes is
 * part of the file formats and never changes; that is why it is our own and not a library's. */

#include <stddef.h>
#include <stdint.h>

/* Returns the checksum of `size` bytes, the same on every machine. A change confined to one aligned
 * group of eight bytes is always detected; any other change is missed once in 2^64. The low 32 bits
 * may be used alone. */
uint64_t checksum64(const void *bytes, size_t size);
