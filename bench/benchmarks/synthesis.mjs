import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createRandom } from '../corpus/random.mjs';
import { createTextMaker } from '../corpus/text.mjs';
import { createVocabulary } from '../corpus/vocabulary.mjs';
import { alternate, measureTime, median } from '../measure.mjs';
import { atMost, info } from '../runner/result.mjs';

const MANY = 1_000;
const FEW = 10;
/** Attempts of the new session, and of each earlier session. */
const ATTEMPTS = 1_000;
const EARLIER_ATTEMPTS = 60;
const WARM_UP = 5;
const ROUNDS = 15;
const START = Date.UTC(2025, 2, 1);
const SESSION_MS = 6 * 3_600_000;

/** What synthesis costs after few and after many sessions, and the briefing for the next one. */
export const synthesis = {
  group: 'synthesis',
  description: `update digests and knowledge after a session of ${ATTEMPTS} attempts, and write a briefing`,
  names: {
    'synthesis.time': `median time with ${MANY} earlier sessions`,
    'synthesis.ratio': `the same, relative to ${FEW} earlier sessions`,
    'synthesis.attempt': `median time for one new attempt with ${MANY} earlier sessions`,
    'synthesis.idle': 'median time when nothing is new',
    'synthesis.rebuild': 'time to rebuild everything, per 1,000 attempts',
    'synthesis.briefing': `median time of a briefing with ${MANY} sessions`,
  },
  async *run(context) {
    const { synthesise } = await context.load('memory/knowledge/synthesise.js');
    const { briefProject } = await context.load('memory/briefing/brief-project.js');
    const { removeDigests } = await context.load('memory/digest/store/snapshot.js');
    const write = createWriter();
    const few = { folder: context.folder('synthesis-few'), sessions: 0 };
    const many = { folder: context.folder('synthesis-many'), sessions: 0 };
    for (let count = 0; count < FEW; count++) write(few, EARLIER_ATTEMPTS);
    for (let count = 0; count < MANY; count++) write(many, EARLIER_ATTEMPTS);
    const now = START + 2 * MANY * SESSION_MS;
    const learn = ({ folder }) => synthesise(folder, { now });
    context.log(`${MANY} sessions of ${EARLIER_ATTEMPTS} attempts`);
    for (const project of [few, many]) learn(project);

    const measured = { few: [], many: [] };
    const round = (name, project) => {
      write(project, ATTEMPTS);
      measured[name].push(measureTime(() => learn(project)));
    };
    alternate({
      rounds: WARM_UP + ROUNDS,
      yore: () => round('many', many),
      bare: () => round('few', few),
    });
    const times = { few: measured.few.slice(WARM_UP), many: measured.many.slice(WARM_UP) };
    yield atMost('synthesis.time', median(times.many), 'ms', 20);
    yield atMost('synthesis.ratio', median(times.many) / median(times.few), `× ${FEW} sessions`, 1.5);

    const attempt = Array.from({ length: ROUNDS }, () => {
      write(many, 1);
      return measureTime(() => learn(many));
    });
    yield info('synthesis.attempt', median(attempt), 'ms');
    yield info('synthesis.idle', median(Array.from({ length: ROUNDS }, () => measureTime(() => learn(many)))), 'ms');

    const briefing = Array.from({ length: ROUNDS }, () =>
      measureTime(() => {
        const { text } = briefProject(many.folder, { maxSize: 2_000, now, variant: 'start' });
        if (text.length < 500) throw new Error(`the briefing has only ${text.length} characters`);
      }),
    );
    yield atMost('synthesis.briefing', median(briefing), 'ms', 20);

    removeDigests(many.folder);
    const rebuild = measureTime(() => learn(many));
    const attempts = MANY * EARLIER_ATTEMPTS + (WARM_UP + ROUNDS) * ATTEMPTS;
    yield info('synthesis.rebuild', (rebuild / attempts) * 1_000, 'ms');
  },
};

/** Returns a function that appends a session to the logs of a project. */
function createWriter() {
  const random = createRandom('synthesis');
  const text = createTextMaker(createVocabulary(random), random);
  return (project, attempts) => {
    const lines = { history: '', failures: '', successes: '' };
    for (const { log, record } of sessionRecords(random, text, project.sessions++, attempts)) {
      lines[log] += `${JSON.stringify(record)}\n`;
    }
    mkdirSync(project.folder, { recursive: true });
    for (const log of Object.keys(lines)) appendFileSync(join(project.folder, `${log}.jsonl`), lines[log]);
  };
}

function* sessionRecords(random, text, number, attempts) {
  let time = START + number * SESSION_MS;
  const sessionId = `sess_${time}_${random.hex(6)}`;
  let request = '';
  for (let index = 0; index < attempts; index++) {
    const base = () => {
      time += random.between(1_000, 20_000);
      const timestamp = new Date(time).toISOString();
      return {
        v: 1,
        id: `${time}-${random.hex(8)}`,
        timestamp,
        sessionId,
        agent: 'claude-code',
        branch: 'main',
      };
    };
    if (index % 20 === 0) {
      request = text.request().slice(0, 300);
      yield { log: 'history', record: { ...base(), role: 'user', content: request } };
      yield { log: 'history', record: { ...base(), role: 'assistant', content: text.reply() } };
    }
    const call = random.pick(CALLS)(text, random);
    const log = call.outcome === 'failure' ? 'failures' : 'successes';
    const signature = `${call.tool} ${call.command ?? call.path}`;
    const callId = `call_${random.hex(12)}`;
    yield { log, record: { ...base(), outcome: 'success', callId, context: request, signature, ...call } };
  }
}

/** Calls of agents, about as often as they occur. */
const CALLS = [
  ...Array.from({ length: 8 }, () => (text, random) => ({
    tool: 'Read',
    path: text.path(),
    args: { offset: random.below(900), limit: 200 },
    kind: 'read',
  })),
  ...Array.from({ length: 4 }, () => (text) => ({
    tool: 'Bash',
    command: `grep -rn "${text.word()}" src | head -20`,
    result: text.reply(),
    kind: 'search',
  })),
  ...Array.from({ length: 6 }, () => (text) => ({
    tool: 'Edit',
    path: text.path(),
    args: { old_string: text.reply(), new_string: text.reply() },
    kind: 'edit',
  })),
  ...Array.from({ length: 3 }, () => (text) => ({
    tool: 'Bash',
    command: `node scripts/${text.word()}.mjs --name ${text.word()}`,
    result: text.reply(),
    exitCode: 0,
    kind: 'run',
  })),
  (text) => ({
    tool: 'Bash',
    command: 'npm test 2>&1 | tail -30',
    result: text.reply(),
    exitCode: 0,
    kind: 'test',
  }),
  (text) => ({ tool: 'Bash', command: 'npm run build', result: text.output(), exitCode: 0, kind: 'build' }),
  (text) => ({
    tool: 'Bash',
    command: `git commit -m "${text.word()} ${text.word()}"`,
    result: `[main 1a2b3c4] ${text.word()} ${text.word()}`,
    exitCode: 0,
    kind: 'commit',
  }),
  (text, random) => ({
    tool: 'Bash',
    outcome: 'failure',
    command: `npm install ${text.word()}-${text.word()}`,
    error: text.failure(),
    exitCode: 1,
    kind: random.pick(['missing', 'usage', 'transient']),
  }),
  (text) => ({
    tool: 'Bash',
    outcome: 'failure',
    command: 'npm test',
    error: text.failure(),
    exitCode: 1,
    kind: 'state',
  }),
];
