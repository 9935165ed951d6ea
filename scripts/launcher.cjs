#!/usr/bin/env node
// Starts the command line with V8's compiled code from the build, which halves the time until it runs. If that is missing
// or from another version of Node, V8 compiles as usual.
'use strict';
const { readFileSync } = require('node:fs');
const Module = require('node:module');
const { join } = require('node:path');
const { Script } = require('node:vm');

const filename = join(__dirname, 'yore.cjs');
const program = new Module(filename, module);
program.filename = filename;
program.paths = module.paths;
const script = new Script(Module.wrap(readFileSync(filename, 'utf8')), {
  filename,
  cachedData: readCache(),
});
module.exports = { script };
// The other files of the bundle use the modules of this instance.
require.cache[filename] = program;
script
  .runInThisContext()
  .call(program.exports, program.exports, program.require.bind(program), program, filename, __dirname);
// Otherwise Node takes a part that requires it for a circular dependency, and warns.
program.loaded = true;

function readCache() {
  try {
    return readFileSync(join(__dirname, 'yore.cache'));
  } catch {
    return undefined;
  }
}
