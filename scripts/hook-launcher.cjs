#!/usr/bin/env node
// Starts the hook with the code that V8 compiled during the build. If that is missing or from another version of Node.js,
// V8 compiles as usual. Fails open: no error may disturb the agent.
'use strict';
const { readFileSync } = require('node:fs');
const { Script } = require('node:vm');

const loaded = new Map();

/** Loads a part of the hook: `./handle-hook.cjs` replies to events, the others are its dynamic imports. */
function load(name) {
  const known = loaded.get(name);
  if (known !== undefined) return known.exports;
  const path = __dirname + name.slice(1);
  const script = new Script(readFileSync(path, 'latin1'), { filename: path, cachedData: readCache(path) });
  const part = { script, exports: {} };
  loaded.set(name, part);
  script.runInThisContext()(part.exports, (id) => (id.startsWith('./') ? load(id) : require(id)), path, __dirname);
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
    load('./handle-hook.cjs').runHook(process.argv.slice(2));
  } catch {
    process.exit(0);
  }
}
