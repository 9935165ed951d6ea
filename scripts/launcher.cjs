#!/usr/bin/env node
// Starts the command line with the code that V8 compiled during the build, which halves the start-up time. If that is
// missing or from another version of Node.js, V8 compiles as usual.
'use strict';
const { readFileSync } = require('node:fs');
const Module = require('node:module');
const { join } = require('node:path');
const { Script } = require('node:vm');

const filename = join(__dirname, 'yore.cjs');
const program = new Module(filename, module);
program.filename = filename;
program.paths = module.paths;
const script = new Script(readFileSync(filename, 'latin1'), { filename, cachedData: readCache() });
module.exports = { script };
// The other parts use the modules of this instance.
require.cache[filename] = program;
script.runInThisContext()(program.exports, program.require.bind(program), filename, __dirname);
// Otherwise Node.js warns of a circular dependency when a part requires this module.
program.loaded = true;

function readCache() {
  try {
    return readFileSync(join(__dirname, 'yore.cache'));
  } catch {
    return undefined;
  }
}
