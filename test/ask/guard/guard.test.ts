import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseWarningRecord, type WarningRecord } from '../../../src/facts/warning-record.ts';
import { readLogLines } from '../../../src/log/index.ts';
import { Claims } from '../../../src/recording/claims.ts';
import { temporaryFolder } from '../../temp-folder.ts';
import { DAY, NOT_FOUND_404, Story } from './story.ts';

function entriesOf(folder: string): WarningRecord[] {
  const path = join(folder, 'warnings.jsonl');
  if (!existsSync(path)) return [];
  return [...readLogLines(path)].map(({ text }) => parseWarningRecord(JSON.parse(text)) as WarningRecord);
}

function redis(): Story {
  const story = new Story();
  story.fails('npm install redis-node', NOT_FOUND_404('redis-node'));
  story.works('bun add ioredis');
  story.fails('npm install redis-node', NOT_FOUND_404('redis-node'), { sessionId: 'two' });
  return story.pass(DAY);
}

describe('the text of a warning', () => {
  test('says when, what, why and what worked instead', () => {
    const warning = redis().check('yarn add redis-node');
    expect(warning?.text).toBe(
      [
        'This failed on 2026-03-02 (2 times in 2 sessions): `npm install redis-node`',
        'Reason: "npm error 404 \'redis-node@*\' is not in this registry."',
        'Same cause here: "there is no package redis-node"',
        'What worked instead: `bun add ioredis`',
      ].join('\n'),
    );
    expect(warning).toMatchObject({
      failed: 'npm install redis-node',
      count: 2,
      sessions: 2,
      class: 'missing',
    });
    expect(warning?.failedAt).toBe('2026-03-02T10:02:00.000Z');
    expect(warning?.failureId).toMatch(/^f-[0-9a-z]{7}$/);
  });

  test('has short lines, whatever was printed', () => {
    const story = new Story();
    const noise = `\u001b[31mfatal:\u0007 unknown flag: --stat \u202e${'x'.repeat(500)}\u001b[0m\nmore`;
    for (const sessionId of ['a', 'b']) story.fails(`gh pr diff --stat ${'y'.repeat(500)}`, noise, { sessionId });
    const text = story.check('gh pr diff --stat')?.text ?? '';
    expect(text.split('\n').length).toBeLessThanOrEqual(4);
    expect(text.length).toBeLessThan(700);
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
  });
});

describe('a warning is given once', () => {
  test('the repeated call goes through in that session', () => {
    const story = redis();
    const call = story.call('npm install redis-node', { sessionId: 'three' });
    expect(story.warn(call)).toBeDefined();
    expect(story.warn(call)).toBeUndefined();
    expect(story.warn(story.call('npm install redis-node 2>&1', { sessionId: 'three' }))).toBeUndefined();
    expect(story.warn(story.call('npm install redis-node', { sessionId: 'four' }))).toBeDefined();
    expect(story.warn(story.call('npm install redis-node', { sessionId: 'three', agent: 'codex' }))).toBeDefined();
  });

  test('also by another process', () => {
    const story = redis();
    const call = story.call('npm install redis-node', { sessionId: 'three' });
    expect(story.warn(call)).toBeDefined();
    expect(story.warn(call)).toBeUndefined();
  });

  test('it is in the log before it is given, with the attempt it is based on', () => {
    const story = redis();
    const given = story.warn(story.call('npm i redis-node', { sessionId: 'three' }));
    expect(entriesOf(story.folder)).toMatchObject([
      {
        kind: 'warning',
        sessionId: 'three',
        agent: 'claude-code',
        key: 'package:redis-node',
        attemptId: given?.warning.attemptId,
        what: 'npm i redis-node',
        text: given?.warning.text,
      },
    ]);
  });

  test('checking writes nothing and gives the same answer every time', () => {
    const story = redis();
    const before = readdirSync(story.folder);
    const guard = story.guard();
    const call = story.call('npm i redis-node', { sessionId: 'three' });
    expect(guard.check(call)).toEqual(guard.check(call));
    expect(readdirSync(story.folder)).toEqual(before);
  });

  test('there is none below the minimum confidence', () => {
    const story = redis();
    expect(story.check('npm i redis-node', {}, { minConfidence: 0.999 })).toBeUndefined();
    expect(story.check('npm i redis-node', {}, { minConfidence: 0 })).toBeDefined();
  });
});

describe('overrides', () => {
  test('are recorded once, with the outcome of the call', () => {
    const story = redis();
    story.warn(story.call('npm i redis-node', { sessionId: 'three' }));
    story.warnings.settle(story.works('npm i redis-node', { sessionId: 'three' }));
    story.warnings.settle(story.works('npm i redis-node', { sessionId: 'three' }));
    const [warning, override, ...more] = entriesOf(story.folder);
    expect(override).toMatchObject({ kind: 'override', warningId: warning?.id, succeeded: true });
    expect(more).toEqual([]);
    for (const sessionId of ['three', 'four']) expect(story.check('npm i redis-node', { sessionId })).toBeUndefined();
  });

  test('are not recorded for calls that were rejected or of unknown outcome', () => {
    const story = redis();
    story.warn(story.call('npm i redis-node', { sessionId: 'three' }));
    for (const status of ['rejected', 'unknown', 'interrupted'] as const)
      story.warnings.settle(story.record('npm i redis-node', { status }, { sessionId: 'three' }));
    expect(entriesOf(story.folder)).toHaveLength(1);
  });

  test('are not recorded without a warning', () => {
    const story = redis();
    story.warnings.settle(story.works('npm i redis-node', { sessionId: 'three' }));
    expect(entriesOf(story.folder)).toEqual([]);
  });

  test('turn warnings into notes after two successes, in that session only', () => {
    const story = new Story();
    const modeOf = (name: string, sessionId: string): string | undefined => {
      story.fails(`npm i ${name}`, NOT_FOUND_404(name));
      return story.guard().checkCall(story.call(`npm i ${name}`, { sessionId }))?.mode;
    };
    for (const name of ['left', 'right']) {
      expect(modeOf(name, 'three')).toBe('denyOnce');
      story.warn(story.call(`npm i ${name}`, { sessionId: 'three' }));
      story.warnings.settle(story.works(`npm i ${name}`, { sessionId: 'three' }));
    }
    expect(modeOf('middle', 'three')).toBe('note');
    expect(modeOf('middle', 'four')).toBe('denyOnce');
  });
});

describe('claims', () => {
  const KEY = { sessionId: 's', agent: 'a', signature: 'sh x' };
  const CLAIM = { warningId: 'w', key: 'k' };

  test('are taken once and settled once', () => {
    const claims = new Claims(temporaryFolder());
    expect(claims.settle(KEY)).toBeUndefined();
    expect(claims.take(KEY, CLAIM)).toBe(true);
    expect(claims.take(KEY, CLAIM)).toBe(false);
    expect(claims.settle(KEY)).toEqual(CLAIM);
    expect(claims.settle(KEY)).toBeUndefined();
    expect(claims.take({ ...KEY, signature: 'sh y' }, CLAIM)).toBe(true);
    expect(claims.take({ ...KEY, agent: undefined }, CLAIM)).toBe(true);
  });

  test('left empty by a crash are taken and settle nothing', () => {
    const folder = temporaryFolder();
    const claims = new Claims(folder);
    claims.take(KEY, CLAIM);
    const path = join(folder, 'claims', readdirSync(join(folder, 'claims'))[0] ?? '');
    writeFileSync(path, '');
    expect(claims.take(KEY, CLAIM)).toBe(false);
    expect(claims.settle(KEY)).toBeUndefined();
    expect(readFileSync(path, 'utf8')).toBe('');
  });

  test('are removed after a week', () => {
    const folder = temporaryFolder();
    const claims = new Claims(folder);
    claims.take(KEY, CLAIM);
    const old = join(folder, 'claims', readdirSync(join(folder, 'claims'))[0] ?? '');
    utimesSync(old, new Date(0), new Date(0));
    claims.take({ ...KEY, signature: 'sh y' }, CLAIM);
    claims.tidy(Date.now());
    expect(readdirSync(join(folder, 'claims'))).toHaveLength(1);
    expect(existsSync(old)).toBe(false);
    new Claims(join(folder, 'missing')).tidy(Date.now());
  });
});

test.each([
  [null],
  [[]],
  ['text'],
  [{ v: 1, kind: 'warning' }],
  [{ v: 99, kind: 'pin', id: 'a', timestamp: 'b', sessionId: '', key: 'c' }],
  [{ v: 1, kind: 'toString', id: 'a', timestamp: 'b', sessionId: '', key: 'c' }],
  [
    {
      v: 1,
      kind: 'override',
      id: 'a',
      timestamp: 'b',
      sessionId: '',
      key: 'c',
      warningId: 'w',
      succeeded: 'yes',
    },
  ],
])('%j is no line of the warnings log', (value) => {
  expect(parseWarningRecord(value)).toBeUndefined();
});
