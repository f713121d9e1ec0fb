// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The weights a run begins with (--init): those of a checkpoint or of a network file. */

#include "train/model.h"

enum { INITIAL_ERROR_MAX = 512 };

/* Reads weights from a checkpoint as checkpoint_load_weights() does, or from a network file that
 * network_load() accepts, also one with fewer marks or without dense layers; these then begin
 * without effect. The weights of a network are rounded, so the checkpoint it was exported from is a
 * little better. Returns NULL, with the reason in `error` (INITIAL_ERROR_MAX bytes), if the file
 * cannot be used or memory runs out. Free with parameters_free(). */
Parameters *initial_read(const char *path, char *error);
