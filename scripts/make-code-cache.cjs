// Runs a command of a build and saves the code that V8 compiled: node make-code-cache.cjs BUILD ARGUMENT...
'use strict';
const { writeFileSync } = require('node:fs');
const { join } = require('node:path');

const [, , folder, ...rest] = process.argv;
const launcher = join(folder, 'cli', 'main.cjs');
process.argv = [process.argv[0], launcher, ...rest];
const { script } = require(launcher);
process.on('exit', () => writeFileSync(join(folder, 'cli', 'yore.cache'), script.createCachedData()));
