// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Commands that show the position, the search statistics, and how the program was built. Each
 * function appends text to a buffer. */

#include "uci/session.h"

/* Statistics of a search. Shares are in percent; "-" where the total is 0. */
void display_search_stats(const SearchStats *stats, StrBuf *buf);

/* The static evaluation of `pos` without the piece on `s`, which is no king. */
Score display_eval_without(const EvalSource *source, const Position *pos, Square s);

/* Compiler, slider attack method, and the optional libraries that are linked. */
void display_compiler(Session *session, StrBuf *buf);

/* The processor: its name, the instruction sets it has, and which of them this program uses. */
void display_cpu(Session *session, StrBuf *buf);
