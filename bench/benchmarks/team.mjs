import { chmodSync } from 'node:fs';
import { sampleTexts } from '../corpus.mjs';
import { median, quantile } from '../measure.mjs';
import { findPostgres, startPostgres } from '../postgres.mjs';
import { atLeast, atMost, info } from '../runner/result.mjs';

const BATCH = 500;
const DAY_MS = 86_400_000;
/** The records are of this many days, the last of which is today. */
const DAYS = 90;
const LOOKBACK_DAYS = 7;
const FAILED_SHARE = 0.05;
const QUERIES = 120;
const READS = 15;
const PROJECT = 'bench';

/** A team's store on a PostgreSQL server on this machine. */
export const team = {
  group: 'team',
  description:
    "a team's store on PostgreSQL, compared with bare SQL (500,000 records in one project; 5 million with --full)",
  names: {
    'team.push': 'records pushed per second, in batches of 500, one machine',
    'team.push-first': 'the same for the first tenth',
    'team.push-last': 'the same for the last tenth',
    'team.push-bare': 'rows per second that plain inserts of the same texts reach',
    'team.failures': "time to read a project's failures of the last seven days with what worked instead",
    'team.failures-bare': 'time of one SELECT of the same failures',
    'team.search': '95th percentile of a search: words, prefixes, substrings, questions',
    'team.search-median': 'median of a search',
    'team.search-tenth': '95th percentile of a search with a tenth of the records',
    'team.search-bare': '95th percentile of one SELECT with the words of the query',
    'team.bytes': 'bytes on disk per record, with indexes',
  },
  async *run(context) {
    const programs = findPostgres();
    if (programs === undefined) throw new Error('PostgreSQL is not installed (Debian package postgresql)');
    const store = await context.load('postgres/index.js');
    const { Connection, parseAddress } = store;
    const folder = context.folder('postgres');
    chmodSync(new URL('.', `file://${folder}`).pathname, 0o755);
    const { url, stop } = await startPostgres(programs, folder, async (address) => {
      const connection = await Connection.open(parseAddress(address)).catch(() => undefined);
      await connection?.close();
      return connection !== undefined;
    });
    try {
      yield* measure(context, store, url);
    } finally {
      await stop();
    }
  },
};

async function* measure(
  context,
  { Connection, PostgresStore, parseAddress, createTables, ensureTeam, addMember },
  url,
) {
  const total = context.full ? 5_000_000 : 500_000;
  const owner = await Connection.open(parseAddress(url));
  await createTables(owner);
  const { role, password } = await addMember(owner, await ensureTeam(owner, 'bench'));
  const address = new URL(url);
  address.username = role;
  address.password = password;
  const member = await PostgresStore.open(parseAddress(address.href), 'machine-1');
  const texts = sampleTexts(20_000);
  const queries = createQueries(texts);
  const started = Date.now() - DAYS * DAY_MS;

  const rates = [];
  let searchTenth = 0;
  let inFlight;
  let before = performance.now();
  for (let from = 0; from < total; from += BATCH) {
    const records = Array.from({ length: BATCH }, (_, n) => createRecord(from + n, total, started, texts));
    // As in a sync: while the server stores one batch, the next one is prepared.
    const sent = member.push(PROJECT, records);
    await inFlight;
    inFlight = sent;
    const now = performance.now();
    rates.push(BATCH / ((now - before) / 1_000));
    before = now;
    if (from + BATCH === total / 10) {
      await owner.run('ANALYZE yore.record');
      searchTenth = quantile(await times(queries, (text) => member.search(PROJECT, { text })), 0.95);
      before = performance.now();
    }
    if ((from / BATCH) % 100 === 0) context.log(`${from.toLocaleString('en')} records`);
  }
  await inFlight;
  await owner.run('VACUUM ANALYZE yore.record');
  const tenth = Math.floor(rates.length / 10);
  yield atLeast('team.push', harmonicMean(rates), 'records/s', 5_000);
  yield info('team.push-first', harmonicMean(rates.slice(0, tenth)), 'records/s');
  yield info('team.push-last', harmonicMean(rates.slice(-tenth)), 'records/s');
  yield info('team.push-bare', await pushBare(owner, texts, started), 'rows/s');

  const reads = Array.from({ length: READS }, () => '');
  const failures = await times(reads, () => member.failures(PROJECT, Date.now(), LOOKBACK_DAYS));
  yield atMost('team.failures', median(failures), 'ms', 100);
  const since = new Date(Date.now() - LOOKBACK_DAYS * DAY_MS).toISOString();
  const select = `SELECT body FROM yore.record WHERE project = $1 AND at >= $2 AND kind = 'failure' ORDER BY at DESC LIMIT 5000`;
  yield info('team.failures-bare', median(await times(reads, () => owner.query(select, [PROJECT, since]))), 'ms');

  const searches = await times(queries, (text) => member.search(PROJECT, { text }));
  yield atMost('team.search', quantile(searches, 0.95), 'ms', 50);
  yield info('team.search-median', median(searches), 'ms');
  yield info('team.search-tenth', searchTenth, 'ms');
  const [{ number }] = await owner.query('SELECT number FROM yore.project');
  const bare = `SELECT body FROM yore.record WHERE words @@ $1::tsquery ORDER BY at DESC LIMIT 50`;
  const toQuery = (text) =>
    (text.toLowerCase().match(/[a-z0-9]+/g) ?? ['a']).map((word) => `'${number}:${word}':*`).join(' & ');
  yield info(
    'team.search-bare',
    quantile(await times(queries, (text) => owner.query(bare, [toQuery(text)])), 0.95),
    'ms',
  );
  const [{ bytes }] = await owner.query(
    "SELECT sum(pg_total_relation_size(oid))::float8 AS bytes FROM pg_class WHERE relnamespace = 'yore'::regnamespace AND relkind = 'r'",
  );
  yield info('team.bytes', bytes / total, 'bytes');
  await member.close();
  await owner.close();
}

/** How long each call takes, in milliseconds. */
async function times(values, work) {
  const found = [];
  for (const value of values) {
    const before = performance.now();
    await work(value);
    found.push(performance.now() - before);
  }
  return found;
}

function harmonicMean(rates) {
  return rates.length / rates.reduce((sum, rate) => sum + 1 / rate, 0);
}

/** Messages and attempts in turn, one session per hundred records, evenly spread over the days. */
function createRecord(n, total, started, texts) {
  const text = texts[(n * 7_919) % texts.length];
  const timestamp = new Date(started + (n / total) * DAYS * DAY_MS).toISOString();
  const common = { v: 1, id: `r${n}`, sessionId: `session-${Math.floor(n / 100)}`, timestamp, agent: 'claude-code' };
  if (n % 2 === 0)
    return { log: 'history', record: { ...common, role: n % 4 === 0 ? 'user' : 'assistant', content: `${text} ${n}` } };
  const isFailure = (n * 31) % 1_000 < FAILED_SHARE * 2_000;
  const call = { ...common, tool: 'Bash', callId: `c${n}`, command: `npm run ${text.slice(0, 40)}-${n % 5_000}` };
  if (isFailure)
    return { log: 'failures', record: { ...call, outcome: 'failure', exitCode: 1, error: `Error: ${text}` } };
  return { log: 'successes', record: { ...call, outcome: 'success', result: text.slice(0, 200) } };
}

/** What people type: words, beginnings and middles of words, numbers, several words, questions. */
function createQueries(texts) {
  return Array.from({ length: QUERIES }, (_, n) => {
    const words = texts[(n * 101) % texts.length].match(/[A-Za-z]{4,}/g) ?? ['cache'];
    const word = words[n % words.length];
    switch (n % 6) {
      case 0:
        return word;
      case 1:
        return words.slice(0, 2).join(' ');
      case 2:
        return word.slice(0, 4);
      case 3:
        return word.slice(1, -1);
      case 4:
        return String(n * 1_117);
      default:
        return `why does ${words.slice(0, 3).join(' ')} fail`;
    }
  });
}

async function pushBare(owner, texts, started) {
  await owner.run('CREATE TABLE bare (id text, at timestamptz, body text, PRIMARY KEY (id, at))');
  const rates = [];
  for (let round = 0; round < 20; round++) {
    const records = Array.from({ length: BATCH }, (_, n) => createRecord(round * BATCH + n, 1_000_000, started, texts));
    const values = [
      records.map(({ record }) => record.id),
      records.map(({ record }) => record.timestamp),
      records.map(({ record }) => JSON.stringify(record)),
    ];
    const before = performance.now();
    await owner.query('INSERT INTO bare SELECT * FROM unnest($1::text[], $2::timestamptz[], $3::text[])', values);
    rates.push(BATCH / ((performance.now() - before) / 1_000));
  }
  return harmonicMean(rates);
}
