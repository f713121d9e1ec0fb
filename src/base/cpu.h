// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The processor: what it is called, what it can do, and whether that is all this program was
 * compiled to use. Only what the compiler may have used unasked is looked at. */

#include <stdbool.h>

enum { CPU_TEXT_MAX = 256, CPU_FEATURES_MAX = 16 };

/* Marks functions that run on any processor of the family, however the program was compiled: those
 * that find out whether it can run, and their callers. */
#ifdef __x86_64__
#define CPU_ANY __attribute__((noinline, target("arch=x86-64")))
#else
#define CPU_ANY
#endif

/* One kind of instruction. */
typedef struct {
    const char *name;
    bool is_there;  // in the processor this runs on
    bool is_needed; // by this program
} CpuFeature;

/* Writes all that are looked at to `features` (CPU_FEATURES_MAX) and returns how many: none where
 * every processor is alike. */
CPU_ANY int cpu_features(CpuFeature *features);

/* The maker's name for the processor, or "" when it tells none; `name` holds CPU_TEXT_MAX bytes. */
void cpu_name(char *name);

/* True when the program can run here; else the names of what is missing, parted by blanks, are in
 * `missing` (CPU_TEXT_MAX bytes). */
CPU_ANY bool cpu_suffices(char *missing);
