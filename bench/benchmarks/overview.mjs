import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRandom } from '../corpus/random.mjs';
import { createTextMaker } from '../corpus/text.mjs';
import { createVocabulary } from '../corpus/vocabulary.mjs';
import { alternate, measureTime, median } from '../measure.mjs';
import { atMost, info } from '../runner/result.mjs';

const MANY = 1_000;
const FEW = 10;
/** Attempts of each session. */
const ATTEMPTS = 60;
const WARM_UP = 3;
const ROUNDS = 15;
const START = Date.UTC(2025, 2, 1);
const SESSION_MS = 6 * 3_600_000;
const HOUR_MS = 3_600_000;

/** What the overview of a project and the briefing of its next session cost after few and after many sessions. */
export const overview = {
  group: 'overview',
  description: `what the overview of a project shows, and the briefing of its next session, of ${ATTEMPTS} attempts a session`,
  names: {
    'overview.first': `time of the first overview in a process, with ${MANY} sessions`,
    'overview.time': `median time of another one`,
    'overview.ratio': `the same, relative to ${FEW} sessions`,
    'overview.turn': `median time of the first one after an attempt was recorded, with ${MANY} sessions`,
    'overview.recap': `median time of a recap of the last seven days, with ${MANY} sessions`,
    'overview.briefing': `median time of a briefing, with ${MANY} sessions`,
  },
  async *run(context) {
    const { openHome } = await context.load('project/index.js');
    const write = createWriter();
    const folder = context.folder('overview');
    const home = openHome({ home: join(folder, 'home'), now: () => START + MANY * SESSION_MS + HOUR_MS });
    const open = (name, sessions) => {
      const cwd = join(folder, name);
      mkdirSync(cwd, { recursive: true });
      writeFileSync(join(cwd, 'package.json'), JSON.stringify({ scripts: { test: 'vitest run', build: 'tsc' } }));
      const project = home.openProject(cwd);
      const written = { folder: project.directory, sessions: MANY - sessions };
      for (let count = 0; count < sessions; count++) write(written, ATTEMPTS);
      return { project, written };
    };
    const [few, many] = [open('few', FEW), open('many', MANY)];
    context.log(`indexing ${MANY} sessions of ${ATTEMPTS} attempts`);
    home.catchUp();
    home.close();

    const again = openHome({ home: join(folder, 'home'), now: () => START + MANY * SESSION_MS + HOUR_MS });
    const projectOf = ({ project }) => again.findProjectByName(project.info.projectHash);
    const look = (project) => {
      const { memory } = project;
      const { knowledge } = memory.knowledge();
      const days = memory.timeline();
      const { failures } = memory.pastFailures({ limit: 6 });
      again.status(project);
      const { sessions } = again.listSessions({ projects: [project.info.projectHash], limit: 5 });
      if (
        knowledge.bestPractices.length + failures.length + days.length + sessions.length + memory.failures().length <
        5
      )
        throw new Error('the overview is empty');
    };
    const [small, large] = [projectOf(few), projectOf(many)];
    yield atMost(
      'overview.first',
      measureTime(() => look(large)),
      'ms',
      300,
    );
    const measured = { few: [], many: [] };
    alternate({
      rounds: WARM_UP + ROUNDS,
      yore: () => measured.many.push(measureTime(() => look(large))),
      bare: () => measured.few.push(measureTime(() => look(small))),
    });
    const times = { few: measured.few.slice(WARM_UP), many: measured.many.slice(WARM_UP) };
    yield atMost('overview.time', median(times.many), 'ms', 50);
    yield info('overview.ratio', median(times.many) / median(times.few), `× ${FEW} sessions`);
    const medianOf = (work) => median(Array.from({ length: ROUNDS }, () => measureTime(work)));
    const turn = Array.from({ length: ROUNDS }, () => {
      write(many.written, 1);
      return measureTime(() => look(large));
    });
    yield info('overview.turn', median(turn), 'ms');
    yield info(
      'overview.recap',
      medianOf(() => large.memory.recap({ days: 7 })),
      'ms',
    );
    const brief = () => {
      const { text } = large.memory.briefing();
      if (text.length < 500) throw new Error(`the briefing has only ${text.length} characters`);
    };
    yield atMost('overview.briefing', medianOf(brief), 'ms', 50);
    again.close();
  },
};

/** Returns a function that appends a session to the logs of a project. */
function createWriter() {
  const random = createRandom('overview');
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
