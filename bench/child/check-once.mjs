// Measures decisions of the guard in a new process: node check-once.mjs DIST HOME FOLDER SMALL_FOLDER CALL
// `first` is the first decision, in the small project, and includes compiling the code; `lookup` is the one after it.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [dist, home, folder, small, call] = process.argv.slice(2);
const { ProjectHandle } = await import(pathToFileURL(join(dist, 'recording', 'project-handle.js')).href);
const check = async (cwd) => {
  const project = ProjectHandle.find(cwd, { home, env: {}, now: Date.now });
  const start = performance.now();
  const isWarned = (await project.guard()).check({ ...JSON.parse(call), cwd, root: cwd }) !== undefined;
  return { ms: performance.now() - start, isWarned };
};
const first = await check(small);
const lookup = await check(folder);
console.log(JSON.stringify({ first: first.ms, lookup: lookup.ms, warned: lookup.isWarned }));
