import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { PromptHistory } from '../../src/prompts/index.ts';
import { temporaryFolder } from '../temp-folder.ts';

const DIST = new URL('../../dist/prompts/index.js', import.meta.url);
const PROCESSES = 6;
const UPSERTS = 40;

it('loses nothing when several processes record concurrently', async () => {
  const folder = temporaryFolder();
  const script = join(folder, 'upsert.mjs');
  writeFileSync(
    script,
    `import { PromptHistory } from ${JSON.stringify(DIST.href)};
    const [path, name, count] = process.argv.slice(2);
    const history = new PromptHistory(path);
    for (let number = 0; number < Number(count); number++) {
      history.upsert('everybody says this', 'aaaa1111');
      history.upsert(\`\${name} says \${number}\`, number % 2 ? 'aaaa1111' : 'bbbb2222');
    }`,
  );
  const path = join(folder, 'home', 'prompts.json');
  const names = Array.from({ length: PROCESSES }, (_, number) => `process ${number}`);
  await Promise.all(names.map((name) => promisify(execFile)(process.execPath, [script, path, name, String(UPSERTS)])));

  const history = new PromptHistory(path);
  expect(history.diagnostics).toEqual([]);
  const counts = new Map(history.list().map((entry) => [entry.text, entry.useCount]));
  expect(counts.get('everybody says this')).toBe(PROCESSES * UPSERTS);
  for (const name of names) {
    for (let number = 0; number < UPSERTS; number++) expect(counts.get(`${name} says ${number}`)).toBe(1);
  }
  expect(counts.size).toBe(PROCESSES * UPSERTS + 1);
});
