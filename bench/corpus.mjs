// A large generated history to measure with: a home with several projects, the same on every machine. It is cached in
// the system's temporary folder.
import { createHash } from 'node:crypto';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRecords } from './corpus/project.mjs';
import { createRandom } from './corpus/random.mjs';
import { createVocabulary } from './corpus/vocabulary.mjs';

/** Raise it when the generator changes, so that no cached corpus of the old version is used. */
const GENERATOR = 3;
const START = Date.UTC(2025, 2, 1);
const LOGS = ['history', 'failures', 'successes'];
const FLUSH_AT = 4 * 1024 * 1024;

/** Name of each project and its share of the messages. */
const PROJECTS = [
  ['storefront', 0.34],
  ['billing-api', 0.2],
  ['ledger', 0.15],
  ['mobile-app', 0.11],
  ['infrastructure', 0.08],
  ['search-service', 0.06],
  ['docs-site', 0.04],
  ['dotfiles', 0.02],
];

/**
 * @typedef {object} Corpus
 * @property {string} home a home without an index; do not change it, copy it
 * @property {number} messages
 * @property {number} attempts
 * @property {number} bytes total size of the logs
 * @property {string[]} projects ids, largest project first
 */

/**
 * Returns the corpus of that many messages, and generates it unless there is a complete one.
 * @param {{messages: number, fresh?: boolean, log?: (text: string) => void}} options
 * @returns {Corpus}
 */
export function ensureCorpus({ messages, fresh = false, log = () => {} }) {
  const home = join(tmpdir(), 'yore-bench', `corpus-${GENERATOR}-${messages}`);
  const finished = join(home, 'corpus.json');
  if (!fresh && existsSync(finished)) {
    const corpus = { home, ...JSON.parse(readFileSync(finished, 'utf8')) };
    log(`corpus of ${describe(corpus)} in ${home} (--fresh generates it again)`);
    return corpus;
  }
  log(`generating a corpus of ${messages.toLocaleString('en-US')} messages in ${home}`);
  rmSync(home, { recursive: true, force: true });
  const corpus = generate(home, messages, log);
  // Written last: an interrupted run leaves a folder without it, which is not used.
  writeFileSync(finished, JSON.stringify(corpus));
  log(`generated ${describe(corpus)}`);
  return { home, ...corpus };
}

/** Generates the texts of messages, without writing files. @param {number} count */
export function sampleTexts(count) {
  const source = projectRecords({
    random: createRandom('sample'),
    vocabulary: createVocabulary(),
    messages: count,
    start: START,
  });
  const texts = [];
  for (const { log, record } of source) if (log === 'history') texts.push(record.content);
  return texts;
}

function generate(home, messages, log) {
  const vocabulary = createVocabulary();
  const counts = { messages: 0, attempts: 0, bytes: 0 };
  const projects = [];
  for (const [name, share] of PROJECTS) {
    const identity = `/srv/code/${name}`;
    const projectHash = createHash('sha256').update(identity).digest('hex').slice(0, 8);
    const folder = join(home, 'projects', projectHash);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const random = createRandom(name);
    const lastActiveAt = writeLogs(
      folder,
      projectRecords({
        random,
        vocabulary,
        messages: Math.round(messages * share),
        start: START + random.below(5 * 86_400_000),
      }),
      counts,
    );
    writeInfo(folder, { projectPath: identity, projectHash, identity, displayName: name, lastActiveAt });
    projects.push({ path: identity, project: projectHash });
    log(`  ${name}: ${describe(counts)} so far`);
  }
  const registry = { v: 1, folders: projects, directories: {} };
  writeFileSync(join(home, 'registry.json'), JSON.stringify(registry), { mode: 0o600 });
  return { ...counts, projects: projects.map(({ project }) => project) };
}

function writeLogs(folder, records, counts) {
  const files = Object.fromEntries(
    LOGS.map((log) => [log, { descriptor: openSync(join(folder, `${log}.jsonl`), 'w', 0o600), buffer: '' }]),
  );
  const flush = (file) => {
    counts.bytes += writeSync(file.descriptor, file.buffer);
    file.buffer = '';
  };
  let last = '';
  for (const { log, record } of records) {
    const file = files[log];
    file.buffer += `${JSON.stringify(record)}\n`;
    if (file.buffer.length > FLUSH_AT) flush(file);
    counts[log === 'history' ? 'messages' : 'attempts']++;
    last = record.timestamp;
  }
  for (const file of Object.values(files)) {
    flush(file);
    closeSync(file.descriptor);
  }
  return last;
}

function writeInfo(folder, info) {
  const record = { v: 1, ...info, firstSeen: new Date(START).toISOString(), generation: 0 };
  writeFileSync(join(folder, 'index.json'), JSON.stringify(record, null, 2), { mode: 0o600 });
}

function describe({ messages, attempts, bytes }) {
  return `${messages.toLocaleString('en-US')} messages and ${attempts.toLocaleString('en-US')} attempts, ${Math.round(bytes / 1e6)} MB`;
}
