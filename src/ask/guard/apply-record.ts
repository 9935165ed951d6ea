import { posix } from 'node:path';
import { analyseCall, type CallAnalysis } from '../../facts/call/analyse-call.ts';
import { changesRefs, isPreparation } from '../../facts/call/command-needs.ts';
import { describeAttempt } from '../../facts/call/command-text.ts';
import { type CallFields, findRoot, isAbsolute, relativePath } from '../../facts/call/describe-call.ts';
import { analyseFailure, type FailureAnalysis } from '../../facts/failure/analyse-failure.ts';
import type { FailureClass } from '../../facts/failure/failure-kinds.ts';
import { RESOLUTION_WINDOW_MS, resolves } from '../../facts/failure/resolves.ts';
import type { WarningRecord } from '../../facts/warning-record.ts';
import { textHash } from '../../record/id.ts';
import type { Attempt } from '../../record/record.ts';
import {
  addTime,
  type FailureIndex,
  isUnreadEdit,
  rememberCall,
  type SessionTrace,
  similarityGroup,
} from './failure-index.ts';
import {
  type FailureOccurrence,
  isKnownFailure,
  isOngoing,
  type KnownFailure,
  kindOf,
  latestOccurrence,
} from './known-failure.ts';

/** Classes of failures that a similar call would run into as well. */
const SIMILAR_CALLS_FAIL: ReadonlySet<FailureClass> = new Set(['missing', 'usage', 'environment']);

/** Failures of a session for which a resolution is looked for. */
const MAX_UNSOLVED = 8;
const MAX_SESSION_FILES = 2000;
const MAX_CONTEXT_CHARS = 160;
/** Sessions, checkouts, agents and similar calls listed with a failure. */
const MAX_NAMES = 6;
const MAX_SUBJECTS = 6;

/**
 * Updates an index with an attempt; attempts must come in time order. A failed call blames something it needs, and a
 * successful one ends every failure of the things it needs. Never throws.
 */
export function applyAttempt(index: FailureIndex, attempt: Attempt): void {
  if (attempt.tool === undefined) return;
  const call = analyseCall(attempt as Attempt & CallFields);
  const at = Date.parse(attempt.timestamp);
  addTime(index.newestTimes, at);
  const session = index.session(attempt.sessionId);
  if (attempt.callId !== undefined && !rememberCall(session, attempt.callId)) return;
  const isUnread = isUnreadEdit(call, session);
  session.calls++;
  session.lastAt = Math.max(session.lastAt, at);
  if (attempt.outcome === 'failure') {
    const failure = analyseFailure(call, attempt.error ?? '', attempt.exitCode);
    applyFailure(index, { attempt, call, failure, at });
    trackReading(index, attempt, call, { isUnread, isRefused: failure.blamed.includes('rule:read') });
  } else if (attempt.outcome === 'success' || attempt.outcome === 'noMatch') {
    applySuccess(index, attempt, call, at);
    trackReading(index, attempt, call, { isUnread, isRefused: false });
  }
}

/** Updates an index with a record of the warnings log. */
export function applyWarning(index: FailureIndex, record: WarningRecord): void {
  switch (record.kind) {
    case 'warning':
      return;
    case 'override': {
      const kind = kindOf(record.key);
      const { right, wrong } = index.trackRecord(kind);
      index.trackRecords.set(kind, record.succeeded ? { right, wrong: wrong + 1 } : { right: right + 1, wrong });
      if (!record.succeeded) return;
      index.session(record.sessionId).goodOverrides++;
      setLastTime(index, 'overridden', record.key, Date.parse(record.timestamp));
      return;
    }
    case 'reset':
      index.choices.set(record.key, 'none');
      return;
    default:
      index.choices.set(record.key, record.kind);
      if (isKnownFailure(record.failure) && index.failure(record.key) === undefined)
        index.failures.set(record.key, record.failure);
  }
}

/** The keys of what a recorded failure blames; none for other attempts. */
export function blamedBy(attempt: Attempt): readonly string[] {
  if (attempt.outcome !== 'failure' || attempt.tool === undefined) return [];
  const call = analyseCall(attempt as Attempt & CallFields);
  return failureKeys(analyseFailure(call, attempt.error ?? '', attempt.exitCode), attempt);
}

/** The rules of editing tools differ from agent to agent. */
function failureKeys(failure: FailureAnalysis, { agent }: Attempt): readonly string[] {
  return failure.blamed.map((key) => (key.startsWith('rule:') ? `${key} ${agent ?? ''}` : key));
}

/** A failed call with its analysis. */
interface FailedCall {
  readonly attempt: Attempt;
  readonly call: CallAnalysis;
  readonly failure: FailureAnalysis;
  readonly at: number;
}

function applyFailure(index: FailureIndex, failed: FailedCall): void {
  const { attempt, call, failure } = failed;
  const wholeCall = `call:${call.signature}`;
  if (failure.blamed.includes(wholeCall) && SIMILAR_CALLS_FAIL.has(failure.class)) {
    index.similar.set(similarityGroup(call), addName(index.similarCalls(call), wholeCall));
  }
  const session = index.session(attempt.sessionId);
  for (const key of failureKeys(failure, attempt)) {
    const existedBefore = key.startsWith('path:') && index.seenPaths.mightContain(textHash(key.slice(5)));
    index.failures.set(key, addOccurrence(index.failure(key), { key, existedBefore, ...failed }));
    session.unsolved = [...session.unsolved.filter((other) => other !== key), key].slice(-MAX_UNSOLVED);
  }
}

function addOccurrence(
  before: KnownFailure | undefined,
  occurrence: FailedCall & { readonly key: string; readonly existedBefore: boolean },
): KnownFailure {
  const { key, existedBefore, attempt, call, failure, at } = occurrence;
  const open = before !== undefined && isOngoing(before) ? before : undefined;
  const isSameError = open?.occurrences[call.family]?.errorSignature === failure.signature;
  const isFirstOfFamily = open !== undefined && open.occurrences[call.family] === undefined;
  const suggestion = failure.suggestion ?? open?.suggestion;
  // No `omitUndefined()`: this runs for every failure in the logs, and deleting keys makes objects slow.
  return {
    key,
    class: failure.class,
    occurrences: {
      ...open?.occurrences,
      [call.family]: {
        attemptId: attempt.id,
        at,
        line: failure.line,
        errorSignature: failure.signature,
        what: describeAttempt(attempt),
        signature: call.signature,
        ...(attempt.context === undefined ? {} : { context: attempt.context.slice(0, MAX_CONTEXT_CHARS) }),
        ...(attempt.tags === undefined ? {} : { tags: attempt.tags }),
        ...(attempt.author === undefined ? {} : { author: attempt.author }),
      },
    },
    lastAt: Math.max(at, before?.lastAt ?? 0),
    count: (open?.count ?? 0) + 1,
    sessions: isSameError || isFirstOfFamily ? addName(open?.sessions, attempt.sessionId) : [attempt.sessionId],
    worktrees: addName(open?.worktrees, findRoot(attempt) ?? ''),
    agents: addName(open?.agents, attempt.agent ?? ''),
    circumstances: (attempt.circumstances ?? []).filter((item) => !item.startsWith('worktree:')),
    relapses: before === undefined ? 0 : before.relapses + (open === undefined ? 1 : 0),
    ...(existedBefore ? { existedBefore } : {}),
    ...(attempt.branch === undefined ? {} : { branch: attempt.branch }),
    ...(failure.class === 'state' ? { subjects: findFileNames(attempt.error ?? '') } : {}),
    ...(key.startsWith('text:') ? { editSignature: call.signature } : {}),
    ...(failure.missing === undefined ? {} : { missing: locateMissing(failure.missing, call, attempt) }),
    ...(suggestion === undefined ? {} : { suggestion }),
    ...(before?.resolution === undefined ? {} : { resolution: before.resolution }),
  };
}

/** What is missing, where it is looked for: files relative to the checkout, modules from the folder of the script. */
function locateMissing(missing: string, call: CallAnalysis, attempt: Attempt): string {
  const [kind = '', name = ''] = missing.split(':', 2);
  if (kind === 'python' || kind === 'node') {
    const script = call.needs.find((key) => key.startsWith('target:') && /\.\w+$/.test(key))?.slice(7);
    return script === undefined ? missing : `${missing} ${posix.dirname(script.slice(script.lastIndexOf(' ') + 1))}`;
  }
  if (kind !== 'path') return missing;
  const folder = call.parts[0]?.command.folder;
  const path = folder === undefined || isAbsolute(name) ? name : posix.join(folder, name);
  return `path:${relativePath(path, findRoot(attempt))}`;
}

function applySuccess(index: FailureIndex, attempt: Attempt, call: CallAnalysis, at: number): void {
  const wholeCall = `call:${call.signature}`;
  // If the exit code is hidden, the success of the whole call is not known.
  for (const key of call.needs) if (key !== wholeCall || !call.hidesExitCode) endFailure(index, key, at);
  const paths = call.needs.filter((key) => key.startsWith('path:')).map((key) => key.slice(5));
  for (const path of [...paths, ...call.creates]) {
    for (let folder = path; folder.length > 1; folder = posix.dirname(folder)) endFailure(index, `path:${folder}`, at);
  }
  for (const path of call.creates) for (const kind of ['file', 'text']) endFailure(index, `${kind}:${path}`, at);
  const worktree = findRoot(attempt) ?? '';
  if (call.creates.length > 0) setLastTime(index, 'edit', worktree, at);
  if (call.creates.some((path) => posix.basename(path) === '.gitignore')) setLastTime(index, 'gitignore', worktree, at);
  for (const path of [...paths, ...call.creates, ...call.files]) index.seenPaths.add(textHash(path));
  for (const { action, command } of call.parts) {
    setLastTime(index, action, worktree, at);
    if (changesRefs(command.words)) setLastTime(index, 'refs', worktree, at);
    if (isPreparation(command.words)) setLastTime(index, 'prepare', worktree, at);
    if (action === 'commit' && concludesMerge(command.words, attempt.result))
      setLastTime(index, 'merged', worktree, at);
  }
  addResolutions(index, attempt, call, at);
}

function setLastTime(index: FailureIndex, event: string, subject: string, at: number): void {
  if (at > index.lastTime(event, subject)) index.lastTimes.set(`${event} ${subject}`, at);
}

function endFailure(index: FailureIndex, key: string, at: number): void {
  const failure = index.failure(key);
  if (failure !== undefined && isOngoing(failure)) index.failures.set(key, { ...failure, endedAt: at });
}

function addResolutions(index: FailureIndex, attempt: Attempt, call: CallAnalysis, at: number): void {
  const session = index.session(attempt.sessionId);
  for (const key of session.unsolved) {
    const failure = index.failure(key);
    if (failure === undefined || !isResolution(index, failure, attempt, call, at)) continue;
    const what = describeAttempt(attempt);
    index.failures.set(key, { ...failure, resolution: { attemptId: attempt.id, at, what } });
    session.unsolved = session.unsolved.filter((other) => other !== key);
  }
}

/** Remembers which files a session has seen, and whether its agent's editing tool accepts files shown by the shell. */
function trackReading(
  index: FailureIndex,
  attempt: Attempt,
  call: CallAnalysis,
  { isUnread, isRefused }: { readonly isUnread: boolean; readonly isRefused: boolean },
): void {
  const session: SessionTrace = index.session(attempt.sessionId);
  if (isUnread) {
    const isShown = call.files.some((file) => session.shown.has(file));
    const name = `shown-counts ${attempt.agent ?? ''}`;
    if (isRefused && isShown) index.lastTimes.set(name, 0);
    if (!isRefused && isShown && attempt.outcome === 'success')
      index.lastTimes.set(name, Date.parse(attempt.timestamp));
    if (attempt.outcome === 'success' && !isShown) session.editsUnread = true;
  }
  if (isRefused) return;
  const seen = call.family === 'shell' ? session.shown : session.read;
  for (const file of [...call.files, ...call.creates]) if (seen.size < MAX_SESSION_FILES) seen.add(file);
}

/** Files that an output names with a line, or as what failed. */
function findFileNames(output: string): readonly string[] {
  const found = new Set<string>();
  for (const [, name] of output.matchAll(
    /(?:^|[\s("'`])((?:[\w.@-]+\/)*[\w@-][\w.@-]*\.[a-zA-Z]\w{0,5})(?=[:(\s"'`)]|$)/gm,
  )) {
    if (name !== undefined && name.length < 200) found.add(name.replace(/^\.\//, ''));
    if (found.size === MAX_SUBJECTS) break;
  }
  return [...found];
}

/** Whether a commit concludes a merge. */
function concludesMerge(words: readonly string[], result: string | undefined): boolean {
  return words.includes('--no-edit') || /\bmerge/i.test(words.join(' ')) || /\] merge/i.test(result ?? '');
}

/** Adds a name at the end of a list without duplicates; the oldest ones are dropped. */
function addName(names: readonly string[] | undefined, name: string): readonly string[] {
  return [...(names ?? []).filter((other) => other !== name), name].slice(-MAX_NAMES);
}

/**
 * Whether a success in the same session is what solved a failure. Of two commands, the second must do the job of the
 * first; this is also the rule of the digests. For the rest it depends on what the error blames.
 */
function isResolution(
  index: FailureIndex,
  failure: KnownFailure,
  attempt: Attempt,
  call: CallAnalysis,
  at: number,
): boolean {
  const failed = latestOccurrence(failure);
  if (failed === undefined || at < failed.at || at - failed.at > RESOLUTION_WINDOW_MS) return false;
  const what = attempt.command ?? attempt.path;
  if (what === undefined || call.signature === failed.signature || call.isProbe) return false;
  if (attempt.command !== undefined && doesItsJob(index, failure, failed, attempt)) return true;
  const name = failure.key.slice(failure.key.indexOf(':') + 1);
  switch (kindOf(failure.key)) {
    case 'path':
    case 'file':
      return (
        (isSimilarPath(attempt.path ?? '', name) &&
          (call.creates.length === 0 || failed.signature.startsWith('edit '))) ||
        (failure.suggestion !== undefined && what.includes(failure.suggestion))
      );
    case 'whole':
      return call.signature.startsWith(`read ${name}#`) || call.needs.includes(`path:${name}`);
    case 'program':
      return call.action === 'install' && what.includes(name.split(' ', 1)[0] ?? '');
    case 'target':
    case 'service':
    case 'folder':
      return call.parts.some(({ command }) => isPreparation(command.words));
    default:
      return false;
  }
}

/** Whether a command does the job of a failed one. What works after an edit of the project works because of the edit. */
function doesItsJob(index: FailureIndex, failure: KnownFailure, failed: FailureOccurrence, attempt: Attempt): boolean {
  const isState = failure.class === 'state';
  if (!failed.signature.startsWith('sh') || (isState && index.lastTime('edit', findRoot(attempt) ?? '') > failed.at))
    return false;
  const context = attempt.context?.slice(0, MAX_CONTEXT_CHARS);
  const isSameRequest = failed.context === undefined || context === failed.context;
  return resolves(failed.what, describeAttempt(attempt), { isState, isSameRequest });
}

/** Names that many folders have a file of. */
const COMMON_NAME = /^(?:index|main|mod|lib|__init__|types|utils?|package|README|config)\.\w+$/i;

/** `config.yml` and `config.yaml`; `src/parse.ts` and `lib/parse.ts`. */
function isSimilarPath(path: string, other: string): boolean {
  if (path === '' || path === other) return false;
  if (COMMON_NAME.test(posix.basename(other)) && posix.dirname(path) !== posix.dirname(other)) return false;
  const [a, b] = [posix.basename(path), posix.basename(other)];
  return a === b || (stem(a) === stem(b) && stem(a) !== '');
}

function stem(name: string): string {
  return name.replace(/\.[^.]*$/, '');
}
