// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/bench.h"

#include "base/clock.h"

/* Openings and middlegames of all kinds, among them the usual perft positions and some of the
 * Bratko-Kopec test (1982); endgames with zugzwang, fortresses and races; and roots that are
 * mate or stalemate already. */
static const char *const FENS[] = {
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "r1bqkbnr/1ppp1ppp/p1n5/4p3/B3P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 1 4",
    "rnbqk2r/ppp1ppbp/3p1np1/8/2PPP3/2N5/PP3PPP/R1BQKBNR w KQkq - 0 5",
    "rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - 0 6",
    "r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2PP1N2/PP3PPP/RNBQK2R b KQkq - 0 5",
    "rnbq1rk1/pp2bppp/4pn2/2pp4/2PP4/2N1PN2/PP2BPPP/R1BQ1RK1 w - - 0 8",
    "1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - 0 1",
    "3r1k2/4npp1/1ppr3p/p6P/P2PPPP1/1NR5/5K2/2R5 w - - 0 1",
    "2q1rr1k/3bbnnp/p2p1pp1/2pPp3/PpP1P1P1/1P2BNNP/2BQ1PRK/7R b - - 0 1",
    "rnbqkb1r/p3pppp/1p6/2ppP3/3N4/2P5/PPP1QPPP/R1B1KB1R w KQkq - 0 1",
    "r1b2rk1/2q1b1pp/p2ppn2/1p6/3QP3/1BN1B3/PPP3PP/R4RK1 w - - 0 1",
    "2r3k1/pppR1pp1/4p3/4P1P1/5P2/1P4K1/P1P5/8 w - - 0 1",
    "1nk1r1r1/pp2n1pp/4p3/q2pPp1N/b1pP1P2/B1P2R2/2P1B1PP/R2Q2K1 w - - 0 1",
    "4b3/p3kp2/6p1/3pP2p/2pP1P2/4K1P1/P3N2P/8 w - - 0 1",
    "2kr1bnr/pbpq4/2n1pp2/3p3p/3P1P1B/2N2N1Q/PPP3PP/2KR1B1R w - - 0 1",
    "3rr1k1/pp3pp1/1qn2np1/8/3p4/PP1R1P2/2P1NQPP/R1B3K1 b - - 0 1",
    "2r1nrk1/p2q1ppp/bp1p4/n1pPp3/P1P1P3/2PBB1N1/4QPPP/R4RK1 w - - 0 1",
    "r3r1k1/ppqb1ppp/8/4p1NQ/8/2P5/PP3PPP/R3R1K1 b - - 0 1",
    "r2q1rk1/4bppp/p2p4/2pP4/3pP3/3Q4/PP1B1PPP/R3R1K1 w - - 0 1",
    "2r2rk1/1bqnbpp1/1p1ppn1p/pP6/N1P1P3/P2B1N1P/1B2QPP1/R2R2K1 b - - 0 1",
    "r2qnrnk/p2b2b1/1p1p2pp/2pPpp2/1PP1P3/PRNBB3/3QNPPP/5RK1 w - - 0 1",
    "r1bq1r1k/1pp1n1pp/1p1p4/4p2Q/4PpP1/1BNP4/PPP2P1P/3R1RK1 b - g3 0 1",
    "2r2r2/1q3pk1/p2p1np1/Pp1Pp2p/1P2P2P/3Q1PP1/1R3B2/2R3K1 w - - 3 34",
    "8/3k4/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "7K/8/k1P5/7p/8/8/8/8 w - - 0 1",
    "8/8/1p1r1k2/p1pPN1p1/P3KnP1/1P6/8/3R4 b - - 0 1",
    "8/3p3B/5p2/5P2/p7/PP5b/k7/6K1 w - - 0 1",
    "5k2/7R/4P2p/5K2/p1r2P1p/8/8/8 b - - 0 1",
    "6k1/5pp1/8/2bKP2P/2P5/p4PNb/B7/8 b - - 1 44",
    "8/5k2/5p2/1p1r2pp/2p3P1/2P2P1P/4RK2/8 w - - 0 52",
    "8/1Q6/8/5k2/8/2K5/5q2/8 w - - 12 70",
    "8/5p1k/6p1/7p/3B3P/4K1P1/r4P2/8 b - - 20 60",
    "4k3/8/8/8/8/8/3NB3/4K3 w - - 0 1",
    "8/6pk/8/1R5p/3K3P/8/6r1/8 b - - 0 1",
    "3q1rk1/p4pp1/2pb3p/3p4/6Pr/1PNQ4/P1PB1PP1/4RRK1 b - - 90 60",
    "6k1/6p1/6Pp/ppp5/3pn2P/1P3K2/1PP2P2/3N4 b - - 0 1",
    "2k5/8/8/8/p7/8/8/4K3 b - - 5 1",
    "5k2/5P2/5K2/8/8/8/8/8 b - - 0 1",
    "6k1/5ppp/8/8/8/8/8/1R1Q2K1 w - - 0 1",
    "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1",
};

const char *const *bench_fens(int *count)
{
    *count = sizeof FENS / sizeof FENS[0];
    return FENS;
}

/* Keeps the best move of a search. */
static void keep_best(void *best, const Report *report)
{
    if (report->kind == REPORT_DONE)
        *(Move *)best = report->best;
}

static bool is_stopped(const BenchJob *job)
{
    return job->stops != NULL && job->stops(job->ctx);
}

/* Searches one position and returns its best move. */
static Move search_root(Engine *engine, const BenchJob *bench, const Position *root)
{
    Move best = MOVE_NONE;
    SearchJob job = {
        .root = *root, .limits = bench->limits, .multi_pv = 1, .report = keep_best, .ctx = &best};
    path_start(&job.path, root);
    engine_search(engine, &job, bench->stops, bench->ctx);
    return best;
}

bool bench_run(const BenchJob *job, BenchResult *result)
{
    *result = (BenchResult){.nodes = 0};
    Engine *const engine = engine_create(job->hash_mib);
    if (engine == NULL)
        return false;
    if (job->eval != NULL)
        engine_set_eval(engine, *job->eval);
    result->threads = engine_set_threads(engine, job->threads);
    result->hash_mib = engine_table(engine)->bytes >> 20;
    result->huge_pages = engine_table(engine)->huge_pages;
    for (int i = 0; i < job->root_count; i++) {
        SearchStats stats;
        const Position *const root = &job->roots[i];
        const int64_t start_ms = clock_ms();
        const Move best = search_root(engine, job, root);
        result->elapsed_ms += clock_ms() - start_ms;
        engine_stats(engine, &stats);
        result->nodes += stats.nodes;
        const int hashfull = tt_hashfull(engine_table(engine));
        result->hashfull_sum += hashfull;
        if (hashfull > result->hashfull_max)
            result->hashfull_max = hashfull;
        const BenchLine line = {.number = i + 1,
                                .count = job->root_count,
                                .root = root,
                                .best = best,
                                .nodes = stats.nodes};
        if (is_stopped(job))
            break;
        if (job->line != NULL)
            job->line(job->ctx, &line);
    }
    engine_destroy(engine);
    return true;
}
