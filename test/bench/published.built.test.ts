import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createRepository, git } from '../registry/git.ts';
import { temporaryFolder } from '../temp-folder.ts';
import {
  claudeCodeTranscript,
  codexTranscript,
  createPublished,
  metadata,
  type Session,
} from './published-repository.ts';

const BENCH = fileURLToPath(new URL('../../bench/', import.meta.url));
const LAMP = '5f0c1a52-0000-4000-8000-00000000000a';
const HORN = '019c0000-0000-7000-8000-00000000000b';
const WRONG_OPTION = { run: 'cargo build --quick', output: "error: unexpected argument '--quick' found", exit: 2 };

const lamp: Session = {
  id: LAMP,
  day: '2026-03-01',
  steps: [
    { at: '10:00', prompt: 'The lamp keeps rotating after sunrise. Stop it when the sun is up.' },
    { at: '10:01', ...WRONG_OPTION },
    { at: '10:02', replace: 'rotate()', by: 'rotate_until(sunrise)' },
    {
      at: '10:03',
      run: 'git commit -am "Stop the lamp at sunrise"',
      output: '[main 1a2b3c4] Stop the lamp at sunrise',
    },
    { at: '10:05', prompt: 'Now dim it during fog instead of switching it off' },
    { at: '10:06', replace: 'off()', by: 'dim(fog)' },
    { at: '10:20', run: 'git log --oneline', output: 'Reduce brightness in mist\nStop the lamp at sunrise' },
  ],
};
const horn: Session = {
  id: HORN,
  day: '2026-03-02',
  steps: [
    { at: '11:00', prompt: 'Add a foghorn that sounds twice a minute' },
    { at: '11:01', ...WRONG_OPTION },
    { at: '11:02', run: 'cargo build', output: 'Finished dev profile' },
    { at: '11:20', run: 'git log --oneline', output: 'Document the schedule of the horn' },
    { at: '11:29', run: 'git commit -m "Paint the tower"', output: '[main 5d6e7f8] Paint the tower' },
  ],
};

/** A repository with a session of Claude Code in two checkpoints, and one of Codex in three. */
function publishLighthouse(folder: string) {
  const published = createPublished(folder);
  const store = (id: string, session: Session, at: string, until: number) => {
    const part = { ...session, steps: session.steps.slice(0, until) };
    const transcript = session === lamp ? claudeCodeTranscript(part) : codexTranscript(part);
    published.checkpoint(id, [{ metadata: metadata(session.id, `${session.day}T${at}:30Z`), transcript }]);
  };
  store('aa0000000001', lamp, '10:03', 4);
  published.commit('Stop the lamp at sunrise', '2026-03-01T10:03:30Z', 'aa0000000001');
  store('ab0000000002', lamp, '10:10', 7);
  published.commit('Reduce brightness in mist (#12)', '2026-03-01T18:00:00Z', 'ab0000000002');
  store('bb0000000003', horn, '11:05', 3);
  published.commit('Sound the foghorn twice a minute', '2026-03-02T11:05:30Z', 'bb0000000003');
  store('bc0000000004', horn, '11:10', 3);
  published.commit('Document the schedule of the horn', '2026-03-02T11:10:30Z', 'bc0000000004');
  store('bd0000000005', horn, '11:30', 5);
  published.commit('Paint the tower', '2026-03-02T11:30:30Z', 'bd0000000005');
  published.commit('fixup! Paint the tower', '2026-03-02T11:31:30Z', 'bd0000000005');
  published.commit('Polish the brass', '2026-03-02T12:00:00Z', 'ee0000000009');
  const { repository } = published;
  git(repository, 'checkout', '-q', '-b', 'side', 'HEAD~1');
  git(repository, 'commit', '-q', '--allow-empty', '-m', 'Count the steps');
  git(repository, 'merge', '-q', '--no-ff', '-m', 'Merge main', '-m', 'Entire-Checkpoint: bd0000000005', 'main');
  return published;
}

function run(script: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(BENCH, script), ...args], { encoding: 'utf8' });
  return { status, stdout, stderr };
}

function makeCorpus(...args: string[]) {
  const { status, stdout, stderr } = run('make-corpus.mjs', ...args, '--json');
  expect({ status, stderr }).toMatchObject({ status: 0, stderr: expect.stringMatching(/read \d+ sessions/) });
  return JSON.parse(stdout);
}

function score(...args: string[]) {
  const { status, stdout, stderr } = run('score.mjs', ...args);
  expect({ status, stderr }).toMatchObject({ status: 0 });
  return JSON.parse(stdout);
}

function readEvents(path: string): readonly Record<string, unknown>[] {
  const text = gunzipSync(readFileSync(path)).toString();
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

/** A program that replies to queries with the given sessions in turn, and warns of every call of a tool. */
function writeProgram(folder: string, replies: readonly (readonly string[])[], tool = ''): readonly string[] {
  const path = join(folder, 'program.mjs');
  writeFileSync(
    path,
    `import { createInterface } from 'node:readline';
    const replies = ${JSON.stringify(replies)};
    const reply = (request) => {
      if (request.type === 'ready') return { type: 'ready' };
      if (request.type === 'query') return { sessions: replies.shift() };
      if (request.type !== 'call' || ${JSON.stringify(tool)} === '') return undefined;
      return { id: request.id, warn: request.tool === ${JSON.stringify(tool)} };
    };
    createInterface({ input: process.stdin }).on('line', (line) => {
      const answer = reply(JSON.parse(line));
      if (answer) console.log(JSON.stringify(answer));
    });`,
  );
  return [process.execPath, path];
}

describe('npm run corpus', () => {
  it('makes questions of commits whose checkpoint has a session, and replays each session once', () => {
    const folder = temporaryFolder();
    const { repository, publish } = publishLighthouse(folder);
    publish();
    const out = join(folder, 'corpora');
    const made = makeCorpus(repository, out);
    expect(made).toMatchObject({
      ...{ name: 'lighthouse', sessions: 2, prompts: 3, calls: 9, failures: 2 },
      questions: { said: 2, other: 2 },
      leftOut: { merges: 1, provisional: 1, noSession: 1, manySessions: 0, saidOnlyAfterwards: 1 },
      problems: [],
    });
    expect(made.checkpoints).toBe(git(repository, 'rev-parse', 'entire/checkpoints/v1'));
    const { queries } = JSON.parse(readFileSync(made.files.questions, 'utf8'));
    expect(queries.map(({ text, sessions, group }: Record<string, unknown>) => ({ text, sessions, group }))).toEqual([
      { text: 'Paint the tower', sessions: [HORN], group: 'said' },
      { text: 'Reduce brightness in mist', sessions: [LAMP], group: 'other' },
      { text: 'Sound the foghorn twice a minute', sessions: [HORN], group: 'other' },
      { text: 'Stop the lamp at sunrise', sessions: [LAMP], group: 'said' },
    ]);
    const replayed = readEvents(made.files.replay);
    expect(replayed[1]).toEqual({
      ...{ type: 'call', id: 'c1', session: LAMP, agent: 'claude-code', ts: '2026-03-01T10:01:00.000Z' },
      ...{ branch: 'main', tool: 'Bash', input: { command: WRONG_OPTION.run }, cwd: '/home/ada/lighthouse' },
    });
    expect(replayed[2]).toMatchObject({ type: 'outcome', id: 'c1', status: 'error', exit: 2 });
    expect(statSync(made.files.replay).mode & 0o077).toBe(0);
  });

  it('leaves out of the searched sessions what came after their last commit', () => {
    const folder = temporaryFolder();
    const { repository, publish } = publishLighthouse(folder);
    publish();
    const { files } = makeCorpus(repository, join(folder, 'corpora'));
    expect(JSON.stringify(readEvents(files.replay))).toContain('Reduce brightness in mist');
    expect(JSON.stringify(readEvents(files.sessions))).not.toContain('Reduce brightness in mist');
    // Its outcome ended after the commit, but it began before.
    expect(JSON.stringify(readEvents(files.sessions))).toContain('[main 5d6e7f8] Paint the tower');
  });

  it('reads older checkpoints, transcripts in parts or with a long beginning, and copies in a resumed session only once', () => {
    const folder = temporaryFolder();
    const { repository, store, checkpoint, commit, publish } = createPublished(folder);
    const resumed: Session = {
      id: '5f0c1a52-0000-4000-8000-00000000000d',
      day: '2026-03-04',
      steps: [
        { at: '09:00', prompt: 'Count the ships' },
        { at: '09:01', run: 'make ships', output: 'done' },
      ],
    };
    const lines = claudeCodeTranscript(lamp).split(/(?<=\n)/);
    store('aa0000000001', {
      'metadata.json': metadata(`2026-03-01-${LAMP}`, '2026-03-01T10:10:30Z'),
      'full.jsonl': lines.slice(0, 5).join(''),
      'full.jsonl.001': lines.slice(5).join(''),
    });
    const copied = claudeCodeTranscript(lamp) + claudeCodeTranscript(resumed);
    checkpoint('dd0000000007', [{ metadata: metadata(resumed.id, '2026-03-04T09:05:00Z'), transcript: copied }]);
    const long: Session = {
      id: '5f0c1a52-0000-4000-8000-00000000000e',
      day: '2026-03-05',
      steps: [{ at: '09:00', prompt: `Describe this chart: ${'~'.repeat(70_000)}` }],
    };
    const described = metadata(long.id, '2026-03-05T09:05:00Z', 'Claude Code');
    checkpoint('dd0000000008', [{ metadata: described, transcript: claudeCodeTranscript(long) }]);
    commit('Reduce brightness in mist', '2026-03-01T10:10:30Z', 'aa0000000001');
    commit('Tally passing vessels', '2026-03-04T09:05:00Z', 'dd0000000007');
    publish();
    const made = makeCorpus(repository, join(folder, 'corpora'));
    expect(made).toMatchObject({ sessions: 3, prompts: 4, calls: 6, questions: { said: 0, other: 2 }, problems: [] });
    const { queries } = JSON.parse(readFileSync(made.files.questions, 'utf8'));
    expect(queries).toMatchObject([{ sessions: [LAMP] }, { sessions: [resumed.id] }]);
  });

  it('names what is damaged or missing, and keeps the rest', () => {
    const folder = temporaryFolder();
    const { repository, checkpoint, commit, publish } = publishLighthouse(folder);
    const roof: Session = {
      id: '5f0c1a52-0000-4000-8000-00000000000c',
      day: '2026-03-03',
      steps: [
        { at: '09:00', prompt: 'Mend the roof' },
        { at: '09:01', run: 'make roof', output: 'done' },
      ],
    };
    checkpoint('cc0000000006', [
      { metadata: '{"session_id": ', transcript: claudeCodeTranscript(roof) },
      { metadata: metadata('lost', '2026-03-03T09:05:00Z') },
      { metadata: metadata('odd', '2026-03-03T09:05:00Z', 'Codex'), transcript: 'not a transcript\n' },
    ]);
    commit('Replace broken shingles', '2026-03-03T09:05:00Z', 'cc0000000006');
    publish();
    const clone = join(folder, 'shallow');
    git(folder, 'clone', '-q', '--depth', '1', '--no-single-branch', `file://${repository}`, clone);
    const { sessions, questions, problems } = makeCorpus(repository, join(folder, 'corpora'));
    expect({ sessions, questions }).toEqual({ sessions: 3, questions: { said: 2, other: 3 } });
    expect(problems).toEqual([
      'cc/0000000006/0: metadata.json is damaged; the session is named by its transcript',
      'cc/0000000006/1: full.jsonl is missing',
      'cc/0000000006/2: full.jsonl is not a transcript of an agent that yore can read',
    ]);
    const shallow = makeCorpus(clone, join(folder, 'shallow-corpora'));
    expect(shallow.sessions).toBe(3);
    expect(shallow.problems[0]).toContain('is a shallow clone');
    expect(shallow.questions.said + shallow.questions.other).toBeLessThan(5);
  });

  it('explains why nothing can be made', () => {
    const folder = temporaryFolder();
    const plain = createRepository(join(folder, 'plain'));
    const attempt = (...args: string[]) => run('make-corpus.mjs', ...args);
    expect(attempt(plain, join(folder, 'out'))).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('git fetch origin entire/checkpoints/v1:entire/checkpoints/v1'),
    });
    expect(attempt(plain, join(folder, 'out'), '--checkpoints', 'nowhere').stderr).toContain(
      'has no branch or commit nowhere',
    );
    expect(attempt(join(folder), join(folder, 'out')).stderr).toContain('is not a git repository');
    expect(existsSync(join(folder, 'out'))).toBe(false);
    expect(attempt(plain)).toMatchObject({ status: 2, stderr: expect.stringContaining('Examples:') });
    expect(attempt('--help')).toMatchObject({ status: 0, stdout: expect.stringContaining('Examples:') });
  });
});

describe('npm run score', () => {
  it('measures how well yore finds sessions and warns, on a corpus that was made from a repository', () => {
    const folder = temporaryFolder();
    const { repository, publish } = publishLighthouse(folder);
    publish();
    const out = join(folder, 'corpora');
    makeCorpus(repository, out);
    const found = score('find', out, '--json');
    expect(found.groups).toEqual({
      said: { questions: 2, 'any@1': 100, 'any@5': 100, 'any@10': 100, mrr: 100 },
      other: { questions: 2, 'any@1': 50, 'any@5': 50, 'any@10': 50, mrr: 50 },
    });
    const { all } = score('replay', out, '--json');
    expect(all).toMatchObject({
      ...{ calls: 9, failures: 2, warned: 1, definite: 1, right: 1, precision: 100, helpful: 100, falsePer1000: 0 },
      repeats: { calls: 1, caught: 1, percent: 100 },
      avoidable: { calls: 1, caught: 1, percent: 100 },
      kin: { calls: 0, caught: 0, percent: null },
    });
  });

  it('counts ranks and warnings of any program', () => {
    const folder = temporaryFolder();
    const { repository, publish } = publishLighthouse(folder);
    publish();
    const out = join(folder, 'corpora');
    makeCorpus(repository, out);
    const others = Array.from({ length: 12 }, (_, index) => `other-${index}`);
    const replies = [[HORN], [...others.slice(0, 3), LAMP], [...others.slice(0, 5), HORN], [...others, LAMP]];
    const { groups, all } = score('find', out, '--json', '--', ...writeProgram(folder, replies));
    expect(groups).toEqual({
      said: { questions: 2, 'any@1': 50, 'any@5': 50, 'any@10': 50, mrr: 50 },
      other: { questions: 2, 'any@1': 0, 'any@5': 50, 'any@10': 100, mrr: (100 * (1 / 4 + 1 / 6)) / 2 },
    });
    expect(all).toMatchObject({ questions: 4, 'any@1': 25, 'any@5': 50, 'any@10': 75 });
    const replayed = score('replay', out, '--json', '--', ...writeProgram(folder, [], 'Bash'));
    expect(replayed.all).toMatchObject({
      ...{ calls: 9, warned: 3, definite: 3, right: 1, falsePer1000: (1_000 * 2) / 9, helpful: null },
      crossSession: { calls: 1, caught: 0 },
    });
    const table = run('score.mjs', 'replay', out, '--', ...writeProgram(folder, [], 'Bash'));
    expect(table.stdout).toMatch(/^all +9 +2 +3 +33\.3 +– +222\.2 +0\/0 +0\/1 +0\/1 +0\/0$/m);
  });

  it('says what is missing, and when the program fails', () => {
    const folder = temporaryFolder();
    expect(run('score.mjs', 'find', folder)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('npm run corpus'),
    });
    expect(run('score.mjs', 'nonsense', folder)).toMatchObject({ status: 2, stderr: expect.stringContaining('find') });
    const { repository, publish } = publishLighthouse(folder);
    publish();
    makeCorpus(repository, join(folder, 'corpora'));
    expect(run('score.mjs', 'find', join(folder, 'corpora'), '--', 'false')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('false ended early (exit code 1)'),
    });
  });
});

describe('npm run bench', () => {
  it("measures find, replay and recall on a corpus of one's own, without limits", () => {
    const folder = temporaryFolder();
    const { repository, publish } = publishLighthouse(folder);
    publish();
    const out = join(folder, 'corpora');
    makeCorpus(repository, out);
    const { status, stdout, stderr } = run('run.mjs', 'find', 'replay', 'recall.find.said', '--corpus', out, '--json');
    expect({ status, stderr }).toMatchObject({
      status: 0,
      stderr: expect.stringContaining('lighthouse: asking 4 questions'),
    });
    const figures = JSON.parse(stdout).filter(({ unit }: { unit: string }) => unit !== 'ms');
    expect(figures.every(({ limit }: { limit: unknown }) => limit === null)).toBe(true);
    expect(Object.fromEntries(figures.map((each: { name: string; value: number }) => [each.name, each.value]))).toEqual(
      {
        ...{ 'find.other.any@1': 50, 'find.other.any@5': 50, 'find.other.any@10': 50, 'find.other.mrr': 50 },
        ...{ 'find.said.any@1': 100, 'find.said.any@5': 100, 'find.said.any@10': 100, 'find.said.mrr': 100 },
        ...{ 'replay.precision': 100, 'replay.helpful': 100, 'replay.avoidable': 100, 'replay.kin': null },
        ...{ 'replay.false': 0, 'replay.warned': 1 },
        ...{ 'recall.find.said.answered': 100, 'recall.find.said.right': 100, 'recall.find.said.first': 100 },
      },
    );
  });
});
