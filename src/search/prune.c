// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/prune.h"

#include "chess/types.h"
#include "search/params.h"

enum { LN_MAX = 256 };
static int ln_table[LN_MAX]; // ln(n) * 1024; filled by prune_init(), constant afterwards

/* ln(n) * 1024 in integers, so that every machine and compiler searches the same tree: log2 bit by
 * bit, by squaring the mantissa. */
static int ln_1024(int n)
{
    int log2 = 0;
    uint64_t mantissa = (uint64_t)n << 16; // 16 fractional bits
    while (mantissa >= 2u << 16) {
        mantissa >>= 1;
        log2 += 1 << 16;
    }
    for (int bit = 1 << 15; bit > 0; bit >>= 1) {
        mantissa = mantissa * mantissa >> 16;
        if (mantissa >= 2u << 16) {
            mantissa >>= 1;
            log2 += bit;
        }
    }
    return (int)((int64_t)log2 * 45426 >> 22); // ln 2 * 65536 = 45426
}

void prune_init(void)
{
    for (int n = 1; n < LN_MAX; n++)
        ln_table[n] = ln_1024(n);
}

int prune_rfp_margin(int depth, bool improving)
{
    return params.rfp_margin * (depth - improving);
}

int prune_null_reduction(int depth, Score estimate, Score beta)
{
    const int by_eval = (estimate - beta) / params.null_eval_divisor;
    return params.null_base + depth / params.null_depth_divisor +
           (by_eval < params.null_eval_max ? by_eval : params.null_eval_max);
}

int prune_late_move_count(int depth, bool improving)
{
    return (params.lmp_base + depth * depth) / (2 - improving);
}

Score prune_futility_value(Score eval, int lmr_depth)
{
    return score_clamp_eval(eval + params.futility_base + params.futility_slope * lmr_depth);
}

Score prune_futility_value_noisy(Score eval, int lmr_depth, int victim)
{
    return score_clamp_eval(eval + params.noisy_futility_base +
                            params.noisy_futility_slope * lmr_depth +
                            victim * params.noisy_futility_victim / 100);
}

int prune_see_quiet(int lmr_depth)
{
    return -params.see_quiet * lmr_depth * lmr_depth;
}

int prune_see_noisy(int depth)
{
    return -params.see_noisy * depth;
}

int prune_see_of_units(Score units)
{
    return units * params.probcut_see / 100;
}

int prune_reduction(bool quiet, int depth, int number)
{
    const int product = ln_table[depth < LN_MAX ? depth : LN_MAX - 1] *
                        ln_table[number < LN_MAX ? number : LN_MAX - 1] / 1024;
    return quiet ? params.lmr_quiet_base + product * 1000 / params.lmr_quiet_divisor
                 : params.lmr_noisy_base + product * 1000 / params.lmr_noisy_divisor;
}
