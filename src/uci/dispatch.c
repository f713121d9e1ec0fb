// SPDX-License-Identifier: GPL-3.0-or-later
/* Compiled for the oldest processor, because this code runs first. The Makefile's target
 * `universal` links the engines with it; their main() functions have different names. */
#include "uci/dispatch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "uci/program.h"

typedef int (*MainFn)(int argc, char **argv);

#define LEVEL(symbol, name, test, flags) int main_##symbol(int argc, char **argv);
#include "uci/cpu_levels.def"
#undef LEVEL

#define LEVEL(symbol, name, test, flags) LEVEL_##symbol,
enum {
#include "uci/cpu_levels.def"
    LEVEL_COUNT
};
#undef LEVEL

typedef struct {
    const char *name;
    MainFn main;
} Level;

#define LEVEL(symbol, name, test, flags) {name, main_##symbol},
static const Level LEVELS[] = {
#include "uci/cpu_levels.def"
};
#undef LEVEL

#define LEVEL(symbol, name, test, flags) " " name
static const char NAMES[] =
#include "uci/cpu_levels.def"
    ;
#undef LEVEL

static DispatchChoice choice; // set once, before the engine starts

const DispatchChoice *dispatch_choice(void)
{
    return &choice;
}

/* True when processor and operating system can run the level. */
static bool can_run(int level)
{
    bool can[LEVEL_COUNT];
#define HAS(feature) (__builtin_cpu_supports(feature) != 0)
#define LEVEL(symbol, name, test, flags) can[LEVEL_##symbol] = test;
#include "uci/cpu_levels.def"
#undef LEVEL
#undef HAS
    return can[level];
}

static bool is_pext_slow(void)
{
    return __builtin_cpu_is("znver1") || __builtin_cpu_is("znver2") || __builtin_cpu_is("bdver4");
}

static int best_level(void)
{
    int best = 0;
    for (int i = 1; i < LEVEL_COUNT; i++)
        if (can_run(i) && !(i == LEVEL_x86_64_v3 && is_pext_slow()))
            best = i;
    return best;
}

/* The level with this name, or LEVEL_COUNT. */
static int level_named(const char *name)
{
    int level = 0;
    while (level < LEVEL_COUNT && strcmp(LEVELS[level].name, name) != 0)
        level++;
    return level;
}

int main(int argc, char **argv)
{
    __builtin_cpu_init();
    const char *const forced = getenv("PALIMPSEST_ARCH");
    const bool is_forced = forced != NULL && *forced != '\0';
    const int best = best_level(), level = is_forced ? level_named(forced) : best;
    if (level == LEVEL_COUNT) {
        fprintf(stderr, "palimpsest: PALIMPSEST_ARCH is '%.40s', but must be one of%s\n", forced,
                NAMES);
        return UCI_EXIT_FAULTY;
    }
    if (!can_run(level)) {
        fprintf(stderr,
                "palimpsest: this processor cannot run %s, which PALIMPSEST_ARCH requests; "
                "its best instruction set is %s\n",
                LEVELS[level].name, LEVELS[best].name);
        return UCI_EXIT_PROCESSOR;
    }
    choice = (DispatchChoice){.chosen = LEVELS[level].name,
                              .best = LEVELS[best].name,
                              .known = NAMES + 1,
                              .is_forced = is_forced,
                              .is_pext_slow = can_run(LEVEL_x86_64_v3) && is_pext_slow()};
    return LEVELS[level].main(argc, argv);
}
