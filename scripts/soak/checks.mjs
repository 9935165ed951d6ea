// What must hold after a soak, whatever happened during it.
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PACKAGE } from './world.mjs';

/** Records of a newer version are reported with exit code 7. */
function isFine(code) {
  return code === 0 || code === 7;
}

/** Brings a home to rest: drains, imports, finishes deletions, and updates snapshots. Returns what went wrong. */
export async function settle(world) {
  const calm = { mayKill: false, mayJump: false };
  const problems = [];
  for (const args of [['status'], ['import'], ['search', 'make'], ['doctor']]) {
    const { code, stderr, stdout } = await world.yore(args, calm);
    if (!isFine(code)) problems.push(`yore ${args.join(' ')} ended with ${code}: ${stderr || stdout}`);
  }
  for (const cwd of world.projects) {
    await world.hook('claude-code', { session_id: 'last', cwd, hook_event_name: 'Stop' }, { cwd, ...calm });
    for (const command of ['recap', 'knowledge']) await world.yore([command], { cwd, ...calm });
  }
  if (world.backup !== undefined) {
    const { code, stderr } = await world.yore(
      ['--home', join(world.folder, 'restored'), 'restore', world.backup],
      calm,
    );
    if (!isFine(code)) problems.push(`the backup cannot be restored: ${stderr}`);
  }
  return problems;
}

/** Checks that the index says the same as one that is built from the logs. */
export async function checkIndex(world) {
  const before = await describeIndex(world);
  const { code, stderr } = await world.yore(['reindex'], { mayKill: false, mayJump: false });
  if (!isFine(code)) return [`yore reindex ended with ${code}: ${stderr}`];
  const after = await describeIndex(world);
  return before === after ? [] : [`the index differs from a rebuilt one:\n${firstDifference(before, after)}`];
}

async function describeIndex(world) {
  const { openHome } = await import(pathToFileURL(join(PACKAGE, 'dist', 'index.js')).href);
  const home = openHome({ home: world.home });
  const { sessions } = home.listSessions({ limit: 1e6 });
  const tokens = [...world.records.keys()].filter((_, index) => index % 7 === 0);
  const hits = tokens.map((text) => [
    text,
    home
      .search({ text, limit: 50 })
      // Of records within one second, which are neighbours and which of very many are read depends on the order of indexing.
      .hits.filter(({ match }) => match !== 'related')
      .map(({ sessionId }) => sessionId)
      .sort(),
  ]);
  home.close();
  return JSON.stringify({ sessions: sessions.toSorted((a, b) => (a.sessionId < b.sessionId ? -1 : 1)), hits }, null, 1);
}

function firstDifference(one, other) {
  const [lines, others] = [one.split('\n'), other.split('\n')];
  const at = lines.findIndex((line, index) => line !== others[index]);
  return `- ${lines.slice(at, at + 4).join('\n- ')}\n+ ${others.slice(at, at + 4).join('\n+ ')}`;
}

/** Checks that each acknowledged record is in the logs once, and that nothing is there twice. */
export function checkRecords(world) {
  const found = countTokens(world);
  const problems = [];
  for (const [token, { kind, sessionId, state }] of world.records) {
    const count = found.get(token) ?? 0;
    const { forget } = world.sessions.get(sessionId) ?? {};
    if (count > 1) problems.push(`${token} (${kind}, ${state}) is recorded ${count} times`);
    else if (forget === 'done' && count > 0) problems.push(`${token} of a forgotten session is still recorded`);
    else if (forget === undefined && state !== 'unknown' && count === 0)
      problems.push(`${token} (${kind}, ${state}) is lost`);
  }
  for (const { id, forget } of world.sessions.values()) {
    const counts = [...world.records].flatMap(([token, { sessionId, state }]) =>
      sessionId === id && state === 'acknowledged' ? [found.get(token) ?? 0] : [],
    );
    if (forget === 'unknown' && new Set(counts).size > 1) problems.push(`session ${id} is half forgotten`);
  }
  return problems;
}

/** How many records contain each token, not counting those that quote another record. */
function countTokens(world) {
  const counts = new Map();
  const add = (token) => world.records.has(token) && counts.set(token, (counts.get(token) ?? 0) + 1);
  for (const line of logLines(world.home)) {
    const record = parse(line);
    if (record === undefined) continue;
    if (record.v === 99) add(record.id);
    else if (typeof record.command === 'string') add(/^make (soak\w+)$/.exec(record.command)?.[1]);
    else if (record.kind === 'note') add(/soaknote\w+/.exec(record.pattern)?.[0]);
    else if (record.role === 'user') add(/soak(?:prompt|message|question)\w+/.exec(record.content)?.[0]);
    else if (record.role === 'assistant') add(/^did (soakmessage\w+)/.exec(record.content)?.[1]);
  }
  return counts;
}

function* logLines(home) {
  for (const path of files(home)) {
    if (!/\/(?:history|failures|successes)(?:-\d+)?\.jsonl$/.test(path)) continue;
    yield* readFileSync(path, 'utf8').split('\n');
  }
}

function parse(line) {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function files(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((item) => item.isFile())
    .map((item) => join(item.parentPath ?? item.path, item.name));
}

/** Checks that no byte of a forgotten session is left. */
export function checkForgotten(world) {
  const forgotten = [...world.records].filter(([, { sessionId }]) => world.sessions.get(sessionId)?.forget === 'done');
  return files(world.home).flatMap((path) => {
    const text = readFileSync(path, 'latin1').toLowerCase();
    const left = forgotten.filter(([token]) => text.includes(token));
    return left.map(([token, { sessionId }]) => `${token} of the forgotten session ${sessionId} is still in ${path}`);
  });
}

const LEFTOVER = /\.(?:tmp|lock|takeover)$|\/spool\.(?:taken|progress|jsonl)$|\/deletions\/.+/;

/** Checks that nothing is left that belongs to a running process. */
export function checkLeftovers(world) {
  const left = files(world.home).filter((path) => LEFTOVER.test(path));
  return [
    ...left.map((path) => `${path} is left`),
    ...findProcesses(world.folder).map((pid) => `process ${pid} still runs: ${commandOf(pid)}`),
  ];
}

function commandOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return 'it has just ended';
  }
}

function findProcesses(folder) {
  if (!existsSync('/proc/self')) return [];
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid) || pid === String(process.pid)) return false;
    try {
      return readlinkSync(`/proc/${pid}/cwd`).startsWith(`${folder}/`);
    } catch {
      return false;
    }
  });
}
