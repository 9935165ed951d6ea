import { appendFileSync, existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type AgentReport, readUnknownParts } from '../../src/import/index.ts';
import { YoreError } from '../../src/record/index.ts';
import { ClaudeSession, TestMachine } from './machine.ts';

const HOUR = 3_600_000;

function session(machine: TestMachine, id = 'aaaa1111-0000-4000-8000-000000000001'): ClaudeSession {
  return new ClaudeSession(id, machine.app)
    .asks('add caching with redis')
    .runs(`${id}-1`, 'npm install redis-node', "npm error 404  'redis-node@*' is not in this registry.", true)
    .says('That package does not exist; ioredis does.')
    .runs(`${id}-2`, 'npm install ioredis', 'added 9 packages')
    .asks('that worked, thanks');
}

function only(agents: readonly AgentReport[]): AgentReport {
  const [first] = agents;
  if (first === undefined || agents.length > 1) throw new Error(`${agents.length} agents`);
  return first;
}

describe('importing transcripts', () => {
  it('imports messages, attempts, prompts and knowledge', async () => {
    const machine = new TestMachine();
    machine.write(session(machine));
    const report = await machine.import();
    expect(only(report.agents)).toMatchObject({
      agent: 'claude-code',
      found: 1,
      read: 1,
      unchanged: 0,
      lines: 7,
      sessions: 1,
      counts: { messages: 3, attempts: { success: 2, failure: 1 }, duplicates: 0, problems: 0 },
    });
    expect(report).toMatchObject({ projects: ['app'], prompts: 2 });
    const { home } = machine;
    const project = home.findProject(machine.app);
    expect(project?.memory.recap().totals).toMatchObject({ sessions: 1, failures: 1 });
    expect(home.search({ text: 'redis-node' }).hits.length).toBeGreaterThan(0);
    expect(home.prompts.list(project?.info.projectHash)).toMatchObject([
      { text: 'that worked, thanks', useCount: 1, lastUsed: '2026-03-02T09:06:00.000Z' },
      { text: 'add caching with redis', useCount: 1, lastUsed: '2026-03-02T09:00:00.000Z' },
    ]);
    expect(home.projects()).toMatchObject([{ lastActiveAt: '2026-03-02T09:06:00.000Z' }]);
    home.close();
  });

  it('does nothing the second time and does not open unchanged transcripts', async () => {
    const machine = new TestMachine();
    const path = machine.write(session(machine));
    await machine.import();
    const before = machine.home.status();
    expect(only((await machine.import()).agents)).toMatchObject({
      found: 1,
      read: 0,
      unchanged: 1,
      lines: 0,
    });
    rmSync(join(machine.folder, 'yore', 'imports'), { recursive: true });
    const again = only((await machine.import()).agents);
    expect(again).toMatchObject({ read: 1, lines: 7, counts: { messages: 0, attempts: {}, duplicates: 5 } });
    expect(machine.home.status()).toMatchObject({
      messages: before.messages,
      failures: before.failures,
      successes: before.successes,
    });
    expect(machine.home.prompts.list().every(({ useCount }) => useCount === 1)).toBe(true);
    expect(statSync(path).size).toBeGreaterThan(0);
  });

  it('reads only what was appended to a transcript', async () => {
    const machine = new TestMachine();
    const story = session(machine);
    const path = machine.write(story);
    await machine.import();
    const known = story.text.length;
    story.runs('c3', 'npm test', 'all 12 passed').asks('and now the docs');
    appendFileSync(path, story.text.slice(known));
    const report = only((await machine.import()).agents);
    expect(report).toMatchObject({ read: 1, lines: 3, counts: { messages: 1, attempts: { success: 1 } } });
    const { home } = machine;
    const records = home.findProject(machine.app)?.session(story.id).records ?? [];
    expect(records.find((entry) => 'callId' in entry && entry.callId === 'c3')).toMatchObject({
      context: 'add caching with redis',
    });
    home.close();
  });

  it('keeps what it imported when the agent deletes its transcript', async () => {
    const machine = new TestMachine();
    const story = session(machine);
    const path = machine.write(story);
    await machine.import();
    const before = machine.home.findProject(machine.app)?.session(story.id);
    rmSync(path);
    // Two months later the failures are archived.
    machine.now += 60 * 24 * HOUR;
    machine.home.findProject(machine.app)?.maintain();
    const report = await machine.import();
    expect(report.agents).toEqual([]);
    const { home } = machine;
    const project = home.findProject(machine.app);
    expect(readdirSync(join(project?.directory ?? '', 'archive'))).not.toEqual([]);
    expect(project?.session(story.id)).toEqual(before);
    for (const text of ['redis-node', 'ioredis', 'caching']) {
      expect(home.search({ text }).hits.length).toBeGreaterThan(0);
    }
    home.close();
  });

  it('does not import archived records again', async () => {
    const machine = new TestMachine();
    machine.write(session(machine));
    machine.now += 60 * 24 * HOUR;
    await machine.import();
    await machine.import();
    rmSync(join(machine.folder, 'yore', 'imports'), { recursive: true });
    expect(only((await machine.import()).agents).counts).toMatchObject({ messages: 0, attempts: {} });
  });

  it('does not bring back a deleted session', async () => {
    const machine = new TestMachine();
    const story = session(machine);
    machine.write(story);
    await machine.import();
    const { home } = machine;
    const project = home.openProject(machine.app);
    home.forgetSession(project, story.id);
    home.close();
    rmSync(join(machine.folder, 'yore', 'imports'), { recursive: true });
    const report = only((await machine.import()).agents);
    expect(report.counts).toMatchObject({ messages: 0, attempts: {} });
    expect(report.counts.skipped.get('forgotten session')).toBe(5);
    expect(machine.home.status().messages).toBe(0);
  });

  it('adds nothing to what hooks recorded', async () => {
    const machine = new TestMachine();
    const story = new ClaudeSession('bbbb1111-0000-4000-8000-000000000001', machine.app)
      .asks('run the tests')
      .runs('c1', 'npm test', 'all good')
      .asks('again');
    machine.write(story);
    const { home } = machine;
    const recorder = home.openProject(machine.app).recorder();
    const live = { sessionId: story.id, agent: 'claude-code' };
    recorder.recordPrompt({ ...live, text: 'run the tests', timestamp: '2026-03-02T09:00:01.000Z' });
    recorder.record(
      {
        ...live,
        callId: 'c1',
        tool: 'Bash',
        input: { command: 'npm test' },
        timestamp: '2026-03-02T09:02:00.000Z',
      },
      { status: 'ok', output: 'all good' },
    );
    recorder.recordPrompt({ ...live, text: 'again', timestamp: '2026-03-02T09:03:00.500Z' });
    const before = home.status();
    home.close();
    const report = only((await machine.import()).agents);
    expect(report.counts).toMatchObject({ messages: 0, attempts: {}, duplicates: 3 });
    expect(machine.home.status()).toMatchObject({ messages: before.messages, successes: before.successes });
  });

  it('continues when lines are invalid, and reports each reason once with a count', async () => {
    const machine = new TestMachine();
    const good = session(machine);
    machine.write(good);
    const broken = new ClaudeSession('cccc1111-0000-4000-8000-000000000001', machine.app, 60).asks('one');
    const path = machine.writeText(
      machine.transcript(broken.id),
      `${broken.text}{"type":"user","mess\n{"type":"sparkle"}\n{"type":"sparkle","n":2}\n${broken.asks('two').text.split('\n')[1]}\n`,
    );
    const report = only((await machine.import()).agents);
    expect(report).toMatchObject({ found: 2, read: 2, counts: { messages: 5, problems: 3 } });
    expect(report.problems).toEqual([
      { path, line: 2, reason: 'not a JSON object', count: 1 },
      { path, line: 3, reason: 'unknown line: sparkle', count: 2 },
    ]);
  });

  it('keeps what it did not understand, for yore doctor', async () => {
    const machine = new TestMachine();
    const path = machine.writeText(
      machine.transcript('dddd1111-0000-4000-8000-000000000001'),
      '{"type":"sparkle"}\n'.repeat(3),
    );
    await machine.import();
    expect(readUnknownParts(machine.home.path, 'claude-code', machine.now)).toEqual([
      { reason: 'unknown line: sparkle', count: 3, path, lastAt: expect.any(Number), isWhole: false },
      { reason: 'transcript without a message or call', count: 1, path, lastAt: expect.any(Number), isWhole: true },
    ]);
  });

  it('imports nothing while recording is off, and catches up later', async () => {
    const machine = new TestMachine();
    machine.write(session(machine));
    machine.home.openProject(machine.app).setRecording(false);
    const off = only((await machine.import()).agents);
    expect(off.counts).toMatchObject({ messages: 0, attempts: {} });
    expect(off.counts.skipped.get('recording is off')).toBe(7);
    machine.home.setRecording(false);
    expect(only((await machine.import()).agents).unread).toMatchObject([{ reason: 'recording is paused' }]);
    machine.home.setRecording(true);
    machine.home.openProject(machine.app).setRecording(true);
    expect(only((await machine.import()).agents).counts).toMatchObject({ messages: 3 });
  });

  it('writes nothing in a dry run but reports what it would do', async () => {
    const machine = new TestMachine();
    machine.write(session(machine));
    const report = await machine.import({ dryRun: true });
    expect(report.isDryRun).toBe(true);
    expect(only(report.agents).counts).toMatchObject({ messages: 3, attempts: { success: 2, failure: 1 } });
    expect(existsSync(join(machine.folder, 'yore'))).toBe(false);
  });

  it('creates projects for folders that no longer exist, and reads forks after their parents', async () => {
    const machine = new TestMachine();
    const parent = session(machine);
    const gone = join(machine.user, 'gone');
    const fork = new ClaudeSession('0000aaaa-0000-4000-8000-000000000002', machine.app);
    for (const line of parent.lines)
      fork.lines.push({ ...line, sessionId: fork.id, forkedFrom: { sessionId: parent.id } });
    machine.write(new ClaudeSession('dddd1111-0000-4000-8000-000000000001', gone).asks('where am I?'));
    machine.write(fork);
    machine.write(parent);
    const report = await machine.import();
    expect(only(report.agents).counts).toMatchObject({ messages: 4, attempts: { success: 2, failure: 1 } });
    const { home } = machine;
    expect(home.projects().map(({ projectPath }) => projectPath)).toEqual(expect.arrayContaining([gone, machine.app]));
    expect(home.findProject(machine.app)?.history.listSessions()).toMatchObject([{ sessionId: parent.id }]);
    home.close();
  });

  it('skips transcripts not modified since a time', async () => {
    const machine = new TestMachine();
    machine.write(session(machine));
    const report = only((await machine.import({ since: Date.now() + HOUR })).agents);
    expect(report).toMatchObject({ found: 1, older: 1, read: 0 });
  });

  it('imports transcripts by path and refuses other files', async () => {
    const machine = new TestMachine();
    const story = session(machine);
    const path = machine.writeText(join(machine.folder, 'elsewhere', 'old.jsonl'), story.text);
    const report = only((await machine.import({ paths: [path] })).agents);
    expect(report).toMatchObject({ agent: 'claude-code', found: 1, counts: { messages: 3 } });
    const text = machine.writeText(join(machine.folder, 'notes.txt'), 'buy milk');
    await expect(machine.import({ paths: [text] })).rejects.toMatchObject({ code: 'USAGE' });
    await expect(machine.import({ paths: [`${text}.gone`] })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('can be stopped at any time and continues from there', async () => {
    const machine = new TestMachine();
    for (let n = 0; n < 5; n++) machine.write(session(machine, `eeee111${n}-0000-4000-8000-000000000001`));
    let reports = 0;
    const stop = (): void => {
      if (++reports > 2) throw new YoreError('BUSY', 'stopped');
    };
    await expect(machine.import({ onProgress: stop })).rejects.toThrow('stopped');
    const rest = only((await machine.import()).agents);
    expect(rest.unchanged).toBeGreaterThan(0);
    expect(rest.read).toBeGreaterThan(0);
    expect(machine.home.status()).toMatchObject({ messages: 15, failures: 5, successes: 5 });
  });

  it('skips a transcript that another process is reading', async () => {
    const machine = new TestMachine();
    machine.write(session(machine));
    await machine.import();
    const imports = join(machine.folder, 'yore', 'imports');
    const [name] = readdirSync(imports);
    machine.writeText(join(imports, name ?? ''), '{}');
    machine.writeText(
      join(imports, (name ?? '').replace('.json', '.lock')),
      JSON.stringify({ pid: process.pid, host: (await import('node:os')).hostname(), since: Date.now() }),
    );
    mkdirSync(imports, { recursive: true });
    expect(only((await machine.import()).agents).unread).toMatchObject([{ reason: 'another process is reading it' }]);
  });
});
