import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** The programs of a page: its JavaScript blocks, each with the heading above it. */
function programsOf(page: string): { heading: string; code: string }[] {
  const text = readFileSync(join(root, 'docs', page), 'utf8');
  let heading = '';
  return [...text.matchAll(/^#+ (.*)$|^```js\n([\s\S]*?)^```$/gm)].flatMap(([, title, code]) => {
    heading = title ?? heading;
    return code === undefined ? [] : [{ heading, code }];
  });
}

/** The output that a program promises in a comment after a `console.log`. */
function promisesOf(code: string): string[] {
  return [...code.matchAll(/^.*console\.log\(.*\/\/ (.*)$/gm)].map(([, promise]) => promise ?? '');
}

async function run(code: string): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', code], {
    cwd: root,
  });
  expect(stderr).toBe('');
  return stdout;
}

/** A promise may be a prefix, may contain an ellipsis, and may continue with an explanation after a colon. */
function isKept(promise: string, printed: string): boolean {
  const words = promise.replace(/:(?= [a-z]).*$/, '').match(/[\w'./-]+/g) ?? [];
  return words.every((word) => printed.includes(word));
}

describe('the programs of docs/context.md', () => {
  const programs = programsOf('context.md');

  it('exist', () => {
    expect(programs.length).toBeGreaterThan(5);
  });

  it.each(programs)('$heading: runs and prints what it says', async ({ code }) => {
    const printed = await run(code);
    for (const promise of promisesOf(code)) expect(isKept(promise, printed), promise).toBe(true);
  });
});
