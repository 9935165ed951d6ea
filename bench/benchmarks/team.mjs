import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { sampleTexts } from '../corpus.mjs';
import { median, quantile } from '../measure.mjs';
import { findPostgres, startPostgres } from '../postgres.mjs';
import { atLeast, atMost, info } from '../runner/result.mjs';

const BATCH = 1_000;
const DAY_MS = 86_400_000;
/** The records are of this many days, the last of which is today. */
const DAYS = 90;
const LOOKBACK_DAYS = 7;
const FAILED_SHARE = 0.05;
const QUERIES = 240;
const READS = 15;
/** Machines that have published failures, and how many each. */
const MACHINES = 20;
const FAILURES_PER_MACHINE = 100;
/** Records that are pushed to measure how fast that is. The rest of a size is made by the server. */
const PUSHED = 30_000;
/** The first records are all pushed. */
const FIRST = 50_000;
/** Months that the days touch at most. */
const MONTHS = 4;
/** The server's own plan for some of the queries takes seconds. */
const BARE_QUERIES = 24;
const PROJECT = 'bench';

/** The sizes at which everything is measured. */
const SIZES = [FIRST, 500_000, 5_000_000];

/** A team's store on a PostgreSQL server on this machine. */
export const team = {
  group: 'team',
  description:
    "a team's store on PostgreSQL, compared with bare SQL (500,000 records in one project; 5 million with --full)",
  names: {
    'team.push': 'records pushed per second, in batches of 1,000, one machine',
    'team.push-ratio': 'the same, compared with plain inserts of the same texts with the same full-text index',
    'team.failures': "time to read a project's failures of the last seven days with what worked instead",
    'team.failures-ratio': 'the same, compared with one SELECT of the same texts',
    'team.search': '95th percentile of a search: words, prefixes, substrings, questions',
    'team.search-median': 'median of a search',
    'team.search-cpu': '95th percentile of the processor time of a search, server and client (Linux)',
    'team.search-ratio': 'the same percentile, compared with one SELECT by the words of the query, newest first',
    'team.bytes': 'bytes on disk per record, with indexes',
    ...Object.fromEntries(
      SIZES.flatMap((size) => [
        [`team.push-${label(size)}`, `records pushed per second with ${label(size)} records`],
        [`team.search-${label(size)}`, `95th percentile of a search with ${label(size)} records`],
        [`team.search-cpu-${label(size)}`, `95th percentile of its processor time with ${label(size)} records`],
      ]),
    ),
  },
  async *run(context) {
    const programs = findPostgres();
    if (programs === undefined) throw new Error('PostgreSQL is not installed (Debian package postgresql)');
    const store = await context.load('postgres/index.js');
    const { PostgresConnection, parseAddress } = store;
    const folder = context.folder('postgres');
    chmodSync(new URL('.', `file://${folder}`).pathname, 0o755);
    const { url, stop } = await startPostgres(programs, folder, async (address) => {
      const connection = await PostgresConnection.open(parseAddress(address)).catch(() => undefined);
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

function label(size) {
  return size >= 1_000_000 ? `${size / 1_000_000}m` : `${size / 1_000}k`;
}

async function* measure(context, store, url) {
  const { PostgresConnection, PostgresStore, parseAddress, createTeamTables, ensureTeam, addMember } = store;
  const sizes = SIZES.filter((size) => context.full || size <= 500_000);
  const owner = await PostgresConnection.open(parseAddress(url));
  await createTeamTables(owner);
  const teamId = await ensureTeam(owner, 'bench');
  const join = async (machine) => {
    const { role, password } = await addMember(owner, teamId);
    const address = new URL(url);
    address.username = role;
    address.password = password;
    return PostgresStore.open(parseAddress(address.href), machine);
  };
  const member = await join('machine-1');
  const [{ pid: server }] = await owner.query("SELECT pid FROM pg_stat_activity WHERE usename LIKE 'yore_member_%'");
  const texts = sampleTexts(20_000);
  const queries = createQueries(texts);
  const clock = { started: Date.now() - DAYS * DAY_MS, total: sizes.at(-1) };

  await prepareMonths(member, clock);
  let size = 0;
  let pushed;
  let searched;
  let searchedCpu;
  for (const wanted of sizes) {
    context.log(`${wanted.toLocaleString('en')} records`);
    if (size > 0) await multiply(owner, clock, size, wanted - PUSHED, context.log);
    const from = size === 0 ? 0 : wanted - PUSHED;
    pushed = await pushRecords(member, from, wanted, clock, texts);
    size = wanted;
    await owner.run('VACUUM ANALYZE yore.record');
    await owner.run('VACUUM ANALYZE yore.term');
    const cpu = [];
    searched = await times(queries, async (text) => {
      const before = processorTime(server);
      await member.search([PROJECT], { text });
      cpu.push(processorTime(server) - before);
    });
    searchedCpu = quantile(cpu, 0.95);
    yield info(`team.push-${label(size)}`, pushed, 'records/s');
    yield info(`team.search-${label(size)}`, quantile(searched, 0.95), 'ms');
    yield info(`team.search-cpu-${label(size)}`, searchedCpu, 'ms');
  }
  const bare = await pushBare(owner, clock, texts);
  yield atLeast('team.push', pushed, 'records/s', 5_000);
  yield info('team.push-ratio', pushed / bare, '×');

  yield* measureFailures(owner, join, texts);
  yield atMost('team.search', quantile(searched, 0.95), 'ms', 50);
  yield info('team.search-median', median(searched), 'ms');
  yield info('team.search-cpu', searchedCpu, 'ms');
  const searchedBare = await times(queries.slice(0, BARE_QUERIES), (text) => searchBare(owner, text));
  yield info('team.search-ratio', quantile(searched, 0.95) / quantile(searchedBare, 0.95), '×');
  const [{ bytes }] = await owner.query(
    "SELECT sum(pg_total_relation_size(oid))::float8 AS bytes FROM pg_class WHERE relnamespace = 'yore'::regnamespace AND relkind = 'r'",
  );
  yield info('team.bytes', bytes / size, 'bytes');
  await member.close();
  await owner.close();
}

/** Creates the partitions, with a record in each. */
async function prepareMonths(member, { started }) {
  const records = Array.from({ length: MONTHS }, (_, n) => {
    const timestamp = new Date(started + (n / (MONTHS - 1)) * DAYS * DAY_MS).toISOString();
    const record = { v: 1, id: `month-${n}`, sessionId: 'months', timestamp, role: 'user', content: 'A new month' };
    return { log: 'history', record };
  });
  await member.push(PROJECT, records);
}

/** Pushes records as a sync does: while the server stores one batch, the next one is prepared. Returns the rate. */
async function pushRecords(member, from, to, clock, texts) {
  const before = performance.now();
  let inFlight;
  for (let next = from; next < to; next += BATCH) {
    const records = Array.from({ length: BATCH }, (_, n) => createRecord(next + n, clock, texts));
    const sent = member.push(PROJECT, records);
    await inFlight;
    inFlight = sent;
  }
  await inFlight;
  return (to - from) / ((performance.now() - before) / 1_000);
}

/**
 * Lets the server make records `from` to `to` out of the first ones, with ids, times and numbers of their own. It is left
 * with the same rows and the same words in its indexes as if they had been pushed.
 */
async function multiply(owner, { started, total }, from, to, log) {
  // Faster without the index of words, which is created again.
  const [{ indexdef }] = await owner.query("SELECT indexdef FROM pg_indexes WHERE indexname = 'record_words'");
  await owner.run('DROP INDEX yore.record_words');
  for (let next = from; next < to; next += FIRST) {
    if ((next / FIRST) % 10 === 0) log(`${next.toLocaleString('en')} records`);
    const format = `'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`;
    await owner.run(`
      WITH source AS (
        SELECT *, substr(id, 2)::bigint AS m, ${next} + substr(id, 2)::bigint AS n FROM yore.record
        WHERE project = '${PROJECT}' AND seq <= ${FIRST + MONTHS} AND id LIKE 'r%'
      ), dated AS (
        SELECT *, date_trunc('milliseconds', to_timestamp((${started} + (n::float8 / ${total}) * ${DAYS * DAY_MS}) / 1000))
          AS made_at FROM source WHERE n < ${to}
      ), made AS (
        INSERT INTO yore.record (team, project, author, session, log, id, at, seq, machine, kind, body, words)
        SELECT team, project, author, 'session-' || n / 100, log, 'r' || n, made_at, n + 1 + ${MONTHS}, machine, kind,
          replace(replace(replace(replace(body, '"id":"r' || m || '"', '"id":"r' || n || '"'),
            '"' || session || '"', '"session-' || n / 100 || '"'),
            to_char(at AT TIME ZONE 'UTC', ${format}), to_char(made_at AT TIME ZONE 'UTC', ${format})),
            ' ' || m || '"', ' ' || n || '"'),
          CASE WHEN log = 'history' THEN ts_delete(words, '1:' || m) || array_to_tsvector(ARRAY['1:' || n]) ELSE words END
        FROM dated RETURNING team, project, author, session, at, id, log
      ), sessions AS (
        INSERT INTO yore.session AS s SELECT team, project, author, session, min(at), max(at), count(*) FROM made
        GROUP BY 1, 2, 3, 4 ON CONFLICT (team, project, author, session) DO UPDATE SET records = s.records + excluded.records
      )
      INSERT INTO yore.term SELECT team, project, substr(id, 2) FROM made WHERE log = 'history' ON CONFLICT DO NOTHING`);
  }
  await owner.run(`UPDATE yore.project SET last_seq = ${to + MONTHS}`);
  await owner.run(`SET statement_timeout = 0; ${indexdef.replace(' ON ONLY ', ' ON ')}`);
}

async function* measureFailures(owner, join, texts) {
  const now = Date.now();
  for (let machine = 0; machine < MACHINES; machine++) {
    const member = await join(`machine-${machine}`);
    const failures = Array.from({ length: FAILURES_PER_MACHINE }, (_, n) => createFailure(machine, n, now, texts));
    await member.publish(PROJECT, { failures, antiPatterns: [], bestPractices: [] }, now);
    await member.close();
  }
  const reader = await join('reader');
  const reads = Array.from({ length: READS }, (_, n) => n);
  const found = await times(reads, () => reader.failures(PROJECT, now, LOOKBACK_DAYS));
  const since = new Date(now - LOOKBACK_DAYS * DAY_MS).toISOString();
  const select = 'SELECT body FROM yore.lesson WHERE project = $1 AND at >= $2 ORDER BY at DESC LIMIT 300';
  const bare = await times(reads, () => owner.query(select, [PROJECT, since]));
  yield atMost('team.failures', median(found), 'ms', 100);
  yield info('team.failures-ratio', median(found) / median(bare), '×');
  await reader.close();
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

/** The processor time of this process and, on Linux, of a process of the server, in milliseconds. */
function processorTime(server) {
  const { user, system } = process.cpuUsage();
  const file = `/proc/${server}/schedstat`;
  const nanoseconds = existsSync(file) ? Number(readFileSync(file, 'utf8').split(' ')[0]) : 0;
  return (user + system) / 1e3 + nanoseconds / 1e6;
}

/** Messages and attempts in turn, one session per hundred records, evenly spread over the days. */
function createRecord(n, { started, total }, texts) {
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

/** A failure as the guard of a machine knows it. */
function createFailure(machine, n, now, texts) {
  const lastAt = now - ((n * MACHINES + machine) / (MACHINES * FAILURES_PER_MACHINE)) * LOOKBACK_DAYS * DAY_MS;
  const what = `npm run task-${machine}-${n}`;
  const line = texts[(n * 31 + machine) % texts.length].slice(0, 200);
  const shell = { attemptId: `a${n}`, at: lastAt, line, errorSignature: line, what, signature: `sh ${what}` };
  return {
    ...{ key: `call:sh ${what}`, class: 'usage', occurrences: { shell }, lastAt, count: 1, relapses: 0 },
    ...{ sessions: [`session-${n}`], worktrees: [], agents: ['claude-code'], circumstances: [] },
    resolution: { attemptId: `b${n}`, at: lastAt + 1_000, what: `npm run other-${n}` },
  };
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

/** One SELECT with the words of the query, as one would write it. */
function searchBare(owner, text) {
  const words = text.toLowerCase().match(/[a-z0-9]+/g) ?? ['a'];
  const query = words.map((word) => `'1:${word}':*`).join(' & ');
  return owner.query('SELECT body FROM yore.record WHERE words @@ $1::tsquery ORDER BY at DESC LIMIT 50', [query]);
}

/** Plain inserts with PostgreSQL's own search vectors. */
async function pushBare(owner, clock, texts) {
  await owner.run(`CREATE TABLE bare (id text, at timestamptz, body text, words tsvector, PRIMARY KEY (id, at));
    CREATE INDEX ON bare USING gin (words)`);
  const sql = `INSERT INTO bare SELECT id, at, body, to_tsvector('simple', body)
    FROM unnest($1::text[], $2::timestamptz[], $3::text[]) AS sent (id, at, body)`;
  let elapsed = 0;
  for (let next = 0; next < PUSHED; next += BATCH) {
    const records = Array.from({ length: BATCH }, (_, n) => createRecord(next + n, clock, texts));
    const before = performance.now();
    await owner.query(sql, [
      records.map(({ record }) => record.id),
      records.map(({ record }) => record.timestamp),
      records.map(({ record }) => JSON.stringify(record)),
    ]);
    elapsed += performance.now() - before;
  }
  return PUSHED / (elapsed / 1_000);
}
