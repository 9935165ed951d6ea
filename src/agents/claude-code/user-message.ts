import type { CallResult } from '../../facts/call/tool-call.ts';
import { omitUndefined } from '../../record/object.ts';
import { extractElements } from '../transcript/elements.ts';
import { asFields, asInteger, asName, asObjects, asText, type Fields } from '../transcript/fields.ts';
import { type SkipEvent, skip, type TranscriptImage, unknownType } from '../transcript/transcript.ts';

/** The content of a user's turn besides results of calls. */
export interface UserMessage {
  /** What the user said; empty if nothing. */
  readonly text: string;
  /** Whether a program wrote the whole turn. */
  readonly isInjected: boolean;
  /** The summary of a compaction, if it is in the turn. */
  readonly summary?: string;
  readonly skipped: readonly SkipEvent[];
  /** Texts that may report the ends of background tasks. */
  readonly notices: readonly string[];
}

/** Origins of turns that no person wrote. */
const PROGRAM_ORIGINS: ReadonlySet<string> = new Set([
  'system',
  'task-notification',
  'loop_wakeup',
  'schedule_wakeup',
  'poll_event',
  'cron',
  'hook',
  'channel',
  'coordinator',
  'teammate',
  'peer',
]);

/** Parses a user's turn. `envelope` are the fields around it, which may say that a program wrote it. */
export function parseUserMessage(content: unknown, envelope: Fields): UserMessage {
  const skipped: SkipEvent[] = [];
  const texts: string[] = [];
  const notices: string[] = [];
  let summary: string | undefined;
  const isInjected = isWrittenByProgram(envelope);
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : asObjects(content);
  for (const block of blocks) {
    if (block.type === 'tool_result') continue;
    if (block.type === 'image') {
      if (isInjected) skipped.push(skip('injected image'));
      continue;
    }
    if (block.type !== 'text') {
      skipped.push(block.type === 'document' ? skip('document') : unknownType('block', block.type));
      continue;
    }
    const text = asText(block.text) ?? '';
    if (text.includes('<task-notification>')) notices.push(text);
    const parsed = isInjected ? INJECTED_TURN : parseUserText(text);
    if (parsed.kind === 'typed') texts.push(parsed.text);
    else if (parsed.kind === 'summary') summary = parsed.text;
    else skipped.push(skip(parsed.reason));
  }
  return {
    text: texts.join('\n'),
    isInjected,
    skipped,
    notices,
    ...omitUndefined({ summary }),
  };
}

const INJECTED_TURN = { kind: 'injected', reason: 'injected text' } as const;

function isWrittenByProgram(envelope: Fields): boolean {
  if (envelope.isMeta === true || envelope.isVisibleInTranscriptOnly === true) return true;
  const mode = asName(envelope.commandMode);
  if (mode !== undefined && mode !== 'prompt' && mode !== 'bash') return true;
  const origin = asName(asFields(envelope.origin)?.kind) ?? asName(envelope.promptSource);
  return origin !== undefined && PROGRAM_ORIGINS.has(origin);
}

/** The images in a turn. */
export function parseImages(content: unknown): readonly TranscriptImage[] {
  return asObjects(content).flatMap((block) => {
    const source = block.type === 'image' ? asFields(block.source) : undefined;
    const base64 = source?.type === 'base64' ? asText(source.data) : undefined;
    if (!base64) return [];
    return [{ mediaType: asName(source?.media_type) ?? 'image/png', base64 }];
  });
}

/** What a text in the user's turn is: typed by the user, the summary of a compaction, or injected, and by what. */
type UserText =
  | { readonly kind: 'typed'; readonly text: string }
  | { readonly kind: 'summary'; readonly text: string }
  | { readonly kind: 'injected'; readonly reason: string };

/** Elements with text that a program injected, and what it is. */
const INJECTED_ELEMENTS = new Map([
  ['system-reminder', 'injected text'],
  ['ide_opened_file', 'injected text'],
  ['ide_selection', 'injected text'],
  ['ide_diagnostics', 'injected text'],
  ['new-diagnostics', 'injected text'],
  ['command-message', 'injected text'],
  ['command-contents', 'injected text'],
  ['local-command-caveat', 'injected text'],
  ['local-command-stdout', 'output of a local command'],
  ['local-command-stderr', 'output of a local command'],
  ['bash-stdout', 'output of a local command'],
  ['bash-stderr', 'output of a local command'],
  ['task-notification', 'notice of a background task'],
  ['teammate-message', 'message of another agent'],
  ['post-tool-use-hook', 'injected text'],
  ['user-prompt-submit-hook', 'injected text'],
  ['session-start-hook', 'injected text'],
]);

/** Elements with what the user typed, and the prefix it was typed with. */
const TYPED_ELEMENTS = new Map([
  ['command-name', ''],
  ['command-args', ' '],
  ['bash-input', '!'],
  ['user-memory-input', '# '],
]);

const ELEMENTS: ReadonlySet<string> = new Set([...INJECTED_ELEMENTS.keys(), ...TYPED_ELEMENTS.keys()]);

const SUMMARY_OPENING = 'This session is being continued from a previous conversation';

/** How injected texts begin, and what they are. */
const INJECTED_OPENINGS: readonly (readonly [opening: string, reason: string])[] = [
  ['[Request interrupted by user', 'interruption'],
  ['Caveat: The messages below were generated by the user', 'injected text'],
  ['Your task is to create a detailed summary of', 'injected text'],
  ['Base directory for this skill:', 'injected text'],
  ['Stop hook feedback:', 'hook report'],
  ['Operation stopped by hook:', 'hook report'],
  ['Unknown slash command:', 'notice'],
  ['Unknown skill:', 'notice'],
  // What follows it is the program's too.
  ['<task-notification>', 'notice of a background task'],
  ['<teammate-message', 'message of another agent'],
  ['[Image: source:', 'injected text'],
  ['[Image: original', 'injected text'],
];

/** Separates what the user typed from what Claude Code injects. Slash commands are returned as they were typed. */
function parseUserText(text: string): UserText {
  const opening = text.trimStart();
  if (opening.startsWith(SUMMARY_OPENING)) return { kind: 'summary', text };
  for (const [start, reason] of INJECTED_OPENINGS) {
    if (opening.startsWith(start)) return { kind: 'injected', reason };
  }
  const { rest, elements } = extractElements(text, ELEMENTS);
  let typed = '';
  let reason = 'empty text';
  for (const { name, content } of elements) {
    const prefix = TYPED_ELEMENTS.get(name);
    if (prefix === undefined) reason = INJECTED_ELEMENTS.get(name) ?? reason;
    else if (content.trim() !== '') typed += prefix + content.trim();
  }
  const said =
    elements.length === 0
      ? text
      : [typed, rest]
          .map((part) => part.trim())
          .filter(Boolean)
          .join('\n');
  return said.trim() === '' ? { kind: 'injected', reason } : { kind: 'typed', text: said };
}

/** The end of a background task. */
export interface TaskEnd {
  readonly callId: string | undefined;
  readonly taskId: string | undefined;
  readonly result: CallResult;
}

const NOTICES: ReadonlySet<string> = new Set(['task-notification']);
const NOTICE_PARTS: ReadonlySet<string> = new Set(['task-id', 'tool-use-id', 'status', 'summary', 'result']);
const EXIT_CODE = /exit code (-?\d+)/i;

/** The ends of background tasks that Claude Code reports in the user's turn. */
export function parseTaskNotices(text: string): readonly TaskEnd[] {
  if (!text.includes('<task-notification>')) return [];
  return extractElements(text, NOTICES).elements.flatMap(({ content }) => {
    const parts = new Map(
      extractElements(content, NOTICE_PARTS).elements.map((part) => [part.name, part.content.trim()]),
    );
    const summary = parts.get('summary') ?? '';
    const exit = EXIT_CODE.exec(summary)?.[1];
    const result = toTaskResult(
      parts.get('status'),
      exit === undefined ? undefined : asInteger(Number(exit)),
      parts.get('result') ?? summary,
    );
    return result ? [{ callId: asName(parts.get('tool-use-id')), taskId: asName(parts.get('task-id')), result }] : [];
  });
}

/** The end of a background task that the model asked for (`BashOutput`, `TaskOutput`); undefined while it runs. */
export function parseTaskOutput(extra: unknown): TaskEnd | undefined {
  const shape = asFields(extra);
  const task: Fields | undefined = asFields(shape?.task) ?? shape;
  if (!task) return undefined;
  const taskId = asName(task.task_id) ?? asName(task.shellId);
  if (taskId === undefined) return undefined;
  const output =
    asText(task.output) ?? [asText(task.stdout) ?? '', asText(task.stderr) ?? ''].filter(Boolean).join('\n');
  const result = toTaskResult(asText(task.status), asInteger(task.exitCode), output);
  return result ? { callId: undefined, taskId, result } : undefined;
}

function toTaskResult(
  status: string | undefined,
  exitCode: number | undefined,
  output: string,
): CallResult | undefined {
  const rest = { output, ...omitUndefined({ exitCode }) };
  switch (status) {
    case 'completed':
      return { status: exitCode === undefined || exitCode === 0 ? 'ok' : 'error', ...rest };
    case 'failed':
      return { status: 'error', ...rest };
    case 'killed':
    case 'stopped':
      return { status: 'interrupted', ...rest };
    default:
      return undefined;
  }
}
