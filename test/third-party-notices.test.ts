import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Packages that the app is built from: they are in its files, and not installed with yore. */
const IN_APP = ['preact', '@preact/signals', '@tanstack/virtual-core', 'marked', 'dompurify', 'highlight.js'] as const;

it('the licences of all packages that come with yore are told, and up to date', () => {
  const script = fileURLToPath(new URL('../scripts/third-party-notices.mjs', import.meta.url));
  const { status, stderr } = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const notices = readFileSync(`${root}/THIRD-PARTY-NOTICES.md`, 'utf8');
  const { dependencies, devDependencies } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8'));
  for (const [name, version] of Object.entries(dependencies)) expect(notices).toContain(`| ${name} | ${version} |`);
  const bundled = new Set<string>(IN_APP);
  for (const [name, version] of Object.entries(devDependencies)) {
    if (bundled.has(name)) expect(notices).toContain(`| ${name} | ${version} |`);
    else expect(notices).not.toContain(`| ${name} |`);
  }
  expect(notices).toContain('| @preact/signals-core |');
});
