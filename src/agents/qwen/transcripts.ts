import { join } from 'node:path';
import type { CallResult } from '../../facts/call/tool-call.ts';
import { omitUndefined } from '../../record/object.ts';
import type { Usage } from '../../record/record.ts';
import { parseResponse, parseUserText, splitParts } from '../gemini/content.ts';
import {
  asAbsolutePath,
  asCount,
  asFields,
  asInput,
  asInteger,
  asName,
  asObjects,
  asText,
  asTime,
  type Fields,
} from '../transcript/fields.ts';
import { fileSource, firstFields, listFolder, listTranscriptFiles } from '../transcript/files.ts';
import { type LineReader, readJsonLines } from '../transcript/line-reading.ts';
import {
  type AgentTranscripts,
  problem,
  skip,
  skipTable,
  type TranscriptEvent,
  type TranscriptLocations,
  unknownType,
} from '../transcript/transcript.ts';

/**
 * The sessions of Qwen Code: `~/.qwen/projects/<folder>/chats/<id>.jsonl`, their sub-agents in
 * `subagents/<id>/agent-<agent>.jsonl`. `QWEN_RUNTIME_DIR` or `QWEN_HOME` replaces `~/.qwen`.
 */
export const qwenTranscripts: AgentTranscripts = {
  agent: 'qwen',
  find: (places) =>
    listFolder(join(dataFolder(places), 'projects'))
      .flatMap(({ path }) => [
        ...listTranscriptFiles(join(path, 'chats'), isTranscript, 0),
        ...listTranscriptFiles(join(path, 'subagents'), isTranscript, 1),
      ])
      .flatMap((path) => fileSource('qwen', path) ?? []),
  recognises: (path) => {
    const first = isTranscript(path) ? firstFields(path) : undefined;
    if (asName(first?.uuid) === undefined || asName(first?.sessionId) === undefined) return false;
    return first?.type === 'system' || Array.isArray(asFields(first?.message)?.parts);
  },
  read: (source, position) => readJsonLines(source, position, (state) => new QwenReader(state)),
};

function dataFolder({ home, env }: TranscriptLocations): string {
  return env.QWEN_RUNTIME_DIR || env.QWEN_HOME || join(home, '.qwen');
}

function isTranscript(name: string): boolean {
  return name.endsWith('.jsonl');
}

/** Subtypes of user lines that the program wrote. */
const PROGRAM_SUBTYPES: ReadonlySet<unknown> = new Set(['cron', 'goal_runtime', 'notification']);

/** Subtypes of system lines that are skipped, and why. */
const SKIPPED_SUBTYPES: ReadonlyMap<unknown, string> = skipTable({
  'copy of the context': 'agent_bootstrap',
  'copy of a prompt': 'agent_launch_prompt',
  bookkeeping:
    'agent_retry agent_session_ready branch_checkpoint goal_state goal_turn_end ' +
    'managed_session_commit_v1 managed_session_event_v1 managed_session_header_v1 ' +
    'session_artifact_event session_artifact_snapshot turn_result',
  'attached file': 'at_command',
  'file snapshot': 'attribution_snapshot file_history_snapshot',
  notice: 'background_task_completed',
  'injected text': 'omni_recall',
  // What was rewound stays, because it was said.
  rewind: 'rewind',
  'settings of the session': 'session_model session_source session_sources_snapshot',
  'slash command': 'slash_command',
  telemetry: 'ui_telemetry',
});

/** The context of yore and other hooks, which Qwen Code adds to a prompt. */
const HOOK_CONTEXT = '<qwen:user-prompt-submit-context>';
const EMPTY = skip('empty message');
const INJECTED = skip('injected text');

/** The session of a line. */
interface LineSession {
  readonly sessionId: string;
  readonly parentSessionId?: string;
  readonly isFork?: true;
}

/** Reads the lines of a Qwen Code transcript. */
class QwenReader implements LineReader {
  /** The session, folder and branch that were reported last. */
  #state: Fields;

  constructor(state: Fields | undefined) {
    this.#state = state ?? {};
  }

  state(): Fields {
    return this.#state;
  }

  *read(line: Fields): Generator<TranscriptEvent> {
    const session = parseSession(line);
    if (session === undefined) return yield problem('line without a session');
    yield* this.#reportSession(line, session);
    const { sessionId } = session;
    switch (line.type) {
      case 'user':
        return yield readPrompt(line, sessionId);
      case 'assistant':
        return yield* readReply(line, sessionId);
      case 'tool_result':
        return yield* readResults(line, sessionId);
      case 'system':
        return yield readSystemLine(line, session);
      default:
        yield unknownType('line', line.type);
    }
  }

  /** Reports the session before its first event and whenever its folder or branch changes. */
  *#reportSession(line: Fields, session: LineSession): Generator<TranscriptEvent> {
    const cwd = asAbsolutePath(line.cwd);
    const branch = asName(line.gitBranch);
    const { sessionId } = session;
    const known = this.#state;
    if (known.sessionId === sessionId && known.cwd === cwd && known.branch === branch) return;
    this.#state = omitUndefined({ sessionId, cwd, branch });
    const isNew = known.sessionId !== sessionId;
    yield { type: 'session', ...(isNew ? session : { sessionId }), ...omitUndefined({ cwd, branch }) };
  }
}

/** Sub-agents have the id of the session that started them, and copied lines of a fork name their origin. */
function parseSession(line: Fields): LineSession | undefined {
  const sessionId = asName(line.sessionId);
  const agent = asName(line.agentId);
  if (sessionId === undefined) return undefined;
  if (agent !== undefined) return { sessionId: `${sessionId}-agent-${agent}`, parentSessionId: sessionId };
  const forkedFrom = asName(asFields(line.forkedFrom)?.sessionId);
  return forkedFrom === undefined ? { sessionId } : { sessionId, parentSessionId: forkedFrom, isFork: true };
}

function messageBase(line: Fields, sessionId: string) {
  const id = asName(line.uuid);
  return { type: 'message', sessionId, ...omitUndefined({ id, timestamp: asTime(line.timestamp) }) } as const;
}

function readPrompt(line: Fields, sessionId: string): TranscriptEvent {
  if (PROGRAM_SUBTYPES.has(line.subtype)) return skip('notice');
  const { texts, images } = splitParts(asFields(line.message)?.parts);
  const said = parseUserText(texts.filter((text) => !text.startsWith(HOOK_CONTEXT)));
  const typed = said.kind === 'typed' ? said.text : '';
  const text = asText(asFields(line.systemPayload)?.displayText) ?? typed;
  if (text === '' && images.length === 0) return texts.length > 0 ? INJECTED : EMPTY;
  return { ...messageBase(line, sessionId), role: 'user', text, ...(images.length > 0 ? { images } : {}) };
}

function* readReply(line: Fields, sessionId: string): Generator<TranscriptEvent> {
  const { texts, calls } = splitParts(asFields(line.message)?.parts);
  const text = texts.join('\n');
  const usage = parseUsage(asFields(line.usageMetadata));
  const base = messageBase(line, sessionId);
  if (text !== '' || usage)
    yield { ...base, role: 'assistant', text, ...omitUndefined({ model: asName(line.model), usage }) };
  else if (calls.length === 0) yield EMPTY;
  for (const call of calls) {
    const callId = asName(call.id);
    const { tool, input } = parseCall(call);
    if (callId === undefined || tool === undefined) yield problem('tool call without id or name');
    else {
      const { timestamp } = base;
      yield {
        type: 'call',
        sessionId,
        callId,
        tool,
        input,
        ...omitUndefined({ timestamp }),
      };
    }
  }
}

/** A tool that is not declared to the model is called through another one. */
function parseCall({ name, args }: Fields): { readonly tool: string | undefined; readonly input: Fields } {
  const input = asInput(args);
  const deferred = name === 'tool_call' ? asName(input.name) : undefined;
  return deferred === undefined ? { tool: asName(name), input } : { tool: deferred, input: asInput(input.arguments) };
}

/** The total is that of input and output, which includes thinking for some providers only. */
function parseUsage(usage: Fields | undefined): Usage | undefined {
  const input = asCount(usage?.promptTokenCount);
  const total = asCount(usage?.totalTokenCount);
  if (input === undefined || total === undefined || total === 0) return undefined;
  const cached = asCount(usage?.cachedContentTokenCount) ?? 0;
  return {
    inputTokens: Math.max(0, input - cached),
    outputTokens: Math.max(0, total - input),
    cacheReadTokens: cached,
  };
}

function* readResults(line: Fields, sessionId: string): Generator<TranscriptEvent> {
  const outcome = asFields(line.toolCallResult);
  const { responses } = splitParts(asFields(line.message)?.parts);
  if (responses.length === 0) yield problem('result of no call');
  for (const response of responses) {
    const callId = asName(response.id);
    if (callId === undefined) {
      yield problem('result of no call');
      continue;
    }
    const result = parseResult(response, outcome?.callId === callId ? outcome : undefined);
    const timestamp = asTime(line.timestamp);
    yield { type: 'result', sessionId, callId, result, ...omitUndefined({ timestamp }) };
  }
}

const STATUS_OF_ERROR: ReadonlyMap<unknown, CallResult['status']> = new Map([
  ['execution_denied', 'denied'],
  ['invalid_tool_params', 'invalid'],
  ['tool_not_registered', 'invalid'],
]);

const STATUS_OF_OUTCOME: ReadonlyMap<unknown, CallResult['status']> = new Map([
  ['cancelled', 'interrupted'],
  ['completed', 'ok'],
  ['failed', 'error'],
  ['timed_out', 'error'],
]);

/** The result of a call: `response` is what the model was given, `outcome` what Qwen Code shows to the user. */
function parseResult(response: Fields, outcome: Fields | undefined): CallResult {
  const durationMs = asCount(outcome?.durationMs);
  const shown = asFields(outcome?.resultDisplay);
  const shellStatus = shown?.type === 'shell_result' ? STATUS_OF_OUTCOME.get(shown.outcome) : undefined;
  if (shown && shellStatus !== undefined) {
    const output = asText(shown.output) || (asText(shown.error) ?? '');
    const exitCode = asInteger(shown.exitCode);
    return { status: shellStatus, output, ...omitUndefined({ exitCode, durationMs }) };
  }
  const result = parseResponse(response);
  const status = STATUS_OF_ERROR.get(outcome?.errorType) ?? result.status;
  const isInBackground = status === 'ok' && result.output?.startsWith('Background shell started') === true;
  return { ...result, status: isInBackground ? 'unknown' : status, ...omitUndefined({ durationMs }) };
}

function readSystemLine(line: Fields, { sessionId }: LineSession): TranscriptEvent {
  const payload = asFields(line.systemPayload);
  const reason = SKIPPED_SUBTYPES.get(line.subtype);
  if (reason !== undefined) return skip(reason);
  if (line.subtype === 'parent_session') {
    const parentSessionId = asName(payload?.parentSessionId);
    return { type: 'session', sessionId, ...omitUndefined({ parentSessionId }) };
  }
  if (line.subtype === 'custom_title') {
    const title = asText(payload?.customTitle) ?? asText(payload?.title);
    return { type: 'session', sessionId, ...omitUndefined({ title }), isTitleChosen: payload?.titleSource !== 'auto' };
  }
  if (line.subtype !== 'chat_compression') return unknownType('system line', line.subtype);
  const text = findSummary(asObjects(payload?.compressedHistory));
  return { ...messageBase(line, sessionId), role: 'user', text, kind: 'checkpoint', isSystem: true };
}

/** The summary at the beginning of a compressed history; empty when there is none. */
function findSummary(history: readonly Fields[]): string {
  for (const { parts } of history) {
    const said = parseUserText(splitParts(parts).texts);
    if (said.kind === 'summary') return said.text;
  }
  return '';
}
