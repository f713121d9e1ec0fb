// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The search for a mate in a given number of moves (`go mate N`): the proof-number search of
 * mateproof.h ("the proof") and the alpha-beta search take turns. The proof gets two thirds of the
 * nodes. It finds short mates and shows that there is none; the alpha-beta search finds long ones.
 */

#include "search/worker.h"

typedef enum {
    MATE_STEP_GO_ON, // nothing is decided: search the next depth
    MATE_STEP_FOUND, // the best root move has a new mate score: report it and call again
    MATE_STEP_DONE,  // no shorter mate was found; the search is over
    MATE_STEP_NONE   // there is no mate within the limit; the search is over
} MateStep;

typedef struct {
    Worker *w;
    struct MateProof *proof; // NULL: no memory
    int wanted;              // moves
    int refuted[COLOR_NB];   // by attacker: no mate within so many moves
    int found;               // moves of the shortest known mate; 0: none
    Color winner;            // the side that gives that mate
    uint64_t proof_nodes;
    uint64_t last_node; // when a mate is known: the node count that ends the search
} MateSearch;

/* Starts the search for a mate in limits.mate moves (at most MATEPROOF_MOVES_MAX), for the main
 * worker `w`. False when there is no memory for the proof: then only the alpha-beta search
 * looks for mates. */
bool matesearch_open(MateSearch *search, Worker *w);

/* Frees the memory of the proof. `*search` may be all zero. */
void matesearch_close(MateSearch *search);

/* The turn of the proof. To be called after each completed iteration of the alpha-beta search.
 * Writes a proven mate to the first root move. When either search has found a mate, looks for a
 * shorter one for as many nodes as were spent so far and 200,000 more. If the side to move stands
 * worse, also looks for a mate by the opponent. */
MateStep matesearch_step(MateSearch *search);
