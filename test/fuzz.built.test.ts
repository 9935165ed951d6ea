import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

/** Inputs for each parser. `npm run fuzz` tries others for as long as it runs. */
const RUNS = 100;

test('no parser fails or hangs, whatever it is given', async () => {
  const script = fileURLToPath(new URL('../scripts/fuzz/fuzz.mjs', import.meta.url));
  const args = [script, '--runs', String(RUNS), '--seed', '1'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
  const code = await new Promise((resolve) => child.on('close', resolve));
  expect(`${code} ${said}`).toMatch(/^0 \d+ inputs for \d+ parsers: no failure\n$/);
}, 600_000);
