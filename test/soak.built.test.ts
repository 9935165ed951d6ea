import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROUNDS = 4;

test('everything at once, with kills and damage, loses and doubles no acknowledged record', async () => {
  const script = fileURLToPath(new URL('../scripts/soak/soak.mjs', import.meta.url));
  const child = spawn(process.execPath, [script, String(ROUNDS)], { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
  const code = await new Promise((resolve) => child.on('close', resolve));
  expect(`${code} ${said}`).toMatch(/^0 .*everything holds\n$/s);
}, 600_000);
