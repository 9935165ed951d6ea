import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PromptHistory } from '../../src/prompts/index.ts';
import { temporaryFolder } from '../temp-folder.ts';

describe('deferred prompts', () => {
  it('count at once and are in the file after the next save', () => {
    const file = join(temporaryFolder(), 'prompts.json');
    const history = new PromptHistory(file, () => 1_772_618_400_000);
    expect(history.defer('Add a wish list', 'shop')).toBe(true);
    expect(history.defer('/compact', 'shop')).toBe(false);
    expect(existsSync(file)).toBe(false);
    expect(history.list('shop').map(({ text }) => text)).toEqual(['Add a wish list']);
    new PromptHistory(file).save();
    expect(readFileSync(file, 'utf8')).toContain('Add a wish list');
    expect(existsSync(`${file}.pending`)).toBe(false);
    expect(new PromptHistory(file).list('shop')[0]).toMatchObject({
      text: 'Add a wish list',
      useCount: 1,
    });
  });

  it('are redacted before they are written', () => {
    const file = join(temporaryFolder(), 'prompts.json');
    const secret = ['ghp', 'q7Xw2Lk9Rt4Vb8Nm3Zc6Hd1Fs5Gj0PaYeUiO'].join('_');
    new PromptHistory(file).defer(`Use the token ${secret} to push`, 'shop');
    expect(readFileSync(`${file}.pending`, 'utf8')).not.toContain(secret);
  });

  it('are deleted with the others', () => {
    const file = join(temporaryFolder(), 'prompts.json');
    const history = new PromptHistory(file);
    history.defer('Add a wish list', 'shop');
    expect(history.forget({ project: 'shop' })).toBe(1);
    expect(history.list()).toEqual([]);
    expect(existsSync(`${file}.pending`)).toBe(false);
  });

  it('survive a crash while they are merged into the file, and a torn line', () => {
    const file = join(temporaryFolder(), 'prompts.json');
    const line = (text: string) => `${JSON.stringify({ text, project: 'shop', usedAt: 1_772_618_400_000 })}\n`;
    writeFileSync(`${file}.pending.taken`, `${line('Add a wish list')}{"text":"to`);
    writeFileSync(`${file}.pending`, line('Rename the shelf'));
    const history = new PromptHistory(file);
    const texts = () => new Set(history.list('shop').map(({ text }) => text));
    expect(texts()).toEqual(new Set(['Add a wish list', 'Rename the shelf']));
    history.save();
    history.save();
    expect(existsSync(`${file}.pending`)).toBe(false);
    expect(texts()).toEqual(new Set(['Add a wish list', 'Rename the shelf']));
  });
});
