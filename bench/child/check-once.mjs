// Prints how long the first decision of a fresh process takes: dist folder, project folder, a small project, call.
// `first` includes compiling the code that runs; `lookup` is what remains of it when the small project came before.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [dist, directory, small, call] = process.argv.slice(2);
const { Guard } = await import(pathToFileURL(join(dist, 'memory', 'guard', 'guard.js')).href);
const decide = (folder) => {
  const start = performance.now();
  const guard = new Guard(folder, { failureLookbackDays: 7, minConfidence: 0.75 });
  const isWarned = guard.check(JSON.parse(call)) !== undefined;
  return { ms: performance.now() - start, isWarned };
};
const first = decide(small);
const lookup = decide(directory);
console.log(JSON.stringify({ first: first.ms, lookup: lookup.ms, warned: lookup.isWarned }));
