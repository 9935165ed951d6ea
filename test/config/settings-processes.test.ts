import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../temp-folder.ts';

test('concurrent changes of several processes are all kept', async () => {
  const file = join(temporaryFolder(), 'config.json');
  const keys = ['prompts.size', 'context.maxTurns', 'retrieval.failureLookbackDays', 'retrieval.maxContextSize'];
  const script = `
    import { setSetting } from ${JSON.stringify(new URL('../../dist/config/index.js', import.meta.url).href)};
    for (let n = 2; n <= 40; n++) setSetting(process.argv[1], process.argv[2], String(n));`;
  const args = ['--input-type=module', '-e', script, file];
  await Promise.all(keys.map((key) => promisify(execFile)(process.execPath, [...args, key])));
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
    prompts: { size: 40 },
    context: { maxTurns: 40 },
    retrieval: { failureLookbackDays: 40, maxContextSize: 40 },
  });
  expect(readdirSync(join(file, '..'))).toEqual(['config.json']);
});
