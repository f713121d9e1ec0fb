// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* What the commands for people show, as text appended to a block. */

#include "uci/session.h"

/* The board, FEN, key, checkers and what table and tablebases know of the position. */
void display_position(Session *session, Block *block);

/* The static evaluation. */
void display_eval(Session *session, Block *block);

/* The health of the last search. No search may be running. */
void display_stats(Session *session, Block *block);

/* The same for given statistics: shares in percent, "-" where nothing was counted. */
void display_health(const SearchStats *stats, Block *block);

/* Compiler, target, attack tables. */
void display_compiler(Session *session, Block *block);

/* The processor: its name, what it can do, what of that this program uses. */
void display_cpu(Session *session, Block *block);

/* Who may do what with this program. */
void display_license(Session *session, Block *block);
