import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MAX_PROMPTS_PER_PROJECT, PromptHistory } from '../../src/prompts/index.ts';
import { temporaryFolder } from '../temp-folder.ts';

const DAY = 86_400_000;
const START = Date.UTC(2025, 10, 1);

/** A prompt history on a new file, with a clock that the test controls. */
function open() {
  const path = join(temporaryFolder(), 'home', 'prompts.json');
  const clock = { now: START };
  return { path, clock, history: new PromptHistory(path, () => clock.now) };
}

const texts = (entries: readonly { readonly text: string }[]) => entries.map((entry) => entry.text);

describe('recording', () => {
  it('stores a prompt once and counts its uses', () => {
    const { history, clock } = open();
    expect(history.upsert('  run the tests \n', 'aaaa1111')).toBe(true);
    clock.now += DAY;
    history.upsert('run the tests', 'aaaa1111');
    expect(history.list('aaaa1111')).toEqual([
      {
        text: 'run the tests',
        score: 21,
        lastUsed: new Date(START + DAY).toISOString(),
        useCount: 2,
        projects: ['aaaa1111'],
      },
    ]);
  });

  it('ignores blank prompts and those that the user did not type', () => {
    const { history, path } = open();
    for (const text of ['', ' \n', '/clear', '<system-reminder>x</system-reminder>']) {
      expect(history.upsert(text, 'aaaa1111')).toBe(false);
    }
    expect(history.list()).toEqual([]);
    expect(existsSync(join(path, '..'))).toBe(false);
  });

  it('is case-sensitive', () => {
    const { history } = open();
    history.upsert('Ship it');
    history.upsert('ship it');
    expect(texts(history.list()).sort()).toEqual(['Ship it', 'ship it']);
  });

  it('keeps prompts without a project', () => {
    const { history } = open();
    history.upsert('what is a monad');
    expect(history.list()).toMatchObject([{ text: 'what is a monad', projects: [] }]);
    expect(history.list('aaaa1111')).toEqual([]);
  });

  it('dates imported prompts by when they were typed, and never moves a date back', () => {
    const { history } = open();
    history.upsert('fix it', 'aaaa1111');
    const imported = [
      { text: 'fix it', project: 'aaaa1111', usedAt: START - 9 * DAY },
      { text: 'old one', project: 'aaaa1111', usedAt: START - 5 * DAY },
      { text: '/clear', project: 'aaaa1111', usedAt: START - 5 * DAY },
    ];
    expect(history.upsertAll(imported)).toBe(2);
    expect(history.search('', 0, 'aaaa1111')).toMatchObject([
      { text: 'fix it', useCount: 2, lastUsed: new Date(START).toISOString() },
      { text: 'old one', useCount: 1, lastUsed: new Date(START - 5 * DAY).toISOString() },
    ]);
  });

  it('replaces an impossible time by the current one', () => {
    const { history } = open();
    for (const usedAt of [Number.NaN, -1, START + 900 * DAY, Number.POSITIVE_INFINITY]) {
      history.upsertAll([{ text: `typed at ${usedAt}`, usedAt }]);
    }
    const times = history.list().map((entry) => entry.lastUsed);
    expect(times).toEqual(Array.from({ length: 4 }, () => new Date(START).toISOString()));
  });

  it('masks secrets before they reach the file, and recognises the prompt afterwards', () => {
    const { history, path } = open();
    const token = ['ghp', 'x7Yq2LkP0vTz5NdRw8Hs3JmBf6CgAu1EoIiK'].join('_');
    history.upsert(`log in with ${token} please`);
    history.upsert(`log in with ${token} please`);
    expect(readFileSync(path, 'utf8')).not.toContain(token);
    expect(history.search('log in with')).toMatchObject([{ useCount: 2 }]);
    expect(history.forget({ texts: [`log in with ${token} please`] })).toBe(1);
  });

  it('creates a private file in a private folder', () => {
    const { history, path } = open();
    history.upsert('fix it');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(join(path, '..')).mode & 0o777).toBe(0o700);
    expect(readdirSync(join(path, '..'))).toEqual(['prompts.json']);
  });
});

describe('the cap', () => {
  it('evicts the lowest score and does not affect other projects', () => {
    const { history, clock } = open();
    history.upsert('another project', 'bbbb2222');
    history.upsert('loved once', 'aaaa1111');
    history.upsert('loved once', 'aaaa1111');
    history.upsert('loved once', 'aaaa1111');
    clock.now += 365 * DAY;
    history.upsertAll(
      Array.from({ length: MAX_PROMPTS_PER_PROJECT - 1 }, (_, n) => ({
        text: `prompt ${n}`,
        project: 'aaaa1111',
      })),
    );
    expect(history.list('aaaa1111')).toHaveLength(500);
    expect(texts(history.list('aaaa1111'))).toContain('loved once');
    history.upsert('one too many', 'aaaa1111');
    expect(history.list('aaaa1111')).toHaveLength(MAX_PROMPTS_PER_PROJECT);
    expect(texts(history.list('aaaa1111'))).not.toContain('loved once');
    expect(texts(history.list('bbbb2222'))).toEqual(['another project']);
  });

  it('never evicts the prompt just added, even if it is the oldest', () => {
    const { history } = open();
    history.upsertAll(
      Array.from({ length: MAX_PROMPTS_PER_PROJECT }, (_, n) => ({
        text: `prompt ${n}`,
        project: 'aaaa1111',
      })),
    );
    history.upsertAll([{ text: 'ancient', project: 'aaaa1111', usedAt: START - 900 * DAY }]);
    expect(texts(history.list('aaaa1111'))).toContain('ancient');
    expect(history.list('aaaa1111')).toHaveLength(MAX_PROMPTS_PER_PROJECT);
  });
});

describe('search', () => {
  it('finds substrings ignoring case, most recently used first', () => {
    const { history, clock } = open();
    for (const text of ['Fix the parser', 'rename it', 'prefix all names', 'fix the parser again']) {
      history.upsert(text);
      clock.now += 1_000;
    }
    history.upsert('Fix the parser');
    expect(texts(history.search('FIX'))).toEqual(['Fix the parser', 'fix the parser again', 'prefix all names']);
    expect(history.search('parsers')).toEqual([]);
  });

  it('matches everything with an empty query, and treats a limit of 0 or less as none', () => {
    const { history, clock } = open();
    history.upsertAll(Array.from({ length: 150 }, (_, n) => ({ text: `prompt ${n}`, usedAt: START + n })));
    clock.now += 1_000;
    expect(history.search('', 0)).toHaveLength(150);
    expect(history.search('', -1)).toHaveLength(150);
    expect(history.search('')).toHaveLength(100);
    expect(texts(history.search('', 2))).toEqual(['prompt 149', 'prompt 148']);
  });

  it('lists prompts of the same millisecond in reverse order of recording', () => {
    const { history } = open();
    for (const text of ['b', 'c', 'a']) history.upsert(text);
    history.upsert('b');
    expect(texts(history.search(''))).toEqual(['b', 'a', 'c']);
  });

  it('puts the prompts of the project before those of other projects', () => {
    const { history, clock } = open();
    history.upsert('test here', 'aaaa1111');
    clock.now += 1_000;
    history.upsert('test there', 'bbbb2222');
    history.upsert('test both', 'bbbb2222');
    history.upsert('test both', 'aaaa1111');
    clock.now += 1_000;
    history.upsert('test nowhere');
    expect(texts(history.search('test', 0, 'aaaa1111'))).toEqual([
      'test both',
      'test here',
      'test nowhere',
      'test there',
    ]);
    expect(history.search('both', 0, 'aaaa1111')).toMatchObject([{ useCount: 1, projects: ['aaaa1111', 'bbbb2222'] }]);
    expect(history.search('both')).toMatchObject([{ useCount: 2, projects: ['aaaa1111', 'bbbb2222'] }]);
    expect(texts(history.search('test', 1, 'cccc3333'))).toEqual(['test nowhere']);
  });
});

describe('suggestions', () => {
  it('complete what was typed, highest score first', () => {
    const { history, clock } = open();
    history.upsert('run the tests');
    history.upsert('run the tests');
    clock.now += 1_000;
    history.upsert('Run the linter');
    history.upsert('please run the tests');
    expect(texts(history.suggest(' run'))).toEqual(['run the tests', 'Run the linter']);
    expect(texts(history.suggest('run', 1))).toEqual(['run the tests']);
    clock.now += 30 * DAY;
    history.upsert('Run the linter');
    expect(texts(history.suggest('run'))).toEqual(['Run the linter', 'run the tests']);
  });

  it('omit what is already typed in full', () => {
    const { history } = open();
    history.upsert('ship it');
    history.upsert('ship it now');
    expect(texts(history.suggest('ship it'))).toEqual(['ship it now']);
  });

  it('prefer the project over others', () => {
    const { history } = open();
    history.upsert('deploy to staging', 'aaaa1111');
    for (let time = 0; time < 5; time++) history.upsert('deploy to production', 'bbbb2222');
    expect(texts(history.suggest('dep', 5, 'aaaa1111'))).toEqual(['deploy to staging', 'deploy to production']);
    expect(texts(history.suggest('dep'))).toEqual(['deploy to production', 'deploy to staging']);
  });
});

describe('forgetting', () => {
  it('deletes the prompts of a project and keeps the others', () => {
    const { history, path } = open();
    history.upsert('secret plan', 'aaaa1111');
    history.upsert('shared words', 'aaaa1111');
    history.upsert('shared words', 'bbbb2222');
    expect(history.forget({ project: 'aaaa1111' })).toBe(2);
    expect(history.list()).toMatchObject([{ text: 'shared words', useCount: 1, projects: ['bbbb2222'] }]);
    expect(readFileSync(path, 'utf8')).not.toMatch(/secret plan|aaaa1111/);
  });

  it('deletes prompts by text, everywhere or in one project', () => {
    const { history } = open();
    for (const project of ['aaaa1111', 'bbbb2222']) {
      history.upsert('first', project);
      history.upsert('second', project);
    }
    expect(history.forget({ texts: ['first', 'no such prompt'] })).toBe(2);
    expect(history.forget({ project: 'aaaa1111', texts: [' second '] })).toBe(1);
    expect(history.list()).toMatchObject([{ text: 'second', projects: ['bbbb2222'] }]);
  });

  it('deletes copies of damaged files and leftovers of killed writers', () => {
    const { history, path } = open();
    mkdirSync(join(path, '..'));
    writeFileSync(path, '{"v":1,"projects":{"aaaa1111":[{"text":"secret plan"');
    history.upsert('another', 'bbbb2222');
    writeFileSync(`${path}.77-abcd.tmp`, 'secret plan');
    expect(readdirSync(join(path, '..'))).toHaveLength(3);
    history.forget({ project: 'aaaa1111' });
    expect(readdirSync(join(path, '..'))).toEqual(['prompts.json']);
    expect(texts(history.list())).toEqual(['another']);
  });

  it('does not leave a damaged file behind', () => {
    const { history, path } = open();
    mkdirSync(join(path, '..'));
    writeFileSync(path, 'secret plan');
    expect(history.forget({ texts: ['secret plan'] })).toBe(0);
    expect(readFileSync(path, 'utf8')).not.toContain('secret plan');
    expect(history.diagnostics).toEqual([]);
  });

  it('creates no file when there is none', () => {
    const { history, path } = open();
    expect(history.forget({ project: 'aaaa1111' })).toBe(0);
    expect(existsSync(join(path, '..'))).toBe(false);
  });
});
