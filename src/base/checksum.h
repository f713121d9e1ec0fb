// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* A fast 64-bit checksum for files. It detects accidents, not forgery. Hand-written because files
 * contain the checksums, so the function must never change. */

#include <stddef.h>
#include <stdint.h>

/* Returns the checksum of `size` bytes, the same on every machine. It always detects a change
 * inside a single group of eight bytes, counted from the start, and misses other changes with
 * probability 2^-64. The low 32 bits are a checksum, too; they miss any change with probability
 * 2^-32. */
uint64_t checksum64(const void *bytes, size_t size);
