import { posix } from 'node:path';
import { omitUndefined } from '../record/object.ts';
import { type Attempt, CHAT_AGENT, isApplied, isToolCall, type Message, type Outcome } from '../record/record.ts';
import { oneLine } from '../text/one-line.ts';
import { type Action, READ_ONLY } from './call/action.ts';
import { analyseCall, type CallAnalysis, makesCommit } from './call/analyse-call.ts';
import { changesRefs, isPreparation } from './call/command-needs.ts';
import {
  describeAttempt,
  findCommandPart,
  findCommitHash,
  findCommitMessage,
  findFileNames,
  formatCommand,
} from './call/command-text.ts';
import { type CallFields, findRoot, isAbsolute, isOutside, relativePath } from './call/describe-call.ts';
import { findChangedPaths } from './call/file-changes.ts';
import type { ToolFamily } from './call/tool-call.ts';
import { findUsedCommands, type UsedCommand } from './commands/used-commands.ts';
import { analyseFailure } from './failure/analyse-failure.ts';
import type { FailureClass } from './failure/failure-kinds.ts';
import { findRecapQuestion } from './recap-question.ts';
import { asksQuestion, findDecision, parseRequest, parseRequestMessage, type Request } from './request.ts';
import { planHeading, type TitleCandidate, titleOfCall, titleOfMessage } from './session-title.ts';
import { statementsOfCall, statementsOfMessage } from './statements/find-statements.ts';
import { findProposals } from './statements/proposals.ts';
import type { ProposalFact, StatementFact } from './statements/statement.ts';

/**
 * What one record shows, whatever else was recorded. The same record always gives the same facts, so that it does not
 * matter in which order records are read. Conclusions are drawn by asking all facts.
 */
export interface Facts {
  /** The tool call that the record is of. */
  readonly call?: CallFact;
  /** Causes of failures that were absent: what the call needed was there. Also what it did, as `did:EVENT CHECKOUT`. */
  readonly proved: readonly string[];
  /** What the user asked for, in a message or as the context of a call. */
  readonly request?: Request;
  /** The line of a reply that says what was done or decided. */
  readonly outcome?: string;
  /** What the user said about the request. */
  readonly feedback?: 'worked' | 'failed';
  readonly note?: NoteFact;
  /** The decisions and corrections that it states. */
  readonly stated: readonly StatementFact[];
  /** What a reply of an agent proposes. */
  readonly proposed: readonly ProposalFact[];
  /** The commands for testing, building and so on that it used with success. */
  readonly used: readonly UsedCommand[];
  /** The files that it changed. */
  readonly changed: readonly string[];
  readonly commit?: CommitFact;
  /** Whether it makes its session one of work, or only asks what is known. Undefined for what says neither. */
  readonly purpose?: 'work' | 'question';
}

/** A commit that a call made. */
interface CommitFact {
  /** The beginning of its hash, if git printed it, or the whole. */
  readonly hash?: string;
  /** The first line of its message. */
  readonly message?: string;
  /** The files that it changed, as far as its repository could be asked. */
  readonly files: readonly string[];
}

/** A tool call that ended. */
export interface CallFact {
  readonly family: ToolFamily;
  readonly outcome: Outcome;
  /** What was tried: a command as a person would type it, or `read src/a.ts`. */
  readonly what: string;
  readonly action: Action;
  /** Of a call without a command. */
  readonly path?: string;
  /** The call in canonical form. */
  readonly signature: string;
  /** What it did, as summaries of sessions show it, if it worked and is worth showing. */
  readonly step?: StepFact;
  readonly failure?: FailureFact;
}

/** A decisive step: `test` with `npm test`, `edit` with `src/a.ts`, `commit` with its message. */
interface StepFact {
  readonly action: Action;
  readonly text: string;
}

/** Why a call failed. */
interface FailureFact {
  /** What is to blame: something that the call needs, or the call itself. */
  readonly causes: readonly string[];
  readonly class: FailureClass;
  /** The line of the output that explains the failure. */
  readonly line: string;
  readonly errorSignature: string;
  /** What the tool itself proposed. */
  readonly suggestion?: string;
  /** What the error says is missing, if it is not the cause: `python:dotenv`, `variable:API_TOKEN`. */
  readonly missing?: string;
  /** Files that decide whether it fails again: where the project itself failed those that the error names, else those of the call. */
  readonly subjects: readonly string[];
  /** The group of calls that are compared with this one, where similar calls would fail as well. */
  readonly likeness?: string;
}

/** Something that the user or an agent asked to remember. */
interface NoteFact {
  readonly pattern: string;
  readonly description: string;
  readonly isWarning: boolean;
  readonly isByAgent: boolean;
}

/** Events by which a checkout changes so that what failed may work, or the other way round. */
export type CheckoutEvent =
  | 'edit'
  | 'install'
  | 'checkout'
  | 'commit'
  | 'push'
  | 'build'
  | 'prepare'
  | 'refs'
  | 'merged'
  | 'gitignore';

const NOTHING: Facts = { proved: [], stated: [], proposed: [], used: [], changed: [] };

/** What a record shows. Nothing is learned from what a stranger may have written. Never throws. */
export function facts(record: Message | Attempt): Facts {
  if (record.foreign) return NOTHING;
  return 'outcome' in record ? attemptFacts(record) : messageFacts(record);
}

/** Most calls are neither a commit nor a pull request: this spares analysing them. */
const MAY_NAME_SESSION = /\b(?:commit|create)\b/;

/** What a record suggests for the title of its session. */
export function titleOf(record: Message | Attempt): TitleCandidate | undefined {
  if (!('outcome' in record)) return titleOfMessage(record);
  return MAY_NAME_SESSION.test(record.command ?? '') ? titleOfCall(record, facts(record).commit?.message) : undefined;
}

/** The cause that stands for an event in a checkout. */
export function eventCause(event: CheckoutEvent, checkout: string): string {
  return `did:${event} ${checkout}`;
}

function messageFacts(message: Message): Facts {
  const { role, content, kind, systemEvent, filesModified = [], editResults = [] } = message;
  const changed = [...new Set([...filesModified, ...editResults.filter(isApplied).map(({ path }) => path)])];
  if (kind !== undefined || systemEvent === true) return { ...NOTHING, changed };
  const request = role === 'user' ? parseRequestMessage(content) : undefined;
  const outcome = role === 'assistant' ? findDecision(content) : undefined;
  const isTyped = request !== undefined;
  return {
    ...NOTHING,
    changed,
    stated: isTyped ? statementsOfMessage(message, planHeading(content)) : [],
    proposed: role === 'assistant' ? findProposals(content) : [],
    ...omitUndefined({
      request: request?.isFollowUp ? turnEnd(request, message) : request,
      outcome,
      purpose: request === undefined ? undefined : purposeOf(request, message),
    }),
  };
}

/** What is asked in yore's own chat is answered from memory; only what is run there is work. */
function purposeOf({ isFollowUp }: Request, { agent, content }: Message): Facts['purpose'] {
  if (agent === CHAT_AGENT || findRecapQuestion(content) !== undefined) return 'question';
  return isFollowUp ? undefined : 'work';
}

/** "What's next?" continues no request: what follows is not its outcome. Unlike a request, it is made again and again. */
function turnEnd(request: Request, { content, timestamp }: Message): Request | undefined {
  return asksQuestion(content) ? { ...request, key: `${request.key} ${timestamp}` } : undefined;
}

function attemptFacts(attempt: Attempt): Facts {
  const request = attempt.context === undefined ? undefined : parseRequest(attempt.context);
  if (attempt.pattern !== undefined) return { ...NOTHING, ...omitUndefined({ note: toNote(attempt) }) };
  if (!isToolCall(attempt)) {
    const feedback = attempt.outcome === 'success' ? ('worked' as const) : ('failed' as const);
    return { ...NOTHING, feedback, ...omitUndefined({ request }) };
  }
  if (attempt.tool === undefined) return { ...NOTHING, ...omitUndefined({ request }) };
  const analysis = analyseCall(attempt as Attempt & CallFields);
  const failure = attempt.outcome === 'failure' ? explainFailure(attempt, analysis) : undefined;
  const hasWorked = attempt.outcome === 'success' || attempt.outcome === 'noMatch';
  const isDone = attempt.outcome === 'success';
  const commit = isDone && makesCommit(analysis) ? toCommit(attempt) : undefined;
  return {
    call: describe(attempt, analysis, failure, commit),
    proved: hasWorked ? findProofs(attempt, analysis) : [],
    stated: statementsOfCall(attempt, analysis.family),
    proposed: [],
    used: isDone ? findUsedCommands(attempt) : [],
    changed: isDone ? findChangedPaths(attempt) : [],
    ...omitUndefined({ request, commit }),
    ...(attempt.agent === CHAT_AGENT || !ONLY_LOOKS.has(analysis.action) ? { purpose: 'work' as const } : {}),
  };
}

function toCommit(attempt: Attempt): CommitFact {
  const { hash = findCommitHash(attempt), message = findCommitMessage(attempt), files = [] } = attempt.commit ?? {};
  return { ...omitUndefined({ hash, message }), files };
}

const MAX_PATH_LENGTH = 200;
function describe(
  attempt: Attempt,
  analysis: CallAnalysis,
  failure: FailureFact | undefined,
  commit: CommitFact | undefined,
): CallFact {
  const { outcome, command, path } = attempt;
  const { family, signature, action } = analysis;
  return {
    family,
    outcome,
    what: describeAttempt(attempt),
    action,
    signature,
    ...omitUndefined({
      path: command !== undefined || path === undefined ? undefined : oneLine(path, MAX_PATH_LENGTH),
      step: outcome === 'success' ? findStep(attempt, action, commit) : undefined,
      failure,
    }),
  };
}

/** Reading serves every request and decides none. */
const MINOR_ACTIONS: ReadonlySet<Action> = new Set(['read', 'search', 'probe', 'checkout']);
/** What an agent may do to answer a question: `git log` is a `run`. */
const ONLY_LOOKS: ReadonlySet<Action> = new Set([...READ_ONLY, 'run']);

function findStep(attempt: Attempt, action: Action, commit: CommitFact | undefined): StepFact | undefined {
  const { command, path } = attempt;
  if (MINOR_ACTIONS.has(action)) return undefined;
  if (action === 'commit') return { action, text: commit?.message ?? formatCommand(command ?? 'git commit') };
  if (command !== undefined) {
    // A shell command that moves files is a command, not the edit of a file.
    const text = findCommandPart(formatCommand(command), action);
    return text === '' ? undefined : { action: action === 'edit' || action === 'create' ? 'run' : action, text };
  }
  if (path === undefined || isOutside(path) || (action !== 'edit' && action !== 'create')) return undefined;
  return { action, text: oneLine(path, MAX_PATH_LENGTH) };
}

const MAX_PATTERN_LENGTH = 160;
const MAX_DESCRIPTION_LENGTH = 240;

function toNote({ pattern = '', description = '', outcome, agent }: Attempt): NoteFact | undefined {
  const text = oneLine(pattern, MAX_PATTERN_LENGTH);
  if (text === '') return undefined;
  return {
    pattern: text,
    description: oneLine(description, MAX_DESCRIPTION_LENGTH),
    isWarning: outcome === 'failure',
    isByAgent: agent !== undefined,
  };
}

/** Classes of failures that a similar call would run into as well. */
const SIMILAR_CALLS_FAIL: ReadonlySet<FailureClass> = new Set(['missing', 'usage', 'environment']);

function explainFailure(attempt: Attempt, call: CallAnalysis): FailureFact {
  const found = analyseFailure(call, attempt.error ?? '', attempt.exitCode);
  const { missing, suggestion } = found;
  const isWhole = found.blamed.includes(`call:${call.signature}`);
  return {
    // The rules of editing tools differ from agent to agent.
    causes: found.blamed.map((cause) => (cause.startsWith('rule:') ? ruleCause(cause, attempt.agent) : cause)),
    class: found.class,
    line: found.line,
    errorSignature: found.signature,
    subjects: findSubjects(found.class, attempt.error ?? '', call),
    ...omitUndefined({
      suggestion,
      missing: missing === undefined ? undefined : locateMissing(missing, call, attempt),
      likeness: isWhole && SIMILAR_CALLS_FAIL.has(found.class) ? likenessOf(call) : undefined,
    }),
  };
}

/** The cause for a rule of the editing tools of an agent: `rule:idle` for all agents. */
function ruleCause(rule: string, agent = ''): string {
  return `${rule} ${agent}`;
}

/** Only calls of one group are compared with each other: the same program with its subcommand, or the same tool. */
export function likenessOf(call: CallAnalysis): string {
  const head = call.needs.find((key) => key.startsWith('head:')) ?? call.needs.find((key) => key.startsWith('tool:'));
  return `${call.family} ${head ?? ''}`;
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

const MAX_SUBJECTS = 6;

function findSubjects(failureClass: FailureClass, output: string, call: CallAnalysis): readonly string[] {
  if (failureClass === 'state') return findFileNames(output).slice(0, MAX_SUBJECTS);
  const paths = call.needs.flatMap((key) => (key.startsWith('path:') ? [key.slice('path:'.length)] : []));
  return paths.filter((path) => !path.includes(' ')).slice(0, MAX_SUBJECTS);
}

const EVENT_OF_ACTION: Readonly<Partial<Record<Action, CheckoutEvent>>> = {
  edit: 'edit',
  install: 'install',
  checkout: 'checkout',
  commit: 'commit',
  push: 'push',
  build: 'build',
};

/** What a call that worked shows to be there, and what it changed in its checkout. */
function findProofs(attempt: Attempt, call: CallAnalysis): readonly string[] {
  const proved = new Set<string>();
  const wholeCall = `call:${call.signature}`;
  const checkout = findRoot(attempt) ?? '';
  const addEvent = (event: CheckoutEvent): void => void proved.add(eventCause(event, checkout));
  // If the exit code is hidden, the success of the whole call is not known.
  for (const key of call.needs) if (key !== wholeCall || !call.hidesExitCode) proved.add(key);
  const paths = call.needs.filter((key) => key.startsWith('path:')).map((key) => key.slice(5));
  for (const path of [...paths, ...call.creates]) {
    for (let folder = path; folder.length > 1; folder = posix.dirname(folder)) proved.add(`path:${folder}`);
  }
  for (const path of call.creates) for (const kind of ['file', 'text']) proved.add(`${kind}:${path}`);
  if (call.creates.length > 0) addEvent('edit');
  if (call.creates.some((path) => posix.basename(path) === '.gitignore')) addEvent('gitignore');
  for (const { action, command } of call.parts) {
    const event = EVENT_OF_ACTION[action];
    if (event !== undefined) addEvent(event);
    if (changesRefs(command.words)) addEvent('refs');
    if (isPreparation(command.words)) addEvent('prepare');
    if (action === 'commit' && concludesMerge(command.words, attempt.result)) addEvent('merged');
  }
  return [...proved];
}

/** Whether a commit concludes a merge. */
function concludesMerge(words: readonly string[], result: string | undefined): boolean {
  return words.includes('--no-edit') || /\bmerge/i.test(words.join(' ')) || /\] merge/i.test(result ?? '');
}
