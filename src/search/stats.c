// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/stats.h"

void search_stats_add(SearchStats *sum, const SearchStats *from)
{
#define STAT(name, whole, label) sum->name += from->name;
#include "search/stats.def"
#undef STAT
    tt_stats_add(&sum->tt, &from->tt);
}

void search_stats_visit(const SearchStats *stats, SearchStatFn visit, void *ctx)
{
    const struct {
        const char *label;
        uint64_t part, whole;
    } list[] = {
#define STAT(name, of, text) {text, stats->name, stats->of},
#include "search/stats.def"
#undef STAT
    };
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++)
        if (list[i].label != NULL)
            visit(ctx, list[i].label, list[i].part, list[i].whole);
}
