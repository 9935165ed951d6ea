import { createRandom } from '../corpus/random.mjs';

const SESSIONS = 6;
const FILES = 12;

/**
 * Sessions like the recorded ones, for machines that have none: files are read, some of them edited several times in a
 * row, commands run in between.
 * @returns {{sessions: import('./replayed-sessions.mjs').Step[][], sizeOf: (path: string) => number}}
 */
export function makeUpSessions() {
  const random = createRandom('cache');
  const sizes = new Map();
  const paths = Array.from({ length: 60 }, (_, index) => `src/part-${index % 7}/file-${index}.ts`);
  for (const path of paths) sizes.set(path, random.between(300, 6_000));
  const sessions = Array.from({ length: SESSIONS }, () => makeUpSession(random, paths));
  return { sessions, sizeOf: (path) => sizes.get(path) ?? 0 };
}

function makeUpSession(random, paths) {
  const steps = [];
  const files = Array.from({ length: FILES }, () => random.pick(paths));
  const call = (said, answered, read, edited) => steps.push({ type: 'call', said, answered, read, edited });
  for (let prompt = random.between(2, 15); prompt > 0; prompt--) {
    steps.push({ type: 'prompt', said: random.between(20, 200), answered: 0, read: [], edited: [] });
    for (let calls = random.between(3, 20); calls > 0; calls--) {
      const path = random.pick(files.slice(0, random.between(1, FILES)));
      const kind = random.pick(['read', 'edit', 'command', 'command']);
      if (kind === 'read') call(40, 10, [path], []);
      else if (kind === 'edit') call(random.between(60, 600), 10, [], [path]);
      else call(random.between(20, 120), random.between(10, 700), [], []);
    }
  }
  return steps;
}
