// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The processor: its name, its instruction sets, and whether this build can run on it. Lists the
 * instruction sets that the compiler may use for ordinary code, and those of intrinsics that are
 * used wherever the build has them. */

#include <stdbool.h>

enum { CPU_TEXT_MAX = 256, CPU_FEATURES_MAX = 16 };

/* Marks functions that must run on the oldest processor of the family: the check whether this build
 * can run here, and the callers of that check. */
#ifdef __x86_64__
#define CPU_ANY __attribute__((noinline, target("arch=x86-64")))
#else
#define CPU_ANY
#endif

/* An instruction set. */
typedef struct {
    const char *name;
    bool is_supported; // by this processor
    bool is_needed;    // by this build
} CpuFeature;

/* Writes the instruction sets to `features` (CPU_FEATURES_MAX) and returns their number; 0 for
 * processor families without a list. */
CPU_ANY int cpu_features(CpuFeature *features);

/* Writes the processor's brand name to `name` (CPU_TEXT_MAX bytes), "" when unknown. */
void cpu_name(char *name);

/* True when this build can run here. Writes the names of the missing instruction sets, separated by
 * blanks, to `missing` (CPU_TEXT_MAX bytes). */
CPU_ANY bool cpu_suffices(char *missing);
