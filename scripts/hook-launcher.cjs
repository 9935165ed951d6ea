#!/usr/bin/env node
// What agents call while they work: starts the hook with what V8 compiled when it was built. Where that does not fit
// (another version of Node) or is missing, V8 compiles as always. Whatever goes wrong, the agent is not to notice.
'use strict';
const { readFileSync } = require('node:fs');
const { Script } = require('node:vm');

const loaded = new Map();

/** A part of the hook: `./main.cjs` reads and answers, the others handle one kind of event each. */
function load(name) {
  const known = loaded.get(name);
  if (known !== undefined) return known.exports;
  const path = __dirname + name.slice(1);
  const source = `(function(exports,require){${readFileSync(path, 'latin1')}\n})`;
  const script = new Script(source, { filename: path, cachedData: readCache(path) });
  const part = { script, exports: {} };
  loaded.set(name, part);
  script.runInThisContext()(part.exports, (id) => (id.startsWith('./') ? load(id) : require(id)));
  return part.exports;
}

function readCache(path) {
  try {
    return readFileSync(`${path}.cache`);
  } catch {
    return undefined;
  }
}

module.exports = { load, loaded };
if (require.main === module) {
  try {
    load('./answer.cjs').runHook(process.argv.slice(2));
  } catch {
    process.exit(0);
  }
}
