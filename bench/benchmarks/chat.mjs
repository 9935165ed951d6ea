import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { projectRecords } from '../corpus/project.mjs';
import { createRandom } from '../corpus/random.mjs';
import { createVocabulary } from '../corpus/vocabulary.mjs';
import { measureTime, median, quantile } from '../measure.mjs';
import { atMost, info } from '../runner/result.mjs';

const SESSIONS = 1_000;
const PROMPTS = 500;
const STARTS = 15;
const REPLIES = 15;
const KEYS = 60;
const CONTEXT_TOKENS = 100_000;
const DAY_MS = 86_400_000;

/** How long users of `yore chat` wait. */
export const chat = {
  group: 'chat',
  description: 'yore chat on a pseudo-terminal, in a project with 1,000 sessions and 500 prompts',
  names: {
    'chat.start': 'median time until the input line is shown, minus `node -e 0`',
    'chat.firstToken': "median time from a provider's first byte to its text on the terminal",
    'chat.key': 'median time from a key to its character on the terminal, with 100,000 tokens of history',
    'chat.keyP95': 'p95 of the same',
  },
  async *run(context) {
    const { spawn } = await loadPty();
    const server = await createProvider();
    try {
      const project = await createProject(context, server.url);
      context.log('starting chats');
      const bare = [];
      const starts = [];
      for (let round = 0; round < STARTS; round++) {
        bare.push(measureTime(() => spawnSync(process.execPath, ['-e', '0'])));
        const session = openChat(spawn, context, project, ['--new']);
        starts.push(await session.until(READY));
        await session.end();
      }
      yield atMost('chat.start', median(starts) - median(bare), 'ms', 250);

      const chat = openChat(spawn, context, project, ['--session', project.longSession]);
      await chat.until(READY);
      context.log('typing');
      const keys = [];
      for (let index = 0; index < KEYS; index++) {
        const character = String.fromCharCode(97 + (index % 26));
        chat.clearScreen();
        const from = performance.now();
        chat.type(character);
        await chat.until(character);
        keys.push(performance.now() - from);
      }
      chat.type('\x03');
      context.log('sending messages');
      const tokens = [];
      for (let index = 0; index < REPLIES; index++) {
        const word = `token${index}x`;
        server.setReply(word);
        chat.clearScreen();
        chat.type(`question ${index}`);
        await chat.until(`question ${index}`);
        chat.type('\r');
        const shown = await chat.until(word, true);
        tokens.push(shown - server.repliedAt());
        await chat.until(READY);
      }
      await chat.end();
      yield atMost('chat.firstToken', median(tokens), 'ms', 20);
      yield atMost('chat.key', median(keys), 'ms', 16);
      yield info('chat.keyP95', quantile(keys, 0.95), 'ms');
    } finally {
      await server.close();
    }
  },
};

/** Part of the status line, which is drawn last. */
const READY = '/help';

async function loadPty() {
  const { default: pty } = await import('@lydell/node-pty');
  return pty;
}

/** An OpenAI-compatible server that replies with one word and records when it sent it. */
async function createProvider() {
  let word = 'hello';
  let at = 0;
  const line = (value) => `data: ${JSON.stringify(value)}\n\n`;
  const chunk = (delta, finish_reason = null) => line({ id: 'c', choices: [{ index: 0, delta, finish_reason }] });
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
    setReply: (next) => {
      word = next;
    },
    repliedAt: () => at,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

async function createProject(context, url) {
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
  context.log(`recording ${SESSIONS} sessions`);
  const prompts = writeSessions(project.directory);
  const longSession = writeLongSession(project);
  opened.prompts.upsertAll(
    Array.from({ length: PROMPTS }, (_, index) => ({
      text: `${prompts[index % prompts.length] ?? 'prompt'} ${index}`,
      project: project.info.projectHash,
    })),
  );
  project.maintain();
  opened.catchUp();
  opened.close();
  return { home, cwd, longSession };
}

/** Writes the records of many sessions. Returns prompts of the user. */
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
  for (let tokens = 0; tokens < CONTEXT_TOKENS; tokens += 2_000) {
    project.history.append({ role: 'user', content: text, agent: 'yore', sessionId });
    project.history.append({ role: 'assistant', content: text, agent: 'yore', sessionId });
  }
  return sessionId;
}

/** Starts `yore chat` on a pseudo-terminal. */
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
    clearScreen: () => {
      screen = '';
    },
    /** Waits until the terminal shows a text. Resolves to the milliseconds since the start, or to the absolute time. */
    until: (text, absolute = false) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(
          () => reject(new Error(`the terminal does not show ${text}: ${screen.slice(-500)}`)),
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
