#!/usr/bin/env node
// Starts the hook with V8's compiled code from build time. If that is missing or from another version of Node.js, V8
// compiles as usual. Fails open: the agent must not notice whatever goes wrong.
'use strict';
const { readFileSync } = require('node:fs');
const { Script } = require('node:vm');

const loaded = new Map();

/** Loads a part of the hook: `./answer.cjs` reads and answers events, the others are what it imports dynamically. */
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
