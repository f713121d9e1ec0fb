// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Declares the function of every command in list.def. */

#include "uci/session.h"

#define COMMAND(name, function, thread, effect, arguments, purpose)                                \
    void function(Session *session, char *text);
#include "uci/commands/list.def"
#undef COMMAND
