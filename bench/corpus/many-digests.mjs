import { createRandom } from './random.mjs';
import { createTextMaker } from './text.mjs';
import { createVocabulary } from './vocabulary.mjs';

const START = Date.UTC(2025, 0, 6, 8);
const HOUR = 3_600_000;
const REQUESTS = 8;
const STEPS = 5;

/** Digests of a long history with random text, to measure size and speed. @param {number} count */
export function manyDigests(count) {
  const random = createRandom('many digests');
  const text = createTextMaker(createVocabulary(), random);
  return Array.from({ length: count }, (_, index) => digest(index, text, random));
}

function digest(index, text, random) {
  const at = (minutes) => new Date(START + index * 6 * HOUR + minutes * 60_000).toISOString();
  const step = (minutes, kind, what) => ({ at: at(minutes), kind, text: what, count: 1 });
  const commits = [{ at: at(90), message: `${text.word()} ${text.word()}: ${text.word()} ${text.word()}` }];
  return {
    sessionId: `${String(index).padStart(8, '0')}-${random.hex(12)}`,
    branch: 'main',
    startedAt: at(0),
    endedAt: at(100),
    requests: Array.from({ length: REQUESTS }, (_, place) => ({
      at: at(place * 10),
      text: text.request().slice(0, 300),
      tags: ['testing', 'backend'],
      steps: Array.from({ length: STEPS }, (_, number) => step(place * 10 + number, 'edit', text.path())),
    })),
    failures: [],
    commands: [step(80, 'test', text.command())],
    files: Array.from({ length: 20 }, () => text.path()),
    commits,
    counts: { successes: 95, failures: 5 },
    hours: [],
  };
}
