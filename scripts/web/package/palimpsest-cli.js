#!/usr/bin/env node
// SPDX-License-Identifier: GPL-3.0-or-later
/* The engine in a terminal or for a chess program. */
'use strict';
require('./palimpsest-node.js').runProgram(process.argv.slice(2));
