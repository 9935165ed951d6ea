import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ROOT } from './options.mjs';

/**
 * Why the build cannot be measured, in words; undefined when it can. A build is outdated when any source is
 * newer than its oldest file.
 * @param {string} dist
 */
export function findBuildProblem(dist) {
  if (!existsSync(dist)) return `There is no build in ${dist}. Run \`npm run build\` first.`;
  const built = times(dist, '.js');
  if (built.length === 0) return `There is no build in ${dist}. Run \`npm run build\` first.`;
  const sources = times(join(ROOT, 'src'), '.ts');
  const newest = sources.reduce((a, b) => (b.time > a.time ? b : a));
  const oldest = built.reduce((a, b) => (b.time < a.time ? b : a));
  if (newest.time <= oldest.time) return undefined;
  return `${basename(newest.path)} is newer than the build in ${dist}. Run \`npm run build\` first.`;
}

function times(folder, extension) {
  return readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => name.endsWith(extension))
    .map((name) => join(folder, name))
    .map((path) => ({ path, time: statSync(path).mtimeMs }));
}
