import { posix } from 'node:path';
import { omitUndefined } from '../../record/object.ts';
import type { FileEdit } from '../../record/record.ts';
import { redact, redactBounded } from '../../redact/redact.ts';
import { diffTexts, formatHunks } from '../../text/line-diff.ts';
import { isAbsolute, relativePath } from './describe-call.ts';
import { type RequestedChange, readChanges } from './file-changes.ts';
import type { ToolCall } from './tool-call.ts';

/** Limits in characters: of a text or hunk, and of the changes to one file. */
const TEXT = { head: 1200, tail: 400 };
const DIFF = { head: 4000, tail: 1000 };
const MAX_FILES = 50;
const MAX_PATH_LENGTH = 2000;

/** What a call changes if it succeeds: the files with a diff of each, redacted and bounded. Empty for other calls. */
export function findFileEdits(call: Pick<ToolCall, 'tool' | 'input' | 'cwd' | 'root'>): readonly FileEdit[] {
  const edits = new Map<string, FileEdit>();
  const add = (path: string, change: FileEdit['change'], diff: string): void => {
    const recorded = recordedPath(path, call);
    const earlier = edits.get(recorded);
    if (earlier === undefined && edits.size >= MAX_FILES) return;
    const diffs = [earlier?.diff ?? '', diff].filter((part) => part !== '').join('\n@@\n');
    edits.set(recorded, {
      path: recorded,
      ...omitUndefined({ change: change ?? earlier?.change }),
      ...(diffs === '' ? {} : { diff: redactBounded(diffs, DIFF) }),
    });
  };
  for (const requested of readChanges(call)) {
    if (requested.movedFrom !== undefined) add(requested.movedFrom, 'deleted', '');
    add(requested.path, requested.change, formatDiff(requested));
  }
  return [...edits.values()];
}

/** Texts are redacted before they are compared: the signs of a diff would break up secrets. */
function formatDiff({ replacements = [], patch }: RequestedChange): string {
  if (patch !== undefined) return redactBounded(patch, DIFF);
  const hunks = replacements.flatMap(({ before, after }) =>
    diffTexts(redactBounded(before, TEXT), redactBounded(after, TEXT)),
  );
  return formatHunks(hunks);
}

function recordedPath(path: string, { cwd, root }: Pick<ToolCall, 'cwd' | 'root'>): string {
  const whole = cwd === undefined || isAbsolute(path.replaceAll('\\', '/')) ? path : posix.join(cwd, path);
  return relativePath(redact(whole), root === undefined ? undefined : redact(root)).slice(0, MAX_PATH_LENGTH);
}
