// Measures decisions of the guard in a new process: node check-once.mjs DIST PROJECT SMALL_PROJECT CALL
// `first` is the first decision, in the small project, and includes compiling the code; `lookup` is the one after it.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [dist, directory, small, call] = process.argv.slice(2);
const { Guard } = await import(pathToFileURL(join(dist, 'memory', 'guard', 'guard.js')).href);
const check = (folder) => {
  const start = performance.now();
  const guard = new Guard(folder, { failureLookbackDays: 7, minConfidence: 0.75 });
  const isWarned = guard.check(JSON.parse(call)) !== undefined;
  return { ms: performance.now() - start, isWarned };
};
const first = check(small);
const lookup = check(directory);
console.log(JSON.stringify({ first: first.ms, lookup: lookup.ms, warned: lookup.isWarned }));
