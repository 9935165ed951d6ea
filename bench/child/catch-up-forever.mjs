// Adds records to a project of its own in a home and catches up with them, until it is killed: node catch-up-forever.mjs DIST HOME
import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { projectRecords } from '../corpus/project.mjs';
import { createRandom } from '../corpus/random.mjs';
import { createVocabulary } from '../corpus/vocabulary.mjs';

const RECORDS = 2_000;

const [dist, home] = process.argv.slice(2);
const { SearchIndex } = await import(pathToFileURL(join(dist, 'search', 'index.js')).href);
const directory = join(home, 'projects', 'busy');
mkdirSync(directory, { recursive: true });
const index = SearchIndex.open(home);
const vocabulary = createVocabulary();
for (let round = 0; ; round++) {
  const lines = { history: '', failures: '', successes: '' };
  const start = Date.now() - 100 * 86_400_000 + round * 60_000;
  for (const { log, record } of projectRecords({
    random: createRandom(`busy ${round}`),
    vocabulary,
    messages: RECORDS,
    start,
  }))
    lines[log] += `${JSON.stringify({ ...record, id: `${round}-${record.id}` })}\n`;
  for (const [log, text] of Object.entries(lines)) appendFileSync(join(directory, `${log}.jsonl`), text);
  index.catchUp([{ id: 'busy', directory }]);
}
