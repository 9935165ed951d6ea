// In which session was this done? The questions are subjects of commits, the answers the sessions they came from.
import { createReadStream, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import { quantile } from '../measure.mjs';
import { Program } from './program.mjs';

const LIMIT = 10;
const EXTENSION = '.jsonl.gz';

/**
 * @typedef {object} Asked the questions about one corpus
 * @property {string} name
 * @property {string} events the sessions, `.jsonl.gz`
 * @property {{text: string, sessions: string[], group: 'said' | 'other'}[]} queries
 */

/**
 * The questions in a folder, with their corpora, which are beside them or in the folder of the replay corpora.
 * @param {{find: string, replay: string}} folders
 * @returns {Asked[]}
 */
export function readQuestions({ find, replay }) {
  const names = existsSync(find) ? readdirSync(find).filter((name) => name.endsWith('.json')) : [];
  return names.sort().map((name) => {
    const { corpus, queries } = JSON.parse(readFileSync(join(find, name), 'utf8'));
    const events = [find, replay].map((folder) => join(folder, corpus)).find((path) => existsSync(path));
    if (events === undefined)
      throw new Error(`${join(find, name)} is about ${corpus}, which is not in ${find} or ${replay}`);
    return { name: corpus.slice(0, -EXTENSION.length), events, queries };
  });
}

/** The events of a corpus. @param {string} path */
export async function* readEvents(path) {
  for await (const line of createInterface({ input: createReadStream(path).pipe(createGunzip()) })) {
    if (line !== '') yield JSON.parse(line);
  }
}

/**
 * Asks a program, one process per corpus. any@k: the share of questions with an answer among the first k sessions. mrr:
 * the mean of 1 / rank of the first answer among ten, 0 without one. All in percent.
 * @param {readonly Asked[]} asked
 * @param {{command: readonly string[], log: (text: string) => void}} options
 */
export async function scoreFind(asked, { command, log }) {
  const rows = [];
  for (const { name, events, queries } of asked) {
    log(`${name}: sending the sessions`);
    const program = new Program(command);
    try {
      await program.tell({ type: 'project', name });
      for await (const event of readEvents(events)) await program.tell(event);
      await program.ask({ type: 'ready' });
      log(`${name}: asking ${queries.length} questions`);
      for (const { text, sessions, group } of queries) {
        const { reply, milliseconds } = await program.ask({ type: 'query', text, limit: LIMIT });
        if (!Array.isArray(reply.sessions)) throw new Error('the reply to a query needs "sessions": [ids]');
        const found = [...new Set(reply.sessions)].slice(0, LIMIT);
        rows.push({ name, group, milliseconds, rank: found.findIndex((id) => sessions.includes(id)) + 1 });
      }
    } finally {
      await program.close();
    }
  }
  const times = rows.map(({ milliseconds }) => milliseconds);
  const ofGroup = (group) => score(rows.filter((row) => row.group === group));
  const corpora = [...new Set(rows.map(({ name }) => name))];
  return {
    benchmark: 'find',
    all: score(rows),
    groups: { other: ofGroup('other'), said: ofGroup('said') },
    corpora: Object.fromEntries(corpora.map((name) => [name, score(rows.filter((row) => row.name === name))])),
    latencyMs: { p50: quantile(times, 0.5), p95: quantile(times, 0.95) },
  };
}

function score(rows) {
  const share = (list) => (rows.length === 0 ? null : (100 * list.length) / rows.length);
  const among = (limit) => share(rows.filter(({ rank }) => rank > 0 && rank <= limit));
  const reciprocal = rows.reduce((sum, { rank }) => sum + (rank > 0 ? 1 / rank : 0), 0);
  return {
    questions: rows.length,
    'any@1': among(1),
    'any@5': among(5),
    'any@10': among(LIMIT),
    mrr: rows.length === 0 ? null : (100 * reciprocal) / rows.length,
  };
}
