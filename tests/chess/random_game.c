// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/random_game.h"

#include <stdio.h>
#include <stdlib.h>

#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/play.h"
#include "chess/pos_from_fen.h"

static const struct {
    const char *fen;
    bool chess960;
} STARTS[] = {
    {FEN_START, false},
    {KIWIPETE, false},
    {"r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", false},
    {"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", false},
    {"n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", false},
    {"3qr1k1/2b2ppp/1n2b3/q2rp2R/Q2RP3/1N2B3/2B2PPP/3QR1K1 w - - 0 1", false},
    {"4k2r/8/2q2b2/8/8/2N2R2/8/R3K1Q1 b k - 3 20", false},
    {"bnqbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BNQBRKRN w KQkq - 0 1", true},
    {"1rqbkrbn/1ppppp1p/1n6/p1N3p1/8/2P4P/PP1PPPP1/1RQBKRBN w FBfb - 0 9", true},
    {"rbbqn1kr/pp2p1pp/6n1/2pp1p2/2P4P/P7/BP1PPPP1/R1BQNNKR w HAha - 0 9", true},
    {"rk1r4/pppppp1p/8/8/8/8/PPPPPP1P/1RK4R w HBda - 0 1", true},
};

void walk_start(Walk *walk, uint64_t seed)
{
    rng_seed(&walk->rng, seed);
    const uint64_t i = rng_below(&walk->rng, sizeof STARTS / sizeof STARTS[0]);
    char error[FEN_ERROR_MAX];
    walk->chess960 = STARTS[i].chess960;
    if (!fen_parse(&walk->pos, STARTS[i].fen, walk->chess960, error)) {
        fprintf(stderr, "%s: %s\n", STARTS[i].fen, error);
        abort();
    }
}

Move walk_step(Walk *walk)
{
    Move moves[MAX_MOVES];
    const int count = gen_legal(&walk->pos, moves);
    if (count == 0)
        return MOVE_NONE;
    const Move move = moves[rng_below(&walk->rng, (uint64_t)count)];
    pos_advance(&walk->pos, move);
    return move;
}
