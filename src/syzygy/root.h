// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The tablebases at the root of a search: its moves are ranked, and only those of the best rank are
 * searched. By distance to zeroing where it is known, so that every won position is converted
 * within the fifty-move rule; by win, draw and loss where it is not. */

#include "chess/game.h"
#include "search/worker.h"
#include "syzygy/syzygy.h"

/* Looks up `root`, the last position of `path`. False, with the reason in `error`
 * (SYZYGY_ERROR_MAX bytes), when nothing is known of it. One thread, while none searches. */
bool syzygy_root_look_up(const SyzygyUse *use, const Position *root, const Path *path,
                         SyzygyView *view, char *error);

/* Confines `job` to the best of the moves it allows, when the tables of shared->syzygy tell them
 * apart, and fills in what `shared` says of the root. A root whose distances are known needs no
 * more answers: its search looks for mate alone. */
void syzygy_root_prepare(SearchShared *shared, SearchJob *job);
