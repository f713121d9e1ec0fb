// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The command `tb`: probes the tablebases and verifies their files. Names that begin with tb_
 * belong to libfathom. */

#include "uci/session.h"

/* Appends a line with the tablebase result of the current position, if there is one. No search may
 * be running. */
void syzygy_describe(Session *session, StrBuf *buf);
