import { posix } from 'node:path';
import { isObject, omitUndefined, parseObject } from '../../record/object.ts';
import type { Attempt, FileEdit } from '../../record/record.ts';
import { type DiffHunk, diffTexts, parseHunks } from '../../text/line-diff.ts';
import { findRoot, firstText, isAbsolute, PATH_KEYS, readCommand, relativePath } from './describe-call.ts';
import { type ToolCall, toolFamily } from './tool-call.ts';

/** What a tool call changed in one file. */
export interface FileChange {
  /** Relative to the checkout, if it is inside. */
  readonly path: string;
  readonly change?: FileEdit['change'];
  /** The path before, when the file was moved. */
  readonly movedFrom?: string;
  /** From what to what. Empty when the record does not say so. */
  readonly hunks: readonly DiffHunk[];
  /** Number of lines, as far as they are recorded. */
  readonly added: number;
  readonly removed: number;
  /** Only a part of the change is recorded. */
  readonly isPartial?: true;
}

/** A change as a call asks for it: texts and paths as they are in its arguments. */
export interface RequestedChange {
  readonly path: string;
  readonly change?: FileEdit['change'];
  readonly movedFrom?: string;
  /** Texts that are replaced. */
  readonly replacements?: readonly Replacement[];
  /** Changed lines, as in a patch. */
  readonly patch?: string;
}

/** A text that is replaced by another one; the first is empty where text is added. */
interface Replacement {
  readonly before: string;
  readonly after: string;
}

type Input = ToolCall['input'];
/** The fields of an attempt that say which files it changed. */
export type ChangingAttempt = Pick<
  Attempt,
  'tool' | 'path' | 'args' | 'command' | 'cwd' | 'circumstances' | 'result' | 'outcome'
>;

const MAX_FILES = 50;
const OVERWRITTEN =
  /\b(?:has been|was) (?:updated|overwritten)\b|\b(?:overwrote|overwritten|updated) (?:the )?(?:existing )?file\b/i;

/**
 * Which files a recorded call changed, from what to what. For a call that did not succeed, what it would have changed.
 * Empty for other calls.
 */
export function findFileChanges(attempt: ChangingAttempt): readonly FileChange[] {
  const { tool = '', result = '' } = attempt;
  const isWritten = toolFamily(tool) === 'write' && OVERWRITTEN.test(result);
  const changes = new Map<string, FileChange>();
  for (const requested of readRecordedChanges(attempt)) {
    const change = describeChange(isWritten ? withoutCreation(requested) : requested, attempt);
    const earlier = changes.get(change.path);
    if (earlier === undefined && changes.size >= MAX_FILES) break;
    changes.set(change.path, earlier === undefined ? change : joinChanges(earlier, change));
  }
  return [...changes.values()];
}

/** The paths of the files that a recorded call changed, without comparing texts; those before a move included. */
export function findChangedPaths(attempt: ChangingAttempt): readonly string[] {
  const paths = readRecordedChanges(attempt)
    .slice(0, MAX_FILES)
    .flatMap(({ path, movedFrom }) => [path, ...(movedFrom === undefined ? [] : [movedFrom])]);
  return [...new Set(paths.map((path) => recordedPath(path, attempt)))];
}

function readRecordedChanges({ tool = '', path, args = {}, command }: ChangingAttempt): readonly RequestedChange[] {
  return readChanges({ tool, input: { ...args, ...omitUndefined({ path, command: command ?? args.command }) } });
}

function withoutCreation({ change: _, ...rest }: RequestedChange): RequestedChange {
  return rest;
}

function describeChange(requested: RequestedChange, attempt: ChangingAttempt): FileChange {
  const { change, movedFrom, replacements = [], patch } = requested;
  const hunks = [
    ...replacements.flatMap(({ before, after }) => diffTexts(before, after)),
    ...(patch === undefined ? [] : parseHunks(patch)),
  ];
  const lines = hunks.flatMap((hunk) => hunk.lines);
  return {
    path: recordedPath(requested.path, attempt),
    ...omitUndefined({ change, movedFrom: movedFrom === undefined ? undefined : recordedPath(movedFrom, attempt) }),
    hunks,
    added: lines.filter(({ sign, text }) => sign === '+' && !LEFT_OUT.test(text)).length,
    removed: lines.filter(({ sign, text }) => sign === '-' && !LEFT_OUT.test(text)).length,
    ...(lines.some(({ text }) => LEFT_OUT.test(text)) ? { isPartial: true } : {}),
  };
}

/** The line in place of a part of a text that is too long to be recorded. */
const LEFT_OUT = /^\[\d+ characters left out\]$/;

/** Paths of tools are recorded relative to the checkout; those within patches are relative to the folder of the call. */
function recordedPath(path: string, attempt: ChangingAttempt): string {
  const isKnown = path === attempt.path || attempt.cwd === undefined || isAbsolute(path);
  return relativePath(isKnown ? path : posix.join(attempt.cwd ?? '', path), findRoot(attempt));
}

function joinChanges(earlier: FileChange, later: FileChange): FileChange {
  return {
    ...earlier,
    ...later,
    hunks: [...earlier.hunks, ...later.hunks],
    added: earlier.added + later.added,
    removed: earlier.removed + later.removed,
    ...(earlier.isPartial || later.isPartial ? { isPartial: true } : {}),
  };
}

const OLD_KEYS = 'old_string oldString oldText old_str old_text'.split(' ');
const NEW_KEYS =
  'new_string newString newText new_str new_text new_source content contents file_text insert_text code_edit'.split(
    ' ',
  );
const PATCH_KEYS = 'input patch patchText diff'.split(' ');
const DELETING_TOOL = /^delete(?:_?file)?$/i;
const PATCH_START = '*** Begin Patch';

/** The changes that a call asks for, by the arguments that the known agents use. Empty for other calls. */
export function readChanges({ tool, input }: Pick<ToolCall, 'tool' | 'input'>): readonly RequestedChange[] {
  const path = firstText(input, PATH_KEYS);
  switch (toolFamily(tool)) {
    case 'write':
      return path === undefined ? [] : [{ path, change: 'created', ...readReplacements([input]) }];
    case 'edit':
    case 'patch':
      // One editing tool of several agents also views files.
      return input.command === 'view' ? [] : editChanges(input, path);
    case 'shell':
      return patchChanges(readCommand(input));
    default:
      return path !== undefined && DELETING_TOOL.test(tool) ? [{ path, change: 'deleted' }] : [];
  }
}

function editChanges(input: Input, path: string | undefined): readonly RequestedChange[] {
  const patch = firstText(input, PATCH_KEYS) ?? '';
  if (patch.includes(PATCH_START)) return patchChanges(patch);
  const listed = typeof input.changes === 'string' ? parseObject(input.changes) : input.changes;
  if (isObject(listed)) return Object.entries(listed).flatMap(listedChange);
  if (path === undefined) return [];
  const change = input.command === 'create' ? { change: 'created' as const } : {};
  if (patch !== '') return [{ path, ...change, ...readBlocks(patch) }];
  return [{ path, ...change, ...readReplacements(readEdits(input)) }];
}

/** A change in a list of Codex: `{"type":"update","unified_diff":"…"}`, `{"type":"add","content":"…"}`. */
function listedChange([path, value]: [string, unknown]): readonly RequestedChange[] {
  if (!isObject(value)) return [{ path }];
  const kind = String(value.type ?? value.kind ?? '');
  const patch = firstText(value, ['unified_diff', 'diff']);
  if (kind === 'delete') return [{ path, change: 'deleted' }];
  const target = firstText(value, ['move_path']);
  const place = target === undefined ? { path } : { path: target, movedFrom: path };
  const change = kind === 'add' ? { change: 'created' as const } : {};
  return [{ ...place, ...change, ...(patch === undefined ? readReplacements([value]) : { patch }) }];
}

/** The single edits of a call. A long list of them is recorded as truncated JSON. */
function readEdits(input: Input): readonly Input[] {
  const { edits } = input;
  if (Array.isArray(edits)) return edits.filter(isObject);
  return typeof edits === 'string' ? parseEdits(edits) : [input];
}

const TEXT_ARGUMENT = new RegExp(`"(${[...OLD_KEYS, ...NEW_KEYS].join('|')})"\\s*:\\s*"((?:[^"\\\\]|\\\\.)*)"?`, 'gs');

function parseEdits(json: string): readonly Input[] {
  const edits: Record<string, string>[] = [];
  for (const [, key = '', text = ''] of json.matchAll(TEXT_ARGUMENT)) {
    const last = edits.at(-1);
    if (last === undefined || OLD_KEYS.includes(key)) edits.push({});
    Object.assign(edits.at(-1) ?? {}, { [key]: unescapeJson(text) });
  }
  return edits;
}

/** A text of JSON, which may end in the middle of an escape or contain the line for what was left out. */
function unescapeJson(text: string): string {
  try {
    return String(JSON.parse(`"${text.replace(/\n/g, '\\n').replace(/\\+$/, '')}"`));
  } catch {
    return text;
  }
}

function readReplacements(parts: readonly Input[]): { readonly replacements?: readonly Replacement[] } {
  const replacements = parts.flatMap((part) => {
    const [before, after] = [firstText(part, OLD_KEYS), firstText(part, NEW_KEYS)];
    return before === undefined && after === undefined ? [] : [{ before: before ?? '', after: after ?? '' }];
  });
  return replacements.length === 0 ? {} : { replacements };
}

const BLOCK = /^<{5,9} ?SEARCH[^\n]*\n([\s\S]*?)^={5,9}\s*\n([\s\S]*?)^>{5,9} ?REPLACE/gm;
/** What Roo writes before the searched text. */
const BLOCK_HEAD = /^(?::(?:start|end)_line:.*\n)*-{5,}\n/;
/** The time that {@link BLOCK} takes grows with the square of the length. */
const MAX_BLOCK_TEXT = 20_000;

/** Blocks with a searched text and its replacement; a text of another form is a patch. */
function readBlocks(text: string): Pick<RequestedChange, 'replacements' | 'patch'> {
  const replacements = [...text.slice(0, MAX_BLOCK_TEXT).matchAll(BLOCK)].map(([, before = '', after = '']) => ({
    before: before.replace(BLOCK_HEAD, ''),
    after,
  }));
  return replacements.length === 0 ? { patch: text } : { replacements };
}

const FILE_LINE = /^\*\*\* (Add|Update|Delete) File: (.+)$/;
const MOVE_LINE = /^\*\*\* Move to: (.+)$/;
const CHANGES = { Add: 'created', Update: undefined, Delete: 'deleted' } as const;

/** The changes of a patch in the format of `apply_patch`, alone or within a command. */
function patchChanges(text: string): readonly RequestedChange[] {
  const start = text.indexOf(PATCH_START);
  if (start < 0) return [];
  const changes: { path: string; movedFrom?: string; change: FileEdit['change']; lines: string[] }[] = [];
  for (const line of text.slice(start).split(/\r?\n/)) {
    const [, action, path = ''] = FILE_LINE.exec(line) ?? [];
    const current = changes.at(-1);
    const target = MOVE_LINE.exec(line)?.[1]?.trim();
    if (action !== undefined) {
      changes.push({ path: path.trim(), change: CHANGES[action as keyof typeof CHANGES], lines: [] });
    } else if (line.startsWith('*** End Patch')) break;
    else if (current === undefined || line.startsWith('*** End of File')) continue;
    else if (target === undefined) current.lines.push(line);
    else Object.assign(current, { path: target, movedFrom: current.path });
  }
  return changes.map(({ path, movedFrom, change, lines }) => ({
    path,
    ...omitUndefined({ change, movedFrom }),
    ...(lines.length === 0 ? {} : { patch: lines.join('\n').replace(/^@@\n/, '') }),
  }));
}
