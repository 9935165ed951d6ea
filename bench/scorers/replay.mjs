// Would a warning have been right? Recorded sessions are sent to a program in time order. Before each call it says
// whether it warns; the recorded outcome, which it is told afterwards, shows whether that was right.
import { basename } from 'node:path';
import { quantile } from '../measure.mjs';
import { callKey, commandOf, errorCause, errorSignature, isProbe, isShellCall } from './call-key.mjs';
import { readEvents } from './find.mjs';
import { Program } from './program.mjs';

/** An earlier failure is not repeated, but forgotten. */
const LOOKBACK_MS = 7 * 86_400_000;
const LOG_EVERY = 10_000;

/**
 * @typedef {object} Row a call that ended
 * @property {boolean} isWarned
 * @property {boolean} hasFailed
 * @property {boolean} isDefinite whether it certainly failed or certainly succeeded
 * @property {boolean} isMatched whether the warning names the failure that it is based on
 * @property {boolean} isHelpful whether the call failed with the error of that failure
 * @property {'same' | 'cross' | undefined} repeat whether it repeats a failure of this session, or of others only
 * @property {boolean} isSameError whether it repeats the error as well
 * @property {boolean} isProbe
 * @property {boolean} isKin whether another command has failed with the same error line
 */

/**
 * @param {readonly string[]} files corpora, `.jsonl.gz`
 * @param {{command: readonly string[], log: (text: string) => void}} options
 */
export async function scoreReplay(files, { command, log }) {
  const corpora = [];
  for (const file of files) {
    const name = basename(file, '.jsonl.gz');
    log(`${name}: replaying`);
    corpora.push({ name, ...(await replayCorpus(name, file, command, log)) });
  }
  const rows = corpora.flatMap((corpus) => corpus.rows);
  const times = corpora.flatMap((corpus) => corpus.times);
  return {
    benchmark: 'replay',
    all: summarise(rows),
    corpora: Object.fromEntries(corpora.map((corpus) => [corpus.name, summarise(corpus.rows)])),
    latencyMs: { p50: quantile(times, 0.5), p99: quantile(times, 0.99) },
  };
}

async function replayCorpus(name, file, command, log) {
  const program = new Program(command);
  const history = createHistory();
  const [rows, times] = [[], []];
  try {
    await program.tell({ type: 'project', name });
    for await (const event of readEvents(file)) {
      if (event.type === 'call') {
        const { reply, milliseconds } = await program.ask(event);
        if (reply.id !== event.id || typeof reply.warn !== 'boolean') {
          throw new Error(`the reply to ${event.id} needs "id" and "warn": ${JSON.stringify(reply).slice(0, 200)}`);
        }
        times.push(milliseconds);
        history.begin(event, reply);
        if (times.length % LOG_EVERY === 0) log(`${name}: ${times.length.toLocaleString('en-US')} calls`);
        continue;
      }
      await program.tell(event);
      const row = event.type === 'outcome' ? history.end(event) : undefined;
      if (row !== undefined) rows.push(row);
    }
  } finally {
    await program.close();
  }
  return { rows, times };
}

/** What has happened in a corpus so far. */
function createHistory() {
  /** Folders in which sessions started, longest first. @type {string[]} */
  const roots = [];
  const sessions = new Set();
  const running = new Map();
  /** Failures of each key since its last success. @type {Map<string, {time: number, session: string, signature: string}[]>} */
  const failuresOf = new Map();
  /** Signatures of failed calls by id. @type {Map<string, string>} */
  const signatures = new Map();
  /** The last command that failed with each error line. @type {Map<string, {order: number, time: number, key: string | undefined}>} */
  const causes = new Map();
  let order = 0;

  const noteRoot = ({ session, cwd }) => {
    if (sessions.has(session)) return;
    sessions.add(session);
    if (!cwd || cwd.length <= 4 || roots.includes(cwd)) return;
    roots.push(cwd);
    roots.sort((a, b) => b.length - a.length);
  };
  const isKin = ({ call, key, began, isRepeat }, cause, now) => {
    const known = causes.get(cause);
    if (known === undefined || known.order < began) causes.set(cause, { order, time: now, key });
    if (isRepeat || cause === '' || known === undefined) return false;
    return known.key !== key && known.order < began && Date.parse(call.ts) - known.time <= LOOKBACK_MS;
  };
  return {
    begin(call, { warn, matched }) {
      noteRoot(call);
      const key = callKey(call, roots);
      const time = Date.parse(call.ts);
      const earlier = (failuresOf.get(key) ?? []).filter((failure) => time - failure.time <= LOOKBACK_MS);
      running.set(call.id, { call, key, earlier, isWarned: warn, matched, began: ++order });
    },
    /** @returns {Row | undefined} */
    end(outcome) {
      const begun = running.get(outcome.id);
      if (begun === undefined) return undefined;
      running.delete(outcome.id);
      order++;
      const { call, key, earlier, isWarned, matched } = begun;
      const now = Date.parse(outcome.ts);
      const hasFailed = isFailure(outcome);
      const hasSucceeded = isSuccess(call, outcome);
      const row = {
        ...{ isWarned, hasFailed, isDefinite: hasFailed || hasSucceeded, isProbe: isProbe(key) },
        ...{ isMatched: matched !== undefined, isHelpful: false, isSameError: false, isKin: false },
        repeat: undefined,
      };
      if (hasFailed) {
        const signature = errorSignature(outcome.output);
        const isRepeat = earlier.length > 0;
        if (isRepeat) row.repeat = earlier.some(({ session }) => session === call.session) ? 'same' : 'cross';
        row.isSameError = earlier.some((failure) => failure.signature === signature);
        row.isHelpful = isWarned && matched !== undefined && signatures.get(matched) === signature;
        if (isShellCall(call)) row.isKin = isKin({ ...begun, isRepeat }, errorCause(outcome.output, roots), now);
        signatures.set(outcome.id, signature);
        if (key !== undefined) {
          failuresOf.set(key, [...(failuresOf.get(key) ?? []), { time: now, session: call.session, signature }]);
        }
      } else if (hasSucceeded) failuresOf.delete(key);
      return row;
    },
  };
}

function isFailure({ status }) {
  return status === 'error' || status === 'invalid';
}

/** What hides the exit code of a command: a filter after it, or another command. */
const HIDES_EXIT_CODE =
  /\|\s*(?:tail|head|e?grep|rg|tee|cat|sed|awk|jq|less)\b|\|\|\s*(?:true|:|echo)\b|;\s*(?:echo|true)\b/;
const SHOWS_FAILURE = [
  /^(?:FAIL\b|--- FAIL|npm ERR!|Traceback )/m,
  /^\s*(?:\S+: )?(?:error|fatal|panic)(?:\[\w+\])?:/im,
  /command not found|: No such file or directory/,
  /^exit(?:ed| status| code)?[:= ]*(?:with code )?[1-9]/im,
  /\b[1-9]\d* (?:failed|failing|errors?)\b/i,
];

/** A success that is beyond doubt: not one whose exit code is hidden while its output shows a failure. */
function isSuccess(call, { status, output }) {
  if (status === 'nomatch') return true;
  if (status !== 'ok') return false;
  if (!isShellCall(call) || !HIDES_EXIT_CODE.test(commandOf(call))) return true;
  return !SHOWS_FAILURE.some((pattern) => pattern.test(output ?? ''));
}

/** @param {readonly Row[]} rows */
function summarise(rows) {
  const caught = (isCounted) => {
    const counted = rows.filter(isCounted);
    const warnedOf = counted.filter(({ isWarned }) => isWarned).length;
    return { calls: counted.length, caught: warnedOf, percent: percent(warnedOf, counted.length) };
  };
  const warned = rows.filter(({ isWarned }) => isWarned);
  const definite = warned.filter(({ isDefinite }) => isDefinite);
  const right = definite.filter(({ hasFailed }) => hasFailed);
  const matched = definite.filter(({ isMatched }) => isMatched);
  const isCross = ({ repeat }) => repeat === 'cross';
  return {
    calls: rows.length,
    failures: rows.filter(({ hasFailed }) => hasFailed).length,
    warned: warned.length,
    definite: definite.length,
    right: right.length,
    precision: percent(right.length, definite.length),
    helpful: percent(matched.filter(({ isHelpful }) => isHelpful).length, matched.length),
    falsePer1000: rows.length === 0 ? null : (1_000 * (definite.length - right.length)) / rows.length,
    repeats: caught(({ repeat }) => repeat !== undefined),
    sameSession: caught(({ repeat }) => repeat === 'same'),
    crossSession: caught(isCross),
    avoidable: caught((row) => isCross(row) && row.isSameError && !row.isProbe),
    kin: caught((row) => row.isKin),
  };
}

function percent(part, whole) {
  return whole === 0 ? null : (100 * part) / whole;
}
