// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Proves or refutes that one side, the attacker, can force mate within a number of its moves:
 * df-pn, depth-first proof-number search (Nagai 2002; proof numbers: Allis 1994), with a limit on
 * the length. Every reply of the defender is searched. The attacker's last move must give check.
 *
 * A node is a position, the attacker, and the number of moves that are left. Its value does not
 * depend on the moves that led to it. Repetitions within the tree need no test, because a shortest
 * mate repeats no position. Positions that already occurred twice in the game are draws in the
 * whole tree. If the fifty-move rule can end the game before the last move, its counter is part of
 * the key.
 */

#include <stddef.h>

#include "search/worker.h"

enum { MATEPROOF_MOVES_MAX = MAX_PLY / 2 }; // longest mate, in moves

typedef struct MateProof MateProof;

typedef enum {
    MATE_UNKNOWN, // a limit ended the search
    MATE_PROVEN,
    MATE_REFUTED // no mate within the number of moves
} MateVerdict;

/* Creates a proof search for the root moves of `w` and mates in up to `moves_max` moves
 * (1..MATEPROOF_MOVES_MAX), with a table of at most `bytes` (at least 64 KiB). The worker counts
 * its nodes and checks its limits. Returns NULL when memory is short. */
MateProof *mateproof_create(Worker *w, int moves_max, size_t bytes);

/* Frees everything. NULL is allowed. */
void mateproof_destroy(MateProof *proof);

/* Result of a search. */
typedef struct {
    MateVerdict verdict;
    int moves;  // of the mate that was found, if proven
    Move first; // first move of its line, if proven; MOVE_NONE when the root has no moves
} MateResult;

/* How the proof numbers of the defender's replies are combined. Both give the same verdict. */
typedef enum {
    MATE_NUMBERS_SUM, // their sum: best in most positions
    MATE_NUMBERS_WEAK // weak proof numbers: the largest number plus the number of the other open
                      // replies (Ueda et al. 2008). Better in long mates with few moves of the
                      // defender: there a sum counts too often the positions that are reached in
                      // several ways.
} MateNumbers;

/* Searches a mate by `attacker` within `moves` (1..moves_max) of its moves. Gives up after about
 * `budget` nodes, or when the worker must stop. A later call continues the work of earlier calls
 * with the same kind of numbers. */
MateResult mateproof_search(MateProof *proof, Color attacker, int moves, MateNumbers numbers,
                            uint64_t budget);

/* Writes the line of a mate in `moves` that the last search has proven to `pv` (MAX_PLY moves) and
 * returns its length in plies: 2 * `moves` - 1 if the attacker is to move, else 2 * `moves`. The
 * line ends early when the worker must stop. It also ends early when the table has lost positions
 * of the line and more than `budget` nodes would be needed to prove them again. */
int mateproof_line(MateProof *proof, Color attacker, int moves, uint64_t budget, Move *pv);
