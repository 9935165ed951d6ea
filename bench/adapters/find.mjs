// The history and its search over JSON lines: a project, then prompts, calls and outcomes in time order, "ready", and
// queries, each of which is answered with the sessions found, best first.
//   node bench/adapters/find.mjs [--dist DIR]     --dist: use another build
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { loadBuilt } from '../build-modules.mjs';
import { createPlayer } from '../replay.mjs';
import { benchHome, embedAll } from './embedder.mjs';

const { UNKNOWN_MACHINE } = await loadBuilt('index.js');
const { openHome } = await loadBuilt('project/index.js');
const folder = mkdtempSync(join(tmpdir(), 'yore-find-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const checkout = join(folder, 'checkout');
mkdirSync(checkout);
const home = openHome({ home: benchHome(join(folder, 'home')), machine: () => UNKNOWN_MACHINE });
const player = createPlayer(home.openProject(checkout).recorder(), { warns: false });

async function reply(request) {
  if (request.type === 'ready') {
    home.catchUp();
    await embedAll(home);
    return { type: 'ready' };
  }
  if (request.type !== 'query') return player[request.type]?.(request);
  const { sessions } = home.search(await home.embeddings.embedQuery({ text: request.text }));
  return { sessions: sessions.slice(0, request.limit).map(({ sessionId }) => sessionId) };
}

for await (const line of createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
  if (line.trim() === '') continue;
  const answer = await reply(JSON.parse(line));
  if (answer !== undefined) process.stdout.write(`${JSON.stringify(answer)}\n`);
}
