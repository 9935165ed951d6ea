import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { Registry } from '../../src/registry/registry.ts';
import { temporaryFolder } from '../temp-folder.ts';
import { createRepository } from './git.ts';

const DIST = new URL('../../dist/registry/registry.js', import.meta.url);
const PROCESSES = 6;
const FOLDERS = 15;

test('concurrent processes lose no folder and agree on shared ones', async () => {
  const home = join(temporaryFolder(), 'home');
  const shared = createRepository(join(temporaryFolder(), 'shared'));
  const base = temporaryFolder();
  const script = join(temporaryFolder(), 'register.mjs');
  writeFileSync(
    script,
    `import { Registry } from ${JSON.stringify(DIST.href)};
    const [home, shared, ...folders] = process.argv.slice(2);
    const registry = Registry.open(home);
    for (const folder of folders) {
      const { id } = registry.register(folder);
      registry.updateInfo(registry.register(shared).id, {});
      const info = registry.updateInfo(id, { generation: 7 });
      if (info.projectPath !== folder) throw new Error('another project: ' + info.projectPath);
    }
    console.log(registry.register(shared).id);`,
  );
  const groups = Array.from({ length: PROCESSES }, (_, process) =>
    Array.from({ length: FOLDERS }, (_, number) => join(base, `folder-${process}-${number}`)),
  );
  for (const folder of groups.flat()) mkdirSync(folder);
  const outputs = await Promise.all(
    groups.map((folders) => promisify(execFile)(process.execPath, [script, home, shared, ...folders])),
  );

  const registry = Registry.open(home);
  expect(new Set(outputs.map(({ stdout }) => stdout.trim()))).toEqual(new Set([registry.lookup(shared)]));
  for (const folder of groups.flat()) expect(registry.lookup(folder)).toMatch(/^[0-9a-f]{8}/);
  expect(registry.list()).toHaveLength(PROCESSES * FOLDERS + 1);
  expect(registry.list().filter((info) => info.generation === 7)).toHaveLength(PROCESSES * FOLDERS);
  expect(registry.diagnostics).toEqual([]);
  expect(readdirSync(home).sort()).toEqual(['projects', 'registry.json']);
});
