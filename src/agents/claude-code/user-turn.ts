import type { CallResult } from '../../memory/index.ts';
import { extractElements } from '../transcript/elements.ts';
import { asFields, asInteger, asName, asObjects, asText, type Fields } from '../transcript/fields.ts';
import { type SkipEvent, skip, type TranscriptImage, unknownType } from '../transcript/transcript-event.ts';

/** What is in a turn of the user beside results of calls. */
export interface UserTurn {
  /** The user's words; empty if there are none. */
  readonly text: string;
  /** Whether a program made the whole turn. */
  readonly isInjected: boolean;
  /** The summary of what was compacted, where it stands in the user's turn. */
  readonly summary?: string;
  readonly skipped: readonly SkipEvent[];
  /** Texts in which the ends of background tasks may be told. */
  readonly notices: readonly string[];
}

/** Where a turn may come from when no person wrote it. */
const PROGRAMS: ReadonlySet<string> = new Set([
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

/** Takes a turn of the user apart. `marks`: the fields around it, which may say that a program wrote it. */
export function userTurn(content: unknown, marks: Fields): UserTurn {
  const skipped: SkipEvent[] = [];
  const texts: string[] = [];
  const notices: string[] = [];
  let summary: string | undefined;
  const isInjected = isProgramMade(marks);
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
    const meaning = isInjected ? INJECTED_TURN : userText(text);
    if (meaning.kind === 'typed') texts.push(meaning.text);
    else if (meaning.kind === 'summary') summary = meaning.text;
    else skipped.push(skip(meaning.reason));
  }
  return {
    text: texts.join('\n'),
    isInjected,
    skipped,
    notices,
    ...(summary === undefined ? {} : { summary }),
  };
}

const INJECTED_TURN = { kind: 'injected', reason: 'injected text' } as const;

function isProgramMade(marks: Fields): boolean {
  if (marks.isMeta === true || marks.isVisibleInTranscriptOnly === true) return true;
  const mode = asName(marks.commandMode);
  if (mode !== undefined && mode !== 'prompt' && mode !== 'bash') return true;
  const origin = asName(asFields(marks.origin)?.kind) ?? asName(marks.promptSource);
  return origin !== undefined && PROGRAMS.has(origin);
}

/** The images in a turn. */
export function imagesOf(content: unknown): readonly TranscriptImage[] {
  return asObjects(content).flatMap((block) => {
    const source = block.type === 'image' ? asFields(block.source) : undefined;
    const base64 = source?.type === 'base64' ? asText(source.data) : undefined;
    if (!base64) return [];
    return [{ mediaType: asName(source?.media_type) ?? 'image/png', base64 }];
  });
}

/** What a text in the user's turn is: the user's words, a summary after compaction, or nothing of the user's, and why. */
type UserText =
  | { readonly kind: 'typed'; readonly text: string }
  | { readonly kind: 'summary'; readonly text: string }
  | { readonly kind: 'injected'; readonly reason: string };

/** Elements in which Claude Code puts what a program says, and what that is. */
const INJECTED = new Map([
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

/** Elements that hold what the user typed, and the way it was typed. */
const TYPED = new Map([
  ['command-name', ''],
  ['command-args', ' '],
  ['bash-input', '!'],
  ['user-memory-input', '# '],
]);

const ELEMENTS: ReadonlySet<string> = new Set([...INJECTED.keys(), ...TYPED.keys()]);

const SUMMARY_OPENING = 'This session is being continued from a previous conversation';

/** How texts begin that the program says in the user's turn, and what they are. */
const OPENINGS: readonly (readonly [opening: string, reason: string])[] = [
  ['[Request interrupted by user', 'interruption'],
  ['Caveat: The messages below were generated by the user', 'injected text'],
  ['Your task is to create a detailed summary of', 'injected text'],
  ['Base directory for this skill:', 'injected text'],
  ['Stop hook feedback:', 'hook report'],
  ['Operation stopped by hook:', 'hook report'],
  ['Unknown slash command:', 'notice'],
  ['Unknown skill:', 'notice'],
  // What stands after it is said by the program too.
  ['<task-notification>', 'notice of a background task'],
  ['<teammate-message', 'message of another agent'],
  ['[Image: source:', 'injected text'],
  ['[Image: original', 'injected text'],
];

/** Tells the user's own words from what Claude Code puts into the user's turn. Slash commands are as they were typed. */
function userText(text: string): UserText {
  const opening = text.trimStart();
  if (opening.startsWith(SUMMARY_OPENING)) return { kind: 'summary', text };
  for (const [start, reason] of OPENINGS) {
    if (opening.startsWith(start)) return { kind: 'injected', reason };
  }
  const { rest, elements } = extractElements(text, ELEMENTS);
  let typed = '';
  let reason = 'empty text';
  for (const { name, content } of elements) {
    const prefix = TYPED.get(name);
    if (prefix === undefined) reason = INJECTED.get(name) ?? reason;
    else if (content.trim() !== '') typed += prefix + content.trim();
  }
  const words =
    elements.length === 0
      ? text
      : [typed, rest]
          .map((part) => part.trim())
          .filter(Boolean)
          .join('\n');
  return words.trim() === '' ? { kind: 'injected', reason } : { kind: 'typed', text: words };
}

/** How a call that went on in the background ended. */
export interface TaskEnd {
  readonly callId: string | undefined;
  readonly taskId: string | undefined;
  readonly result: CallResult;
}

const NOTICE: ReadonlySet<string> = new Set(['task-notification']);
const PARTS: ReadonlySet<string> = new Set(['task-id', 'tool-use-id', 'status', 'summary', 'result']);
const EXIT_CODE = /exit code (-?\d+)/i;

/** The ends of background tasks that Claude Code tells in the user's turn. */
export function taskEnds(text: string): readonly TaskEnd[] {
  if (!text.includes('<task-notification>')) return [];
  return extractElements(text, NOTICE).elements.flatMap(({ content }) => {
    const parts = new Map(
      extractElements(content, PARTS).elements.map((part) => [part.name, part.content.trim()]),
    );
    const summary = parts.get('summary') ?? '';
    const exit = EXIT_CODE.exec(summary)?.[1];
    const result = endOf(
      parts.get('status'),
      exit === undefined ? undefined : asInteger(Number(exit)),
      parts.get('result') ?? summary,
    );
    return result
      ? [{ callId: asName(parts.get('tool-use-id')), taskId: asName(parts.get('task-id')), result }]
      : [];
  });
}

/** The end of a background task that the model asked about (`BashOutput`, `TaskOutput`); undefined while it runs. */
export function askedTaskEnd(extra: unknown): TaskEnd | undefined {
  const shape = asFields(extra);
  const task: Fields | undefined = asFields(shape?.task) ?? shape;
  if (!task) return undefined;
  const taskId = asName(task.task_id) ?? asName(task.shellId);
  if (taskId === undefined) return undefined;
  const output =
    asText(task.output) ?? [asText(task.stdout) ?? '', asText(task.stderr) ?? ''].filter(Boolean).join('\n');
  const result = endOf(asText(task.status), asInteger(task.exitCode), output);
  return result ? { callId: undefined, taskId, result } : undefined;
}

function endOf(
  status: string | undefined,
  exitCode: number | undefined,
  output: string,
): CallResult | undefined {
  const rest = { output, ...(exitCode === undefined ? {} : { exitCode }) };
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
