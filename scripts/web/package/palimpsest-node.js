// SPDX-License-Identifier: GPL-3.0-or-later
/* What require('palimpsest-chess') gives: the build that can run here. */
'use strict';
module.exports = require(`./${require('./palimpsest-choice.js')().name}.js`);
