import { posix } from 'node:path';
import { isObject, omitUndefined } from '../../record/object.ts';
import type { FileEdit } from '../../record/record.ts';
import { redact, redactBounded } from '../../redact/redact.ts';
import { firstText, isAbsolute, PATH_KEYS, readCommand, relativePath } from './describe-call.ts';
import { type ToolCall, toolFamily } from './tool-call.ts';

/** What a call changes in one file, before paths are made relative and texts are bounded. */
interface Change {
  readonly path: string;
  readonly change?: FileEdit['change'];
  readonly diff?: string;
}

type Input = ToolCall['input'];

const OLD_KEYS = 'old_string oldString oldText old_str old_text'.split(' ');
const NEW_KEYS =
  'new_string newString newText new_str new_text new_source content contents file_text insert_text code_edit'.split(
    ' ',
  );
const PATCH_KEYS = 'input patch patchText diff'.split(' ');
const DELETING_TOOL = /^delete(?:_?file)?$/i;
const PATCH_START = '*** Begin Patch';

/** Limits in characters: of a text or hunk, and of the changes to one file. */
const TEXT = { head: 1200, tail: 400 };
const DIFF = { head: 4000, tail: 1000 };
const MAX_FILES = 50;
const MAX_PATH_LENGTH = 2000;
/** Unchanged lines shown on either side of a change. */
const CONTEXT_LINES = 2;

/** What a call changes if it succeeds: the files with a diff of each, redacted and bounded. Empty for other calls. */
export function findFileEdits(call: Pick<ToolCall, 'tool' | 'input' | 'cwd' | 'root'>): readonly FileEdit[] {
  const edits = new Map<string, FileEdit>();
  for (const { path, change, diff } of findChanges(call)) {
    const recorded = recordedPath(path, call);
    const earlier = edits.get(recorded);
    const diffs = [earlier?.diff, diff].filter((part) => part !== undefined && part !== '').join('\n@@\n');
    edits.set(recorded, {
      path: recorded,
      ...omitUndefined({ change: change ?? earlier?.change }),
      ...(diffs === '' ? {} : { diff: redactBounded(diffs, DIFF) }),
    });
    if (edits.size >= MAX_FILES) break;
  }
  return [...edits.values()];
}

function recordedPath(path: string, { cwd, root }: Pick<ToolCall, 'cwd' | 'root'>): string {
  const whole = cwd === undefined || isAbsolute(path.replaceAll('\\', '/')) ? path : posix.join(cwd, path);
  return relativePath(redact(whole), root === undefined ? undefined : redact(root)).slice(0, MAX_PATH_LENGTH);
}

function findChanges({ tool, input }: Pick<ToolCall, 'tool' | 'input'>): readonly Change[] {
  const path = firstText(input, PATH_KEYS);
  switch (toolFamily(tool)) {
    case 'write':
      return path === undefined ? [] : [{ path, change: 'created', ...omitUndefined({ diff: replacement(input) }) }];
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

function editChanges(input: Input, path: string | undefined): readonly Change[] {
  const patch = firstText(input, PATCH_KEYS) ?? '';
  if (patch.includes(PATCH_START)) return patchChanges(patch);
  if (isObject(input.changes)) return Object.entries(input.changes).flatMap(listedChange);
  if (path === undefined) return [];
  const parts = Array.isArray(input.edits) ? input.edits.filter(isObject) : [input];
  const change = input.command === 'create' ? ('created' as const) : undefined;
  const blocks = patch === '' ? undefined : searchReplaceDiff(patch);
  return parts.map((part) => ({ path, ...omitUndefined({ change, diff: blocks ?? replacement(part) }) }));
}

/** A change in a list of Codex: `{"type":"update","unified_diff":"…"}`, `{"type":"add","content":"…"}`. */
function listedChange([path, value]: [string, unknown]): readonly Change[] {
  if (!isObject(value)) return [{ path }];
  const kind = String(value.type ?? value.kind ?? '');
  const diff = firstText(value, ['unified_diff', 'diff']);
  if (kind === 'delete') return [{ path, change: 'deleted' }];
  if (kind === 'add') return [{ path, change: 'created', ...omitUndefined({ diff: diff ?? replacement(value) }) }];
  return [{ path, ...omitUndefined({ diff: diff === undefined ? undefined : redactBounded(diff, DIFF) }) }];
}

/** The diff of an argument that replaces an old text by a new one, or of a new text alone. */
function replacement(input: Input): string | undefined {
  const [before, after] = [firstText(input, OLD_KEYS), firstText(input, NEW_KEYS)];
  return before === undefined && after === undefined ? undefined : makeDiff(before ?? '', after ?? '');
}

/** A diff with `-`, `+` and a few unchanged lines around. Redacted first: the marks would break up secrets. */
function makeDiff(oldText: string, newText: string): string {
  const before = splitLines(redactBounded(oldText, TEXT));
  const after = splitLines(redactBounded(newText, TEXT));
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const mark = (sign: string, lines: readonly string[]): string[] => lines.map((line) => sign + line);
  return [
    ...mark(' ', before.slice(Math.max(0, head - CONTEXT_LINES), head)),
    ...mark('-', before.slice(head, before.length - tail)),
    ...mark('+', after.slice(head, after.length - tail)),
    ...mark(' ', before.slice(before.length - tail).slice(0, CONTEXT_LINES)),
  ].join('\n');
}

function splitLines(text: string): readonly string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split(/\r?\n/);
}

const BLOCK = /^<{5,9} ?SEARCH[^\n]*\n([\s\S]*?)^={5,9}\s*\n([\s\S]*?)^>{5,9} ?REPLACE/gm;
/** What Roo writes before the searched text. */
const BLOCK_HEAD = /^(?::(?:start|end)_line:.*\n)*-{5,}\n/;

/** More is not shown anyway, and the time that {@link BLOCK} takes grows with the square of the length. */
const MAX_BLOCK_TEXT = 20_000;

/** The diff of blocks with a searched text and its replacement; a text of another form as it is. */
function searchReplaceDiff(text: string): string {
  const diffs = [...text.slice(0, MAX_BLOCK_TEXT).matchAll(BLOCK)].map(([, before = '', after = '']) =>
    makeDiff(before.replace(BLOCK_HEAD, ''), after),
  );
  return diffs.length === 0 ? redactBounded(text, DIFF) : diffs.join('\n@@\n');
}

const FILE_LINE = /^\*\*\* (Add|Update|Delete) File: (.+)$/;
const MOVE_LINE = /^\*\*\* Move to: (.+)$/;
const CHANGES = { Add: 'created', Update: undefined, Delete: 'deleted' } as const;

/** The changes of a patch in the format of `apply_patch`, alone or within a command. */
function patchChanges(text: string): readonly Change[] {
  const start = text.indexOf(PATCH_START);
  if (start < 0) return [];
  const changes: { path: string; change: Change['change']; lines: string[] }[] = [];
  for (const line of text.slice(start).split(/\r?\n/)) {
    const [, action, path = ''] = FILE_LINE.exec(line) ?? [];
    const current = changes.at(-1);
    const target = MOVE_LINE.exec(line)?.[1];
    if (action !== undefined) changes.push({ path, change: CHANGES[action as keyof typeof CHANGES], lines: [] });
    else if (line.startsWith('*** End Patch')) break;
    else if (current === undefined || line.startsWith('*** End of File')) continue;
    else if (target === undefined) current.lines.push(line);
    else {
      current.change = 'deleted';
      changes.push({ path: target, change: undefined, lines: [] });
    }
  }
  return changes.map(({ path, change, lines }) => ({
    path: path.trim(),
    ...omitUndefined({ change }),
    ...(lines.length === 0 ? {} : { diff: redactBounded(lines.join('\n').replace(/^@@\n/, ''), DIFF) }),
  }));
}
