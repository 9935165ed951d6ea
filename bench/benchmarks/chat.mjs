import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { projectRecords } from '../corpus/project.mjs';
import { createRandom } from '../corpus/random.mjs';
import { createVocabulary } from '../corpus/vocabulary.mjs';
import { median, quantile, timeOf } from '../measure.mjs';
import { atMost, info } from '../runner/result.mjs';

const SESSIONS = 1_000;
const PROMPTS = 500;
const STARTS = 15;
const REPLIES = 15;
const KEYS = 60;
const TOKENS_OF_CONTEXT = 100_000;
const DAY_MS = 86_400_000;

/** How long a user of `yore chat` waits. */
export const chat = {
  group: 'chat',
  description: 'yore chat on a pseudo-terminal, in a project with 1,000 sessions and 500 prompts',
  names: {
    'chat.start': 'median time from the start of the process to its input line, minus that of `node -e 0`',
    'chat.firstToken': "median time from a provider's first byte to its text on the terminal",
    'chat.key': 'median time from a key to its character on the terminal, with 100,000 tokens of history',
    'chat.keyP95': 'the slowest of twenty keys',
  },
  async *run(context) {
    const { spawn } = await loadPty();
    const server = await createProvider();
    try {
      const place = await createPlace(context, server.url);
      context.say('starting chats');
      const bare = [];
      const starts = [];
      for (let round = 0; round < STARTS; round++) {
        bare.push(timeOf(() => spawnSync(process.execPath, ['-e', '0'])));
        const session = openChat(spawn, context, place, ['--new']);
        starts.push(await session.until(READY));
        await session.end();
      }
      yield atMost('chat.start', median(starts) - median(bare), 'ms', 250);

      const talking = openChat(spawn, context, place, ['--session', place.longSession]);
      await talking.until(READY);
      context.say('typing');
      const keys = [];
      for (let index = 0; index < KEYS; index++) {
        const character = String.fromCharCode(97 + (index % 26));
        talking.forget();
        const from = performance.now();
        talking.type(character);
        await talking.until(character);
        keys.push(performance.now() - from);
      }
      talking.type('\x03');
      context.say('asking');
      const tokens = [];
      for (let index = 0; index < REPLIES; index++) {
        const word = `token${index}x`;
        server.say(word);
        talking.forget();
        talking.type(`question ${index}`);
        await talking.until(`question ${index}`);
        talking.type('\r');
        const shown = await talking.until(word, true);
        tokens.push(shown - server.saidAt());
        await talking.until(READY);
      }
      await talking.end();
      yield atMost('chat.firstToken', median(tokens), 'ms', 20);
      yield atMost('chat.key', median(keys), 'ms', 16);
      yield info('chat.keyP95', quantile(keys, 0.95), 'ms');
    } finally {
      await server.close();
    }
  },
};

/** The status line is the last that is drawn. */
const READY = '/help';

async function loadPty() {
  const { default: pty } = await import('@lydell/node-pty');
  return pty;
}

/** An OpenAI-compatible server that sends one word and records when. */
async function createProvider() {
  let word = 'hello';
  let at = 0;
  const line = (value) => `data: ${JSON.stringify(value)}\n\n`;
  const chunk = (delta, finish_reason = null) =>
    line({ id: 'c', choices: [{ index: 0, delta, finish_reason }] });
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.flushHeaders();
      setTimeout(() => {
        at = performance.now();
        response.write(chunk({ role: 'assistant', content: word }));
        setTimeout(() => response.end(`${chunk({}, 'stop')}data: [DONE]\n\n`), 30);
      }, 20);
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/v1`,
    say: (next) => {
      word = next;
    },
    saidAt: () => at,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

async function createPlace(context, url) {
  const folder = context.folder('chat');
  const home = join(folder, 'home');
  const cwd = join(folder, 'shop');
  mkdirSync(home, { recursive: true, mode: 0o700 });
  mkdirSync(cwd, { recursive: true });
  const settings = {
    model: { provider: 'openai-compatible', name: 'bench', baseUrl: url },
    compaction: { triggerTokens: 1_000_000 },
  };
  writeFileSync(join(home, 'config.json'), JSON.stringify(settings), { mode: 0o600 });
  const { openHome } = await context.load('project/index.js');
  const opened = openHome({ home });
  const project = opened.openProject(cwd);
  context.say(`recording ${SESSIONS} sessions`);
  const found = writeSessions(project.directory);
  const longSession = writeLongSession(project);
  opened.prompts.upsertAll(
    Array.from({ length: PROMPTS }, (_, index) => ({
      text: `${found[index % found.length] ?? 'prompt'} ${index}`,
      project: project.info.projectHash,
    })),
  );
  project.memory.synthesise();
  opened.catchUp();
  opened.close();
  return { home, cwd, longSession };
}

/** Writes the records of many sessions. Returns the user's messages. */
function writeSessions(directory) {
  const source = projectRecords({
    random: createRandom('chat'),
    vocabulary: createVocabulary(),
    messages: SESSIONS * 60,
    start: Date.now() - 170 * DAY_MS,
  });
  const asked = [];
  const sessions = new Set();
  const lines = { history: [], successes: [], failures: [] };
  for (const { log, record } of source) {
    sessions.add(record.sessionId);
    if (sessions.size > SESSIONS) break;
    if (record.role === 'user' && asked.length < PROMPTS) asked.push(record.content.slice(0, 80));
    lines[log].push(`${JSON.stringify(record)}\n`);
  }
  for (const [log, texts] of Object.entries(lines)) {
    if (texts.length > 0) appendFileSync(join(directory, `${log}.jsonl`), texts.join(''), { mode: 0o600 });
  }
  return asked;
}

function writeLongSession(project) {
  const sessionId = project.history.newSession();
  const text = Array.from({ length: 250 }, (_, index) => `word${index} of the work`).join(' ');
  for (let tokens = 0; tokens < TOKENS_OF_CONTEXT; tokens += 2_000) {
    project.history.append({ role: 'user', content: text, agent: 'yore', sessionId });
    project.history.append({ role: 'assistant', content: text, agent: 'yore', sessionId });
  }
  return sessionId;
}

/** A chat on a pseudo-terminal of its own. */
function openChat(spawn, context, { home, cwd }, args) {
  const from = performance.now();
  const terminal = spawn(process.execPath, [join(context.dist, 'cli', 'main.cjs'), 'chat', ...args], {
    cols: 100,
    rows: 30,
    cwd,
    env: { PATH: process.env.PATH, HOME: home, YORE_HOME: home, TERM: 'xterm-256color', LANG: 'C.UTF-8' },
  });
  let screen = '';
  let look = () => undefined;
  terminal.onData((data) => {
    screen += data;
    look();
  });
  const ended = new Promise((resolve) => terminal.onExit(resolve));
  return {
    type: (keys) => terminal.write(keys),
    forget: () => {
      screen = '';
    },
    /** Waits for a text on the screen. Resolves to the milliseconds since the start, or to the absolute time. */
    until: (text, absolute = false) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(
          () => reject(new Error(`no ${text} on the terminal: ${screen.slice(-500)}`)),
          30_000,
        );
        look = () => {
          const at = screen.indexOf(text);
          if (at === -1) return;
          screen = screen.slice(at + text.length);
          clearTimeout(timer);
          look = () => undefined;
          resolve(performance.now() - (absolute ? 0 : from));
        };
        look();
      }),
    end: () => {
      terminal.write('\x04');
      return ended;
    },
  };
}
