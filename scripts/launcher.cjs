#!/usr/bin/env node
// Starts the command line with what V8 compiled when it was built, which halves the time until it runs. Where that does
// not fit (another version of Node) or is missing, V8 compiles as always.
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
// The parts beside it use its modules, as it runs here.
require.cache[filename] = program;
script
  .runInThisContext()
  .call(program.exports, program.exports, program.require.bind(program), program, filename, __dirname);

function readCache() {
  try {
    return readFileSync(join(__dirname, 'yore.cache'));
  } catch {
    return undefined;
  }
}
