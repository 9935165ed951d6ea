import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ChatService } from '../../src/chat/index.ts';
import { MemoryResponder } from '../../src/chat/memory-responder/memory-responder.ts';
import { handleHook } from '../../src/hook/handle-hook.ts';
import type { Home, Project } from '../../src/project/index.ts';
import { openDatabase } from '../../src/sqlite/database.ts';
import { storePath } from '../../src/store/store-files.ts';
import { ClaudeSession, TestMachine } from '../import/machine.ts';

/** In every field of what is to be forgotten, together with the name of the field. */
const MARKER = 'quaxolotl';
const SESSION = 'aaaa1111-0000-4000-8000-000000000001';
const KEPT = 'bbbb1111-0000-4000-8000-000000000002';
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk';

/** The marker in plain, base64 (at each of three alignments) and JSON-escaped form. */
function forms(): readonly RegExp[] {
  const base64 = ['', '-', '--'].map((before) => {
    const start = Math.ceil((before.length * 4) / 3) + (before === '' ? 0 : 1);
    return Buffer.from(`${before}${MARKER}`).toString('base64').replaceAll('=', '').slice(start, -2);
  });
  const escaped = Array.from(MARKER, (letter) => `\\\\u00${letter.charCodeAt(0).toString(16)}`).join('');
  return [new RegExp(MARKER, 'i'), ...base64.map((text) => new RegExp(text)), new RegExp(escaped, 'i')];
}

/** The files of a home that contain the marker, with what stands around it. */
function traces(home: string): readonly string[] {
  return readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((item) => item.isFile())
    .flatMap((item) => {
      const path = join(item.parentPath, item.name);
      const text = readFileSync(path, 'latin1');
      const at = Math.max(...forms().map((form) => text.search(form)));
      const hidden = item.name.toLowerCase().includes(MARKER);
      return at < 0 && !hidden ? [] : [`${path.slice(home.length + 1)}: ${text.slice(Math.max(0, at - 60), at + 60)}`];
    });
}

function marked(field: string): string {
  return `${MARKER}${field}`;
}

/** A session with the marker in every field, and another one in the same project that does not mention it. */
function writeTranscripts(machine: TestMachine): void {
  const session = new ClaudeSession(SESSION, machine.app)
    .asks(`please frobnicate the ${marked('request')} deployment`)
    .runs('c1', `./${marked('command')} --deploy`, `${marked('error')}: command not found`, true)
    .says(`The tool ${marked('reply')} is missing, use make.`)
    .runs('c2', `make ${marked('target')}`, `built ${marked('output')}`)
    .edits('c3', { file_path: join(machine.app, `${marked('file')}.ts`), old_string: 'a', new_string: marked('edit') })
    .asks(`that worked, now deploy ${marked('second')}`)
    .says('Deployed it to the small machine in the cellar.');
  const lines = session.lines.map((line) => ({ ...line, gitBranch: marked('branch') }));
  const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PIXEL } };
  const open = { type: 'tool_use', id: 'c4', name: 'Bash', input: { command: marked('open') } };
  const more = [
    { ...lines[0], uuid: 'i', message: { role: 'user', content: [{ type: 'text', text: marked('image') }, image] } },
    { type: 'summary', summary: `Deploying ${marked('title')}`, leafUuid: 'i' },
    { ...lines.at(-1), type: 'assistant', uuid: 'o', message: { id: 'm', role: 'assistant', content: [open] } },
    { type: marked('unknown'), sessionId: SESSION, uuid: 'u' },
  ];
  machine.writeText(
    machine.transcript(SESSION),
    [...lines, ...more].map((line) => `${JSON.stringify(line)}\n`).join(''),
  );
  const helper = new ClaudeSession(SESSION, machine.app)
    .asks(`look into ${marked('subtask')}`)
    .runs('s1', `cat ${marked('subfile')}`, `${marked('suboutput')}: No such file`, true)
    .says(`Found ${marked('subreply')}.`);
  const helperLines = helper.lines.map((line) => ({ ...line, isSidechain: true, agentId: 'h1' }));
  machine.writeText(
    join(machine.user, '.claude', 'projects', 'app', SESSION, 'subagents', 'agent-h1.jsonl'),
    helperLines.map((line) => `${JSON.stringify(line)}\n`).join(''),
  );
  machine.write(
    new ClaudeSession(KEPT, machine.app, 500)
      .asks('write the changelog')
      .runs('k1', 'npm run changelog', 'missing script: changelog', true),
  );
}

/** A call that a hook of the session, or of a sub-agent of it, reports. */
async function callHooks(machine: TestMachine, fields: object = {}): Promise<void> {
  const environment = { home: join(machine.folder, 'yore'), env: {}, userHome: machine.user, now: () => machine.now };
  const base = { session_id: SESSION, cwd: machine.app, transcript_path: machine.transcript(SESSION), ...fields };
  const fire = (event: string, more: object) =>
    handleHook(
      { agent: 'claude-code', payload: JSON.stringify({ ...base, hook_event_name: event, ...more }) },
      { ...environment, elapsed: () => 0 },
    );
  const call = { tool_name: 'Bash', tool_input: { command: `./${marked('command')} --deploy` }, tool_use_id: 'h' };
  await fire('UserPromptSubmit', { prompt: `deploy the ${marked('hookprompt')} again` });
  await fire('PreToolUse', call);
  await fire('PostToolUseFailure', { ...call, error: `Exit code 127\n${marked('hookerror')}: command not found` });
}

/** Asks the chat, which answers from memory, about what is to be forgotten. */
async function chat(home: Home, project: Project, machine: TestMachine): Promise<void> {
  const service = new ChatService({
    home,
    project,
    root: machine.app,
    responder: new MemoryResponder({ project, home, now: () => machine.now }),
    env: {},
    compactionDelayMs: 1,
  });
  for (const question of ['what failed?', 'what have we worked on?', 'which commands keep failing?']) {
    await service.send(question);
  }
  await service.close();
}

async function fillHome(machine: TestMachine): Promise<{ readonly home: Home; readonly project: Project }> {
  writeTranscripts(machine);
  await machine.import();
  await callHooks(machine);
  await callHooks(machine, { agent_id: 'h2', agent_type: 'helper' });
  const { home } = machine;
  const project = home.openProject(machine.app);
  const { memory } = project;
  memory.choose('pin', memory.failures().find(({ what }) => what.includes(MARKER))?.id ?? '');
  project.maintain();
  home.search({ text: marked('reply') });
  project.labelSession(SESSION, { title: marked('name'), starred: true, tags: [marked('label')] });
  const usage = { inputTokens: 10, outputTokens: 5 };
  project.history.append({ sessionId: SESSION, role: 'assistant', content: 'x', model: marked('model'), usage });
  writeFileSync(join(machine.app, 'blamed.ts'), `${marked('edit')}\n`);
  home.files.blame(project.info.projectHash, machine.app, 'blamed.ts');
  expect(home.files.list({ project: project.info.projectHash }).files.length).toBeGreaterThan(0);
  expect(JSON.stringify(home.usage())).toContain(marked('model'));
  await chat(home, project, machine);
  // What a writer leaves when it is killed.
  for (const place of [home.path, project.directory, join(home.path, 'imports')]) {
    writeFileSync(join(place, 'prompts.json.999999-0a1b2c3d.tmp'), marked('temporary'));
  }
  // What yore 0.1 made of the logs.
  for (const name of ['digest.json', 'digest-1.jsonl', 'guard.idx', 'recall.idx', 'recall.recent', 'briefing.json'])
    writeFileSync(join(project.directory, name), marked('derived'));
  // Those of an older and a newer yore that use the same home.
  for (const name of ['search.db', 'store-1.db', 'store-9999.db', 'store-9999.db-wal'])
    writeFileSync(join(home.path, name), marked('database'));
  const where = traces(home.path).join('\n');
  for (const place of [
    'imports/',
    'imports/unknown-claude-code.json',
    'history.jsonl',
    'warnings.jsonl',
    'store-',
    'prompts.json',
    'knowledge.json',
    'guard.idx',
  ]) {
    expect(where).toContain(place);
  }
  return { home, project };
}

test('forgetting a session leaves no trace of it in any file of the home', async () => {
  const machine = new TestMachine();
  const { home, project } = await fillHome(machine);
  const other = machine.home;
  expect(other.search({ text: MARKER }).hits).not.toEqual([]);
  home.forgetSession(project, SESSION);
  expect(traces(home.path)).toEqual([]);
  expect(other.search({ text: MARKER }).hits).toEqual([]);
  other.close();
  expect(home.listSessions().sessions.map(({ sessionId }) => sessionId)).toContain(KEPT);
  expect(home.search({ text: 'changelog' }).hits).not.toEqual([]);
  home.close();
  expect(traces(home.path)).toEqual([]);
});

test('importing again after forgetting a session brings nothing of it back', async () => {
  const machine = new TestMachine();
  const { home, project } = await fillHome(machine);
  home.forgetSession(project, SESSION);
  home.close();
  await machine.import();
  const again = machine.home;
  again.openProject(machine.app).maintain();
  again.close();
  expect(traces(join(machine.folder, 'yore'))).toEqual([]);
});

test('forgetting a project leaves no trace of its sessions in any file of the home', async () => {
  const machine = new TestMachine();
  const { home, project } = await fillHome(machine);
  home.forgetProject(project);
  home.close();
  expect(traces(home.path)).toEqual([]);
});

test('forgetting a session deletes the replies in the chat that quote it, and no others', async () => {
  const machine = new TestMachine();
  const { home, project } = await fillHome(machine);
  const reply = (content: string): string =>
    project.history.append({ role: 'assistant', content, agent: 'yore', model: 'large-1', sessionId: 'chat-1' }).id;
  project.history.append({ role: 'user', content: 'what now?', agent: 'yore', sessionId: 'chat-1' });
  reply(`Last time ${marked('command')} was missing.`);
  reply('It went to the small machine in the cellar then.');
  const kept = [
    reply('Deploying means to copy what was built to a machine.'),
    reply('The script changelog is missing, see session bbbb1111.'),
  ];
  home.forgetSession(project, SESSION);
  const left = home.openProject(machine.app).history.getSessionMessages('chat-1');
  expect(left.filter(({ role }) => role === 'assistant').map(({ id }) => id)).toEqual(kept);
  expect(traces(home.path)).toEqual([]);
  home.close();
});

test('a deletion that another process keeps from finishing is reported, and finished when the home is opened again', async () => {
  const machine = new TestMachine();
  const { home, project } = await fillHome(machine);
  const reader = openDatabase(storePath(home.path));
  reader.exec('BEGIN');
  reader.prepare('SELECT count(*) FROM document').get();
  expect(() => home.forgetSession(project, SESSION)).toThrow('It is finished when yore opens its home again.');
  expect(home.search({ text: MARKER }).hits).toEqual([]);
  expect(home.check().filter(({ area }) => area === 'forget')).toMatchObject([{ ok: false }]);
  home.close();
  reader.exec('COMMIT');
  reader.close();
  const again = machine.home;
  expect(again.check().filter(({ area }) => area === 'forget')).toMatchObject([{ ok: true }]);
  again.close();
  expect(traces(home.path)).toEqual([]);
});

test('hooks do not quote what cannot be deleted yet, because another process is recording calls of it', async () => {
  const machine = new TestMachine();
  const { home, project } = await fillHome(machine);
  await callHooks(machine);
  const lock = join(project.directory, 'spool.lock');
  writeFileSync(lock, JSON.stringify({ pid: process.ppid, host: hostname(), since: Date.now() }));
  expect(() => home.forgetSession(project, SESSION)).toThrow('Another process is recording calls');
  const environment = { home: home.path, env: {}, userHome: machine.user, now: () => machine.now, elapsed: () => 0 };
  const reply = async (event: string, fields: object) => {
    const payload = { session_id: 'new', cwd: machine.app, hook_event_name: event, ...fields };
    return await handleHook({ agent: 'claude-code', payload: JSON.stringify(payload) }, environment);
  };
  expect(await reply('SessionStart', { source: 'startup' })).not.toContain(MARKER);
  expect(await reply('UserPromptSubmit', { prompt: 'please frobnicate the deployment' })).not.toContain(MARKER);
  rmSync(lock);
  home.close();
  machine.home.close();
  expect(traces(home.path)).toEqual([]);
});

test('forgetting a session leaves no trace in warnings and pins that are about attempts of other sessions', async () => {
  const machine = new TestMachine();
  const { home } = machine;
  const project = home.openProject(machine.app);
  const recorder = project.recorder();
  const run = (sessionId: string, command: string, output: string, exitCode = 1) => {
    machine.now += 60_000;
    const call = { sessionId, tool: 'Bash', input: { command }, timestamp: new Date(machine.now).toISOString() };
    recorder.record(call, { status: exitCode === 0 ? 'ok' : 'error', exitCode, output });
  };
  const notFound = 'npm error code E404\nnpm error 404 Not Found';
  run(SESSION, 'npm install aquarium-lib', `${notFound} ${marked('error')}`);
  run(SESSION, `npm install aquarium-${marked('package')}`, 'added 1 package', 0);
  const [failure] = project.memory.failures();
  project.memory.choose('pin', failure?.id ?? '');
  run(KEPT, 'npm install aquarium-lib', notFound);
  const call = { sessionId: 'later', tool: 'Bash', input: { command: 'npm install aquarium-lib' }, cwd: machine.app };
  expect(recorder.warn({ ...call, timestamp: new Date(machine.now).toISOString() })?.warning.text).toContain(MARKER);
  home.forgetSession(project, SESSION);
  expect(traces(home.path)).toEqual([]);
  home.close();
});
