import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PromptHistory } from '../../src/prompts/index.ts';
import { YoreError } from '../../src/record/index.ts';
import { temporaryFolder } from '../temp-folder.ts';

const START = Date.UTC(2025, 10, 1);

function open() {
  const path = join(temporaryFolder(), 'home', 'prompts.json');
  return { path, history: new PromptHistory(path, () => START) };
}

const texts = (entries: readonly { readonly text: string }[]) => entries.map((entry) => entry.text);

describe('an unusual prompt file', () => {
  it('reads as empty when damaged, with a warning, and is copied before it is replaced', () => {
    const { history, path } = open();
    mkdirSync(join(path, '..'));
    const damaged = '{"v":1,"projects":{"aaaa1111":[{"te';
    writeFileSync(path, damaged, { mode: 0o644 });
    expect(history.list()).toEqual([]);
    expect(history.diagnostics).toEqual([
      { code: 'invalid', message: expect.stringContaining(`${path} is damaged: it is not valid JSON`) },
    ]);
    expect(readFileSync(path, 'utf8')).toBe(damaged);

    history.upsert('go on', 'aaaa1111');
    const copy = `${path}.corrupt-${START}`;
    expect(readFileSync(copy, 'utf8')).toBe(damaged);
    expect(statSync(copy).mode & 0o777).toBe(0o600);
    expect(history.diagnostics).toEqual([{ code: 'invalid', message: expect.stringContaining(copy) }]);
    expect(texts(new PromptHistory(path).list())).toEqual(['go on']);
    expect(new PromptHistory(path).diagnostics).toEqual([]);
  });

  it.each(['', '[]', 'null', '{"projects":{}}', '{"v":"1"}', '{"v":1}', '{"v":1,"projects":[]}', '\0\0'])(
    'is damaged when it holds %j',
    (content) => {
      const { history, path } = open();
      mkdirSync(join(path, '..'));
      writeFileSync(path, content);
      expect(history.list()).toEqual([]);
      expect(history.diagnostics).toHaveLength(1);
      history.upsert('go on');
      expect(readFileSync(`${path}.corrupt-${START}`, 'utf8')).toBe(content);
    },
  );

  it('keeps its readable prompts', () => {
    const { history, path } = open();
    mkdirSync(join(path, '..'));
    const good = { text: 'good', lastUsed: '2025-10-01T00:00:00.000Z', useCount: 2 };
    const bad = [{ text: 7 }, { ...good, lastUsed: 'soon' }, { ...good, useCount: 0 }, null];
    writeFileSync(path, JSON.stringify({ v: 1, projects: { aaaa1111: [...bad, good], bbbb2222: 'no list' } }, null, 2));
    expect(texts(history.list())).toEqual(['good']);
    expect(history.diagnostics).toHaveLength(2);
    history.upsert('go on', 'cccc3333');
    expect(existsSync(`${path}.corrupt-${START}`)).toBe(true);
    const again = new PromptHistory(path, () => START);
    expect(texts(again.list()).sort()).toEqual(['go on', 'good']);
    expect(again.diagnostics).toEqual([]);
  });

  it('may be formatted by hand', () => {
    const { history, path } = open();
    history.upsert('fix it', 'aaaa1111');
    writeFileSync(path, JSON.stringify(JSON.parse(readFileSync(path, 'utf8')), null, '\t'));
    expect(texts(history.list('aaaa1111'))).toEqual(['fix it']);
    history.upsert('fix it', 'aaaa1111');
    expect(history.list()).toMatchObject([{ useCount: 2 }]);
  });

  it('is left alone when a newer version wrote it', () => {
    const { history, path } = open();
    mkdirSync(join(path, '..'));
    const newer = '{"v":2,"projects":{"aaaa1111":{"anything":"else"}}}';
    writeFileSync(path, newer);
    for (const action of [
      () => history.upsert('fix it'),
      () => history.list(),
      () => history.search(''),
      () => history.forget({ texts: ['x'] }),
    ]) {
      expect(action).toThrow(expect.objectContaining({ code: 'NEWER_VERSION' }));
    }
    expect(readFileSync(path, 'utf8')).toBe(newer);
    expect(readdirSync(join(path, '..'))).toEqual(['prompts.json']);
  });

  it('is reported when the home is a file', () => {
    const home = join(temporaryFolder(), 'home');
    writeFileSync(home, '');
    const history = new PromptHistory(join(home, 'prompts.json'));
    expect(() => history.upsert('fix it')).toThrow(YoreError);
    expect(() => history.upsert('fix it')).toThrow(/Move or delete it/);
  });

  it('gets a prompt that could not be written at the next save', () => {
    const home = join(temporaryFolder(), 'home');
    writeFileSync(home, '');
    const path = join(home, 'prompts.json');
    const history = new PromptHistory(path, () => START);
    expect(() => history.upsert('fix it')).toThrow(YoreError);
    rmSync(home);
    expect(texts(history.search(''))).toEqual(['fix it']);
    expect(existsSync(home)).toBe(false);
    history.save();
    expect(new PromptHistory(path, () => START).list()).toMatchObject([{ text: 'fix it', useCount: 1 }]);
    history.save();
    expect(history.list()).toMatchObject([{ text: 'fix it', useCount: 1 }]);
  });
});
