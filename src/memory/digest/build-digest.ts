import { classifyCommand } from '../../facts/call/action.ts';
import { FIX_WINDOW_MS, replaces } from '../../facts/fix.ts';
import { findTags } from '../../facts/tags/tags.ts';
import { omitUndefined } from '../../record/object.ts';
import { CHAT_AGENT } from '../../record/record.ts';
import { compareText, earlierOf, laterOf } from '../../text/compare-text.ts';
import { MAX_FILES } from './aggregate/activity.ts';
import type { FailureGroup } from './aggregate/failures.ts';
import { mergeRequests, type RequestEntry } from './aggregate/requests.ts';
import type { SessionState } from './aggregate/session.ts';
import type { SuccessGroup } from './aggregate/successes.ts';
import type {
  DigestCommit,
  DigestHour,
  DigestRequest,
  DigestStep,
  SessionDigest,
  SessionFailure,
} from './session-digest.ts';

const MAX_COMMITS = 30;
const MAX_COMMANDS = 12;
const MAX_TAGS = 8;
/** Tags are taken from the beginning of a request, which says what it is about. */
const MAX_TAGGED_LENGTH = 200;
/** Commands worth running again. */
const COMMAND_KINDS: ReadonlySet<string> = new Set(['install', 'test', 'build', 'lint', 'format', 'run']);

/** Builds the digest of a session from the aggregates of its three logs. */
export function buildDigest(state: SessionState): SessionDigest {
  const { history, failures, successes } = state;
  const agent = history.agent ?? successes.agent ?? failures.agent;
  const branch = [history, successes, failures]
    .sort((a, b) => compareText(b.last, a.last))
    .find((log) => log.branch)?.branch;
  // Only messages say whether a session with a parent is a fork of it.
  const isSubAgent = history.first === '' ? (successes.isSubAgent ?? failures.isSubAgent) : history.isSubAgent;
  const failed = collectFailures(failures.groups, successes.groups);
  return {
    sessionId: state.sessionId,
    ...omitUndefined({ title: history.title?.title, agent, branch, isSubAgent }),
    ...findPeriod(state),
    requests: collectRequests(state, failed.fixes),
    failures: failed.failures,
    commands: collectCommands(successes.groups, failed.fixes),
    files: [...new Set([...successes.files.toReversed(), ...history.files.toReversed()])].slice(0, MAX_FILES),
    commits: collectCommits(successes.groups),
    counts: { successes: successes.count, failures: failures.failed },
    hours: mergeHours(state),
  };
}

function findPeriod({ history, failures, successes }: SessionState): { startedAt: string; endedAt: string } {
  const known = [history, failures, successes].filter((log) => log.first !== '');
  return {
    startedAt: known.map((log) => log.first).reduce(earlierOf, known[0]?.first ?? ''),
    endedAt: known.map((log) => log.last).reduce(laterOf, ''),
  };
}

function collectRequests(state: SessionState, fixes: ReadonlySet<string>): readonly DigestRequest[] {
  const { history, failures, successes } = state;
  const served = [...successes.contexts, ...failures.contexts];
  // In yore's own chat, what no command served was a question.
  const isChat = (history.agent ?? successes.agent ?? failures.agent) === CHAT_AGENT;
  const entries = mergeRequests([history.requests, successes.contexts, failures.contexts]).filter(
    ({ key }) => !isChat || served.some((each) => each.key === key),
  );
  const byRequest = new Map<string, SuccessGroup[]>(entries.map((entry) => [entry.key, []]));
  const unexplained: SuccessGroup[] = [];
  for (const group of successes.groups) {
    const key = group.request ?? findRequestAt(entries, group.first)?.key;
    if (key === undefined) unexplained.push(group);
    else byRequest.get(key)?.push(group);
  }
  const requests = entries.map((entry) => buildRequest(entry, byRequest.get(entry.key) ?? [], state, fixes));
  const steps = selectSteps(unexplained, fixes);
  const [first] = steps;
  return first && entries.length === 0 ? [{ at: first.at, text: '', tags: [], steps }] : requests;
}

/** The last request made before a time, or the first of all. */
function findRequestAt(entries: readonly RequestEntry[], at: string): RequestEntry | undefined {
  return entries.findLast((entry) => entry.at <= at) ?? entries[0];
}

function buildRequest(
  entry: RequestEntry,
  groups: readonly SuccessGroup[],
  { failures, successes }: SessionState,
  fixes: ReadonlySet<string>,
): DigestRequest {
  const worked = successes.worked[entry.key] ?? '';
  const refused = failures.refused[entry.key] ?? '';
  const tags = [...findTags({ text: entry.text.slice(0, MAX_TAGGED_LENGTH) }), ...(entry.tags ?? [])];
  return omitUndefined({
    at: entry.at,
    text: entry.text,
    tags: [...new Set(tags)].slice(0, MAX_TAGS),
    steps: selectSteps(groups, fixes),
    outcome: worked === refused ? undefined : worked > refused ? ('worked' as const) : ('failed' as const),
    decision: groups.findLast((group) => group.kind === 'commit')?.text ?? entry.reply,
  });
}

/** The latest checks, installs, resolutions of failures and repeated commands. */
function collectCommands(groups: readonly SuccessGroup[], fixes: ReadonlySet<string>): readonly DigestStep[] {
  const byText = new Map<string, SuccessGroup>();
  for (const group of groups) {
    if (!COMMAND_KINDS.has(group.kind)) continue;
    const known = byText.get(group.text);
    byText.set(
      group.text,
      known ? { ...known, last: laterOf(known.last, group.last), count: known.count + group.count } : group,
    );
  }
  return [...byText.values()]
    .filter((group) => isCheck(group.kind) || group.kind === 'install' || fixes.has(group.text) || group.count > 1)
    .sort((a, b) => compareText(a.last, b.last) || compareText(a.text, b.text))
    .slice(-MAX_COMMANDS)
    .map(toStep);
}

function collectCommits(groups: readonly SuccessGroup[]): readonly DigestCommit[] {
  return groups
    .filter((group) => group.kind === 'commit')
    .map((group) => ({ at: group.first, message: group.text }))
    .sort((a, b) => compareText(a.at, b.at))
    .slice(-MAX_COMMITS);
}

function mergeHours({ successes, failures }: SessionState): readonly DigestHour[] {
  const hours = [...new Set([...Object.keys(successes.hours), ...Object.keys(failures.hours)])].sort();
  return hours.map((hour) => ({
    at: `${hour}:00:00.000Z`,
    successes: successes.hours[hour] ?? 0,
    failures: failures.hours[hour] ?? 0,
  }));
}

const MAX_STEPS = 12;

/** Of many steps, those of the highest weight are kept. */
const STEP_WEIGHTS: Readonly<Record<string, number>> = {
  commit: 6,
  install: 5,
  create: 4,
  test: 3,
  build: 3,
  run: 3,
  edit: 2,
  lint: 1,
  format: 0,
};

function isCheck(kind: string): boolean {
  return kind === 'test' || kind === 'build' || kind === 'lint';
}

/**
 * The decisive steps of a request, in order of time: installs, created and edited files, commits, checks that passed at
 * its end or after a failure, and other commands if they resolved a failure (`fixes`).
 */
function selectSteps(groups: readonly SuccessGroup[], fixes: ReadonlySet<string>): readonly DigestStep[] {
  const lastOfKind = new Map<string, SuccessGroup>();
  for (const group of groups) {
    const known = lastOfKind.get(group.kind);
    if (!known || group.last >= known.last) lastOfKind.set(group.kind, group);
  }
  return groups
    .filter((group) => isDecisive(group, fixes, lastOfKind.get(group.kind) === group))
    .map(toStep)
    .sort((a, b) => stepWeight(b) - stepWeight(a) || compareText(b.at, a.at) || compareText(a.text, b.text))
    .slice(0, MAX_STEPS)
    .sort((a, b) => compareText(a.at, b.at) || compareText(a.text, b.text));
}

function toStep({ kind, text, last, count }: SuccessGroup): DigestStep {
  return { at: last, kind, text, count };
}

function isDecisive(group: SuccessGroup, fixes: ReadonlySet<string>, isLastOfKind: boolean): boolean {
  if (isCheck(group.kind)) return isLastOfKind || fixes.has(group.text);
  if (group.kind === 'format') return false;
  return fixes.has(group.text) || (STEP_WEIGHTS[group.kind] !== undefined && group.kind !== 'run');
}

function stepWeight(step: DigestStep): number {
  return STEP_WEIGHTS[step.kind] ?? 0;
}

const MAX_FAILURES = 20;

/** How informative a class of failures is; transient ones are ignored. */
const CLASS_WEIGHTS: Readonly<Record<string, number>> = {
  missing: 3,
  usage: 3,
  environment: 3,
  unknown: 2,
  state: 1,
  stale: 0,
};

/** The most informative failures, and the commands that resolved failures. */
function collectFailures(
  groups: readonly FailureGroup[],
  successes: readonly SuccessGroup[],
): { readonly failures: readonly SessionFailure[]; readonly fixes: ReadonlySet<string> } {
  const fixes = new Set<string>();
  const ranked: { readonly failure: SessionFailure; readonly weight: number }[] = [];
  for (const group of groups) {
    if (group.kind === 'transient' || isReadOnlyCommand(group)) continue;
    const ending = findEnding(group, successes);
    if (!ending.open) fixes.add(ending.resolution ?? group.what);
    const { what, error, count, kind, signature } = group;
    const failure: SessionFailure = omitUndefined({
      ...{ at: group.last, what, error, count, kind, signature },
      resolution: ending.resolution,
      open: ending.open,
    });
    const weight =
      (CLASS_WEIGHTS[group.kind ?? 'unknown'] ?? 2) + (failure.resolution ? 2 : 0) + (failure.open ? 1 : 0);
    ranked.push({ failure, weight });
  }
  const failures = ranked
    .sort(
      (a, b) =>
        b.weight - a.weight || compareText(b.failure.at, a.failure.at) || compareText(a.failure.what, b.failure.what),
    )
    .slice(0, MAX_FAILURES)
    .map(({ failure }) => failure)
    .sort((a, b) => compareText(a.at, b.at) || compareText(a.what, b.what));
  return { failures, fixes };
}

/** Whether a failed call only read or searched something, so that its failure is an answer. */
function isReadOnlyCommand({ what, isCommand }: Pick<FailureGroup, 'what' | 'isCommand'>): boolean {
  if (!isCommand) return false;
  const action = classifyCommand(what.split(' '));
  return action === 'probe' || action === 'read' || action === 'search';
}

/** How a failure ended within its session. */
interface Ending {
  readonly open: boolean;
  /** What worked instead; absent when the same call worked later. */
  readonly resolution?: string;
}

/** The maximum of a `Date`. */
const MAX_TIME = 8.64e15;

/**
 * Finds the success of the session that resolved a failure: the same call, or the first other command that does its job.
 * This is the guard's rule for commands; of other calls a digest knows only whether they worked later.
 */
function findEnding(failure: FailureGroup, successes: readonly SuccessGroup[]): Ending {
  if (successes.some((success) => success.last > failure.last && isSameCall(failure, success))) return { open: false };
  if (!failure.isCommand) return { open: true };
  const until = new Date(Math.min(Date.parse(failure.last) + FIX_WINDOW_MS, MAX_TIME)).toISOString();
  let best: { readonly at: string; readonly text: string } | undefined;
  for (const success of successes) {
    const at = success.first > failure.first ? success.first : success.last;
    if (at <= failure.first || at > until || (best && at >= best.at)) continue;
    if (mayResolve(failure, success)) best = { at, text: success.text };
  }
  if (!best || (failure.kind === 'state' && isEditedBefore(failure, best.at, successes))) return { open: true };
  return { open: false, resolution: best.text };
}

function isSameCall(failure: FailureGroup, success: SuccessGroup): boolean {
  return (
    success.text === (failure.path ?? failure.what) ||
    (failure.hash !== undefined && success.signature === failure.hash)
  );
}

function mayResolve(failure: FailureGroup, success: SuccessGroup): boolean {
  if (success.kind === 'edit' || success.kind === 'create' || success.kind === 'commit') return false;
  const isSameRequest = failure.request === undefined || success.request === failure.request;
  return replaces(failure.what, success.text, { isState: failure.kind === 'state', isSameRequest });
}

/** Whether the project was changed between a failure and a later time: then the change was what helped. */
function isEditedBefore(failure: FailureGroup, until: string, successes: readonly SuccessGroup[]): boolean {
  const isBetween = (at: string): boolean => at > failure.first && at < until;
  return successes.some(
    ({ kind, first, last }) => (kind === 'edit' || kind === 'create') && (isBetween(first) || isBetween(last)),
  );
}
