import { readFileSync } from 'node:fs';
import { quantile } from '../measure.mjs';
import { atMost, info } from '../runner/result.mjs';
import { connect, createLargeHome, deleteSnapshots, startServer } from '../web-home.mjs';

const SESSIONS = { sample: 10_000, full: 100_000 };
const ROUNDS = 7;
const PAUSE_MS = 20;
const IDLE_MS = 2000;
/** What the page of usage shows at first. */
const USAGE_MS = 30 * 86_400_000;

/** Queries by kind. */
const QUERIES = {
  common: ['error', 'the file', 'test', 'update the'],
  rare: ['item4711', 'item90210', '"item777"'],
  substring: ['tem12345', 'rror', 'issing scri'],
  nonsense: ['zzzqqqxxx', 'qwertzuiopü', '§§§ %%%'],
  letter: ['e', 'a', 'x'],
};

/** The app's server over a large home, and the app in a browser. */
export const web = {
  group: 'web',
  description:
    'the built server over a home of 10,000 sessions and 100,000 messages (--full: ten times that), and the app in Chromium',
  names: {
    'web.list': 'p95 of listing sessions: the first page, pages far down (web.list.deep), filtered (web.list.filtered)',
    'web.search': 'slowest query of each kind, e.g. web.search.common, by the median of its rounds',
    'web.session': 'a page of a session of 10,000 messages: first request, middle, around a message',
    'web.overview': 'overview of a project: first request, later ones',
    'web.timeline': 'timeline of a project',
    'web.memory': 'memory of a project',
    'web.facets': 'how many sessions each choice of the filters would list',
    'web.activity': 'the numbers of the list of projects',
    'web.file':
      'a file that hundreds of sessions changed (--full: thousands): its latest changes, its lines with who wrote them',
    'web.usage': 'what was used: by one project in 30 days, by all at any time',
    'web.meanwhile':
      'slowest list or health check while the first overview of a project is computed; web.meanwhile.idle: while idle',
    'web.rss': 'memory of the server at the end',
    'web.page': 'the app in Chromium, if it is installed',
  },
  async *run(context) {
    const large = await createLargeHome(context, context.full ? SESSIONS.full : SESSIONS.sample);
    const [project, other] = large.projects;
    for (const id of [project, other]) deleteSnapshots(large.home, id);
    const server = await startServer(context, large);
    const client = await connect(server);
    const watcher = await connect(server);
    context.onClose(() => {
      client.close();
      watcher.close();
    });
    const time = async (method, params) => (await client.call(method, params)).ms;

    yield atMost('web.list.first', await time('history.listSessions', {}), 'ms', 300);
    yield atMost('web.list', await p95(() => time('history.listSessions', {})), 'ms', 50);
    const last = large.sessions - 100;
    yield atMost(
      'web.list.deep',
      await p95(() => time('history.listSessions', { offset: last, limit: 100 })),
      'ms',
      50,
    );
    const filter = { role: 'assistant', outcome: 'failure', agent: 'codex' };
    yield atMost('web.list.filtered', await p95(() => time('history.listSessions', filter)), 'ms', 50);

    await time('history.search', { query: 'warm up' });
    for (const [kind, queries] of Object.entries(QUERIES)) {
      const worst = [];
      for (const query of queries) worst.push(await median(() => time('history.search', { query })));
      yield atMost(`web.search.${kind}`, Math.max(...worst), 'ms', 300);
    }

    const { longSession } = large;
    yield info('web.session.first', await time('history.getSession', longSession), 'ms');
    const middle = await client.call('history.getSession', { ...longSession, offset: 5000 });
    yield atMost('web.session.middle', middle.ms, 'ms', 100);
    const around = middle.result.records.slice(77).find(({ message }) => message !== undefined).message.id;
    yield atMost(
      'web.session.around',
      await p95(() => time('history.getSession', { ...longSession, around })),
      'ms',
      100,
    );

    yield info('web.overview.first', await time('project.overview', { project }), 'ms');
    yield info('web.overview', await median(() => time('project.overview', { project })), 'ms');
    yield info('web.timeline', await median(() => time('project.timeline', { project })), 'ms');
    yield info('web.memory', await median(() => time('memory.get', { project })), 'ms');
    yield info('web.facets', await median(() => time('history.facets', {})), 'ms');
    yield info('web.activity', await median(() => time('project.activity', {})), 'ms');
    const { file } = large;
    yield atMost('web.file.changes', await median(() => time('changes.file', { project, path: file })), 'ms', 100);
    yield atMost('web.file.lines', await median(() => time('changes.blame', { project, path: file })), 'ms', 250);
    const since = new Date(Date.now() - USAGE_MS).toISOString();
    yield atMost('web.usage.project', await median(() => time('usage.get', { project, since })), 'ms', 200);
    yield info('web.usage.all', await median(() => time('usage.get', {})), 'ms');

    const idle = new Promise((resolve) => setTimeout(resolve, IDLE_MS));
    yield info('web.meanwhile.idle', await slowestMeanwhile(client, server, idle), 'ms');
    const overview = watcher.call('project.overview', { project: other });
    yield atMost('web.meanwhile', await slowestMeanwhile(client, server, overview), 'ms', 50);
    yield info('web.rss', residentMegabytes(server.pid), 'MB');
    yield* pageResults(context, server, large);
  },
};

/** Requests lists and health checks until `other` is done. Returns the slowest time. */
async function slowestMeanwhile(client, { port }, other) {
  let isDone = false;
  const ended = other.then(() => {
    isDone = true;
  });
  const times = [];
  while (!isDone) {
    times.push((await client.call('history.listSessions', {})).ms);
    const started = performance.now();
    await (await fetch(`http://127.0.0.1:${port}/health`)).text();
    times.push(performance.now() - started);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  await ended;
  return Math.max(...times);
}

async function* pageResults(context, server, { longSession, file }) {
  const { chromiumPath, measurePage } = await import('../web-page.mjs');
  if (chromiumPath === undefined) {
    context.log('skipped web.page: Chromium is not installed');
    return;
  }
  const words = { common: 'error', rare: 'item4711', substring: 'tem1234', nonsense: 'zzzqqqxxx' };
  for (const { name, value, unit, limit } of await measurePage({
    url: server.url,
    words,
    longSession,
    file,
    log: context.log,
  })) {
    yield limit === null ? info(name, value, unit) : atMost(name, value, unit, limit);
  }
}

async function rounds(work) {
  const times = [];
  for (let round = 0; round < ROUNDS; round++) times.push(await work());
  return times;
}

async function p95(work) {
  return quantile(await rounds(work), 0.95);
}

async function median(work) {
  return quantile(await rounds(work), 0.5);
}

function residentMegabytes(pid) {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return Number(kilobytes) / 1024;
  } catch {
    return Number.NaN;
  }
}
