import { compareText, earlierOf, laterOf } from '../../text/compare-text.ts';
import { tagsOf } from '../tags/tags-of.ts';
import { digestFailures } from './digest-failures.ts';
import { mergeRequests, type RequestEntry } from './request-table.ts';
import type { DigestCommit, DigestHour, DigestRequest, DigestStep, SessionDigest } from './session-digest.ts';
import type { SessionState } from './session-state.ts';
import { decisiveSteps, isCheck, stepOf } from './steps.ts';
import type { SuccessGroup } from './success-fold.ts';

const MOST_COMMITS = 30;
const MOST_COMMANDS = 12;
const MOST_FILES = 60;
const MOST_TAGS = 8;
/** What a request is about stands at its beginning. */
const TAGGED_CHARACTERS = 200;
/** Commands worth running again. */
const COMMANDS: ReadonlySet<string> = new Set(['install', 'test', 'build', 'lint', 'format', 'run']);

/** The digest of a session: what its three logs tell together. */
export function digestOf(state: SessionState): SessionDigest {
  const { history, failures, successes } = state;
  const agent = history.agent ?? successes.agent ?? failures.agent;
  const branch = [history, successes, failures]
    .sort((a, b) => compareText(b.last, a.last))
    .find((log) => log.branch)?.branch;
  const failed = digestFailures(failures.groups, successes.groups);
  return {
    sessionId: state.sessionId,
    ...(agent === undefined ? {} : { agent }),
    ...(branch === undefined ? {} : { branch }),
    ...period(state),
    requests: requestsOf(state, failed.fixes),
    failures: failed.failures,
    commands: commandsOf(successes.groups, failed.fixes),
    files: [...new Set([...successes.files.toReversed(), ...history.files.toReversed()])].slice(
      0,
      MOST_FILES,
    ),
    commits: commitsOf(successes.groups),
    counts: { attempts: successes.count + failures.count, failures: failures.failed },
    hours: hoursOf(state),
  };
}

function period({ history, failures, successes }: SessionState): { startedAt: string; endedAt: string } {
  const known = [history, failures, successes].filter((log) => log.first !== '');
  return {
    startedAt: known.map((log) => log.first).reduce(earlierOf, known[0]?.first ?? ''),
    endedAt: known.map((log) => log.last).reduce(laterOf, ''),
  };
}

function requestsOf(state: SessionState, fixes: ReadonlySet<string>): readonly DigestRequest[] {
  const { history, failures, successes } = state;
  const entries = mergeRequests([history.requests, successes.contexts, failures.contexts]);
  const byRequest = new Map<string, SuccessGroup[]>(entries.map((entry) => [entry.key, []]));
  const unexplained: SuccessGroup[] = [];
  for (const group of successes.groups) {
    const key = group.request ?? inForce(entries, group.first)?.key;
    if (key === undefined) unexplained.push(group);
    else byRequest.get(key)?.push(group);
  }
  const requests = entries.map((entry) => requestOf(entry, byRequest.get(entry.key) ?? [], state, fixes));
  const steps = decisiveSteps(unexplained, fixes);
  const [first] = steps;
  return first && entries.length === 0 ? [{ at: first.at, text: '', tags: [], steps }] : requests;
}

/** The last request made before a time, or the first of all. */
function inForce(entries: readonly RequestEntry[], at: string): RequestEntry | undefined {
  return entries.findLast((entry) => entry.at <= at) ?? entries[0];
}

function requestOf(
  entry: RequestEntry,
  groups: readonly SuccessGroup[],
  { failures, successes }: SessionState,
  fixes: ReadonlySet<string>,
): DigestRequest {
  const worked = successes.worked[entry.key] ?? '';
  const refused = failures.refused[entry.key] ?? '';
  const decision = groups.findLast((group) => group.kind === 'commit')?.text ?? entry.reply;
  return {
    at: entry.at,
    text: entry.text,
    tags: [
      ...new Set([...tagsOf({ text: entry.text.slice(0, TAGGED_CHARACTERS) }), ...(entry.tags ?? [])]),
    ].slice(0, MOST_TAGS),
    steps: decisiveSteps(groups, fixes),
    ...(worked === refused ? {} : { outcome: worked > refused ? ('worked' as const) : ('failed' as const) }),
    ...(decision === undefined ? {} : { decision }),
  };
}

/** The checks and installs, what solved a failure, and what was run more than once: the latest of each. */
function commandsOf(groups: readonly SuccessGroup[], fixes: ReadonlySet<string>): readonly DigestStep[] {
  const byText = new Map<string, SuccessGroup>();
  for (const group of groups) {
    if (!COMMANDS.has(group.kind)) continue;
    const known = byText.get(group.text);
    byText.set(group.text, known ? merged(known, group) : group);
  }
  return [...byText.values()]
    .filter(
      (group) => isCheck(group.kind) || group.kind === 'install' || fixes.has(group.text) || group.count > 1,
    )
    .sort((a, b) => compareText(a.last, b.last) || compareText(a.text, b.text))
    .slice(-MOST_COMMANDS)
    .map(stepOf);
}

function merged(a: SuccessGroup, b: SuccessGroup): SuccessGroup {
  return { ...a, last: laterOf(a.last, b.last), count: a.count + b.count };
}

function commitsOf(groups: readonly SuccessGroup[]): readonly DigestCommit[] {
  return groups
    .filter((group) => group.kind === 'commit')
    .map((group) => ({ at: group.first, message: group.text }))
    .sort((a, b) => compareText(a.at, b.at))
    .slice(-MOST_COMMITS);
}

function hoursOf({ successes, failures }: SessionState): readonly DigestHour[] {
  const hours = [...new Set([...Object.keys(successes.hours), ...Object.keys(failures.hours)])].sort();
  return hours.map((hour) => ({
    at: `${hour}:00:00.000Z`,
    successes: successes.hours[hour] ?? 0,
    failures: failures.hours[hour] ?? 0,
  }));
}
