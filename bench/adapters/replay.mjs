// Recorder and guard over JSON lines: a project, then prompts, calls and outcomes in time order. Replies to each call
// whether the guard warns of it.
//   node bench/adapters/replay.mjs [--dist DIR]     --dist: use another build
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { loadBuilt } from '../build-modules.mjs';
import { createPlayer } from '../replay.mjs';

const { UNKNOWN_MACHINE } = await loadBuilt('index.js');
const { openHome } = await loadBuilt('project/index.js');
const folder = mkdtempSync(join(tmpdir(), 'yore-replay-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const checkout = join(folder, 'checkout');
mkdirSync(checkout);
const home = openHome({ home: join(folder, 'home'), machine: () => UNKNOWN_MACHINE });
const player = createPlayer(home.openProject(checkout).recorder());

createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY }).on('line', (line) => {
  if (line.trim() === '') return;
  const event = JSON.parse(line);
  const reply = event.type === 'project' ? undefined : player[event.type]?.(event);
  if (reply !== undefined) process.stdout.write(`${JSON.stringify(reply)}\n`);
});
