// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The command `tb`: what the tablebases know of a position, and whether their files are whole. */

#include "uci/session.h"

/* Appends one line on the position set up, or none when nothing is known. No search may be running.
 */
void syzygy_describe(Session *session, Block *block);
