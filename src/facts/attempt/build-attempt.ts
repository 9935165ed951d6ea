import { posix } from 'node:path';
import type { TextLists } from '../../config/settings.ts';
import { omitUndefined } from '../../record/object.ts';
import type { Attempt, Commit } from '../../record/record.ts';
import { redact } from '../../redact/redact.ts';
import { identifierParts } from '../../text/identifier-parts.ts';
import { analyseCall, type CallAnalysis, makesCommit } from '../call/analyse-call.ts';
import { classifyOutcome, mayHideExitCode, type ResultSummary, summariseResult } from '../call/call-result.ts';
import { commitSubject, findCommitHash, findCommitMessage, findFileNames } from '../call/command-text.ts';
import { type CallFields, describeCall, findRoot, isOutside, relativePath } from '../call/describe-call.ts';
import type { CallResult, ToolCall } from '../call/tool-call.ts';
import { analyseFailure } from '../failure/analyse-failure.ts';
import { findTags, MAX_TAGS } from '../tags/tags.ts';
import { boundRequest } from './bound-request.ts';

/** An attempt to be recorded. */
export type AttemptDraft = Omit<Attempt, 'v' | 'id'>;

/** A user's request, as it is recorded with the calls that serve it. */
export interface ServedRequest {
  readonly text: string;
  readonly tags: readonly string[];
}

/** What a call and its output tell of a commit that it made. Times in milliseconds: the call ran between them. */
export interface CommitClues {
  /** The beginning of its hash, as git printed it. */
  readonly hash: string | undefined;
  /** Whether a commit with this first line of its message may be the one. */
  readonly hasMessage: (line: string) => boolean;
  readonly from: number;
  readonly to: number;
}

/** The checkout that a call ran in, as far as it can be asked afterwards. */
export interface Checkout {
  /** Whether there is a file at a path relative to its root. */
  readonly hasFile: (path: string) => boolean;
  /** The only commit that the clues fit. */
  readonly findCommit: (clues: CommitClues) => Commit | undefined;
}

/** What an attempt's record takes from outside the call. */
export interface AttemptContext {
  /** The request that the call serves. */
  readonly request?: ServedRequest;
  /** The setting `tags.extra`. */
  readonly extraTags?: TextLists;
  /** When the call ended, if its own time is when it began. ISO 8601. */
  readonly endedAt?: string;
  readonly checkout?: Checkout;
}

/** Redacts, truncates and tags a request. */
export function describeRequest(text: string, extraTags?: TextLists): ServedRequest {
  const kept = boundRequest(text);
  return { text: kept, tags: findTags({ text: kept }, extraTags) };
}

/** Tags of calls by tool, command and path: most calls of a session are about the same files. */
let tagCache = new Map<string, readonly string[]>();
const MAX_CACHED = 1000;
const MAX_CACHED_COMMAND = 1000;

function findCallTags({ tool, command, path }: CallFields, extraTags: TextLists | undefined): readonly string[] {
  const what = omitUndefined({ tool, command, path });
  if (extraTags !== undefined || (command?.length ?? 0) > MAX_CACHED_COMMAND) return findTags(what, extraTags);
  const key = `${tool}\0${command}\0${path}`;
  const known = tagCache.get(key);
  if (known !== undefined) return known;
  const tags = findTags(what);
  if (tagCache.size >= MAX_CACHED) tagCache = new Map();
  tagCache.set(key, tags);
  return tags;
}

/** Builds the record of a call that ended: what was done, the outcome and its cause. Never throws. */
export function buildAttempt(call: ToolCall, result: CallResult, context: AttemptContext = {}): AttemptDraft {
  return buildAttemptFromFields(call, describeCall(call), result, context);
}

/** Builds the record from the description of the call. Never throws. */
export function buildAttemptFromFields(
  call: Pick<ToolCall, 'sessionId' | 'callId' | 'timestamp'>,
  fields: CallFields,
  result: CallResult,
  context: AttemptContext = {},
): AttemptDraft {
  const summary = summariseResult(result, mayHideExitCode(fields.command), fields.command);
  return buildAttemptFromSummary(call, fields, summary, context);
}

/** Builds the record from the description of the call and the summary of its result. Never throws. */
export function buildAttemptFromSummary(
  call: Pick<ToolCall, 'sessionId' | 'callId' | 'timestamp'>,
  fields: CallFields,
  summary: ResultSummary,
  context: AttemptContext = {},
): AttemptDraft {
  const analysis = analyseCall(fields);
  const outcome = classifyOutcome(analysis, summary);
  const failed = outcome === 'failure';
  const error = failed ? (summary.error ?? '') : undefined;
  const failure = error === undefined ? undefined : analyseFailure(analysis, error, summary.exitCode);
  const { request, extraTags } = context;
  const own = findCallTags(fields, extraTags);
  const tags = [...new Set([...(request?.tags ?? []), ...own])].slice(0, MAX_TAGS);
  const environment = analysis.parts.flatMap(({ command }) => command.circumstances);
  const circumstances = [...new Set([...(fields.circumstances ?? []), ...environment])];
  const hasWorked = outcome === 'success';
  return omitUndefined({
    sessionId: call.sessionId,
    timestamp: call.timestamp,
    outcome,
    callId: call.callId,
    ...fields,
    circumstances: circumstances.length === 0 ? undefined : circumstances,
    error,
    result: failed ? undefined : summary.result,
    exitCode: summary.exitCode,
    durationMs: summary.durationMs,
    context: request?.text === '' ? undefined : request?.text,
    tags: tags.length === 0 ? undefined : tags,
    signature: analysis.signature,
    errorSignature: failure?.signature,
    kind: failure?.class ?? analysis.action,
    commit: hasWorked && makesCommit(analysis) ? findCommit(call, fields, summary, context) : undefined,
    testFiles: findTestFiles(analysis, fields, summary, context.checkout),
  });
}

/** How long before its end a call may have begun whose beginning is not known. */
const MAX_CALL_MS = 5 * 60_000;

function findCommit(
  { timestamp }: Pick<ToolCall, 'timestamp'>,
  fields: CallFields,
  { result, durationMs = MAX_CALL_MS }: ResultSummary,
  { checkout, endedAt }: AttemptContext,
): Commit | undefined {
  if (checkout === undefined) return undefined;
  const time = Date.parse(timestamp);
  const call = { ...fields, ...omitUndefined({ result }) };
  const message = findCommitMessage(call);
  return checkout.findCommit({
    hash: findCommitHash(call),
    hasMessage: (line) => message === undefined || commitSubject(redact(line)) === message,
    from: endedAt === undefined ? time - durationMs : time,
    to: Date.parse(endedAt ?? timestamp),
  });
}

const MAX_TEST_FILES = 50;
/** A word of a path by which people and runners know a test. */
const TEST_WORDS: ReadonlySet<string> = new Set(['test', 'tests', 'spec', 'specs']);

/** The files of tests that a run names, in its command or its output, and that exist. Undefined where there are none. */
function findTestFiles(
  analysis: CallAnalysis,
  fields: CallFields,
  { error = '', result = '' }: ResultSummary,
  checkout: Checkout | undefined,
): readonly string[] | undefined {
  const runs = checkout === undefined ? [] : analysis.parts.filter(({ action }) => action === 'test');
  if (runs.length === 0) return undefined;
  const root = findRoot(fields);
  const folders = [...new Set(runs.map(({ command }) => command.folder ?? root ?? ''))];
  const names = findFileNames(`${fields.command}\n${error}\n${result}`).filter((name) =>
    name.split('/').some((part) => identifierParts(part).some((word) => TEST_WORDS.has(word))),
  );
  const found = names.flatMap((name) => {
    const paths = [...folders.map((folder) => relativePath(posix.join(folder, name), root)), name];
    return paths.find((path) => !isOutside(path) && checkout?.hasFile(path)) ?? [];
  });
  return found.length === 0 ? undefined : [...new Set(found)].slice(0, MAX_TEST_FILES);
}

/** Builds the context of calls from requests, caching the last one: calls that serve a request follow each other. */
export class RequestDescriber {
  readonly #extraTags: TextLists | undefined;
  #last: { readonly text: string; readonly served: ServedRequest } | undefined;

  /** @param extraTags the setting `tags.extra` */
  constructor(extraTags: TextLists) {
    this.#extraTags = Object.keys(extraTags).length === 0 ? undefined : extraTags;
  }

  /** A request as it is recorded with the calls that serve it. */
  describe(text: string): ServedRequest {
    if (this.#last?.text !== text) this.#last = { text, served: describeRequest(text, this.#extraTags) };
    return this.#last.served;
  }

  /** The context of a call, which may serve a request. */
  of(request: ServedRequest | undefined): AttemptContext {
    return omitUndefined({ request, extraTags: this.#extraTags });
  }
}
