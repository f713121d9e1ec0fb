// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/worker_fixture.h"

#include <check.h>
#include <string.h>

#include "chess/fen.h"
#include "chess/notation.h"
#include "eval/bootstrap.h"

const char HANGING_QUEEN[] = "4k3/8/8/3q4/4P3/8/8/R3K3 w - - 0 1";
const char PAWN_ENDING[] = "4k3/pp3ppp/8/8/8/8/PPP2PPP/4K3 w - - 0 1";

SearchFixture fixture;

Worker *fixture_open(SearchFixture *f, const char *fen, int count)
{
    char error[FEN_ERROR_MAX];
    memset(f, 0, sizeof *f);
    ck_assert(tt_resize(&f->tt, 1) == 1);
    f->eval = (EvalSource){.bootstrap = bootstrap_eval};
    ck_assert_msg(fen_parse(&f->job.root, fen, true, error), "%s: %s", fen, error);
    path_start(&f->job.path, &f->job.root);
    f->job.multi_pv = 1;
    f->shared = (SearchShared){.tt = &f->tt,
                               .eval = &f->eval,
                               .job = &f->job,
                               .plan = {.soft_ms = TIME_UNLIMITED, .hard_ms = TIME_UNLIMITED},
                               .workers = f->workers,
                               .worker_count = count};
    for (int i = 0; i < count; i++) {
        f->workers[i] = worker_create(&f->shared, i);
        ck_assert_ptr_nonnull(f->workers[i]);
        worker_prepare(f->workers[i]);
        f->workers[i]->root_depth = 10;
    }
    return f->workers[0];
}

void fixture_close(SearchFixture *f)
{
    for (int i = 0; i < f->shared.worker_count; i++)
        worker_destroy(f->workers[i]);
    tt_free(&f->tt);
}

void fixture_teardown(void)
{
    fixture_close(&fixture);
}

Node fixture_node(SearchFixture *f, Score alpha, Score beta, int depth)
{
    Worker *w = f->workers[0];
    SearchStack *const root = worker_stack(w, 0), *const ss = stack_at(root, 1);
    ss->pos = root->pos;
    ss->ply = 1;
    ss->excluded = MOVE_NONE;
    root->move = move_make(A1, A1, KIND_NORMAL); // any move but the null move
    root->eval = SCORE_NONE;
    Node n = node_enter(w, ss, alpha, beta, depth);
    n.cut_node = !n.pv_node;
    n.raw_eval = n.in_check ? SCORE_NONE : eval_raw(&w->evaluator, n.pos, n.ply);
    node_evaluate(&n);
    return n;
}

Node fixture_open_node(SearchFixture *f, const char *fen, Score alpha, int depth, Score eval)
{
    fixture_open(f, fen, 1);
    Node n = fixture_node(f, alpha, alpha + 1, depth);
    n.eval = n.estimate = n.ss->eval = eval;
    return n;
}

void fixture_add_entry(Node *n, Move move, Score score, Bound bound, int depth)
{
    n->tt_entries[n->tt_count++] =
        (TtData){.move = move, .score = score, .eval = SCORE_NONE, .bound = bound, .depth = depth};
    if (n->tt_moves[0] == MOVE_NONE)
        n->tt_moves[0] = move;
}

Move fixture_move(const Node *n, const char *text)
{
    const Move move = move_from_uci(n->pos, text);
    ck_assert_int_ne(move, MOVE_NONE);
    return move;
}

void fixture_set_result(SearchFixture *f, int index, int move, Score score, int depth)
{
    Worker *const w = f->workers[index];
    const Move best = w->root_moves[move].move;
    worker_prepare(w);
    ck_assert(worker_bring_to_front(w, best));
    w->root_moves[0].score = score;
    w->completed_depth = depth;
}
