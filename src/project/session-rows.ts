import type { KnownCall } from '../ask/session-calls.ts';
import { callLabel } from '../facts/call/call-label.ts';
import { type FileChange, findChangedPaths, findFileChanges } from '../facts/call/file-changes.ts';
import { toolFamily } from '../facts/call/tool-call.ts';
import { type Attempt, isApplied, type Message } from '../record/index.ts';
import { once } from '../record/once.ts';
import { isInjected } from '../text/is-typed-prompt.ts';
import type { SessionView } from './project.ts';

/** A tool call as a session is read: what it is about, what it changed, and what solved it. */
export interface SessionCall extends Pick<KnownCall, 'error' | 'fix' | 'workedAgain'> {
  readonly attempt: Attempt;
  /** What it is about, without the name of its tool. */
  readonly label: string;
  /** Files that it changed, or would have changed if it had succeeded. */
  readonly changes: readonly FileChange[];
}

/** What a row of a session shows. */
export type ReaderRow =
  | { readonly type: 'prompt' | 'reply' | 'notice' | 'summary'; readonly message: Message }
  | { readonly type: 'call'; readonly call: SessionCall }
  /** Consecutive calls that only read or searched, and worked. */
  | {
      readonly type: 'lookups';
      readonly reads: number;
      readonly searches: number;
      readonly calls: readonly SessionCall[];
    };

/** A file that a session changed. */
export interface ChangedFile {
  readonly path: string;
  readonly change?: FileChange['change'];
  readonly added: number;
  readonly removed: number;
  /** Some changes are recorded in part only, so there are more lines. */
  readonly isPartial?: true;
}

/** A session as it is read. */
export function buildSessionRows({ records, calls }: Pick<SessionView, 'records' | 'calls'>): readonly ReaderRow[] {
  const attempts = records.filter((record): record is Attempt => !('role' in record));
  const changed = new Set(attempts.flatMap(findChangedPaths));
  const rows: ReaderRow[] = [];
  for (const record of records) {
    if ('role' in record) {
      rows.push({ type: messageType(record), message: withoutEdits(record, changed) });
      continue;
    }
    const { action, ...known } = calls.get(record.id) ?? { action: record.kind };
    // Comparing texts takes long, and most calls of a long session are not shown.
    const changes = once(() => findFileChanges(record));
    const call = {
      attempt: record,
      label: callLabel(record),
      get changes() {
        return changes();
      },
      ...known,
    };
    addCall(rows, call, lookupKind(record, action));
  }
  return rows.map((row) => (row.type === 'lookups' && row.calls.length === 1 ? asCall(row) : row));
}

function messageType(message: Message): 'prompt' | 'reply' | 'notice' | 'summary' {
  if (message.kind === 'checkpoint') return 'summary';
  if (message.systemEvent === true) return 'notice';
  if (message.role === 'assistant') return 'reply';
  return isInjected(message.content) ? 'notice' : 'prompt';
}

/** Changes that calls of the session show need not be listed with the reply as well. */
function withoutEdits(message: Message, changed: ReadonlySet<string>): Message {
  const { filesModified, editResults, ...rest } = message;
  const [files, edits] = [filesModified ?? [], editResults ?? []];
  const otherFiles = files.filter((path) => !changed.has(path));
  const otherEdits = edits.filter(({ path }) => !changed.has(path));
  return {
    ...rest,
    ...(otherFiles.length === 0 ? {} : { filesModified: otherFiles }),
    ...(otherEdits.length === 0 ? {} : { editResults: otherEdits }),
  };
}

/** Adds a call, to the lookups before it if it is one too. */
function addCall(rows: ReaderRow[], call: SessionCall, kind: 'read' | 'search' | undefined): void {
  const last = rows.at(-1);
  if (kind === undefined) rows.push({ type: 'call', call });
  else {
    const { reads, searches, calls } = last?.type === 'lookups' ? last : { reads: 0, searches: 0, calls: [] };
    if (last?.type === 'lookups') rows.pop();
    const isRead = kind === 'read';
    rows.push({
      type: 'lookups',
      reads: reads + (isRead ? 1 : 0),
      searches: searches + (isRead ? 0 : 1),
      calls: [...calls, call],
    });
  }
}

function asCall(row: Extract<ReaderRow, { type: 'lookups' }>): ReaderRow {
  const [call] = row.calls;
  return call === undefined ? row : { type: 'call', call };
}

/** Whether a call read or searched something and worked; a search without a match has worked. */
function lookupKind({ outcome, tool = '', command }: Attempt, action = ''): 'read' | 'search' | undefined {
  if (outcome !== 'success' && outcome !== 'noMatch') return undefined;
  const family = toolFamily(tool);
  if (family === 'read' || family === 'poll') return 'read';
  if (family === 'search' || family === 'list') return 'search';
  if (family !== 'shell' || command === undefined || !LOOKUPS.has(action)) return undefined;
  return action === 'search' ? 'search' : 'read';
}

const LOOKUPS: ReadonlySet<string> = new Set(['read', 'search', 'probe']);

/** The calls of a row. */
export function callsOf(row: ReaderRow): readonly SessionCall[] {
  return row.type === 'call' ? [row.call] : row.type === 'lookups' ? row.calls : [];
}

/** The ids of the records in a row. */
export function recordIds(row: ReaderRow): readonly string[] {
  return 'message' in row ? [row.message.id] : callsOf(row).map(({ attempt }) => attempt.id);
}

/** The files that calls of a session changed, in the order of their first change. */
export function changedFiles(rows: readonly ReaderRow[]): readonly ChangedFile[] {
  const files = new Map<string, ChangedFile>();
  for (const { attempt, changes } of rows.flatMap(callsOf)) {
    // Not every agent says whether an edit was applied; then it is taken for applied.
    if (attempt.outcome !== 'success' && attempt.outcome !== 'unclear') continue;
    for (const { path, change, added, removed, isPartial } of changes) {
      const earlier = files.get(path);
      files.set(path, {
        path,
        ...(earlier?.change === 'created' && change !== 'deleted'
          ? { change: 'created' }
          : change === undefined
            ? {}
            : { change }),
        added: added + (earlier?.added ?? 0),
        removed: removed + (earlier?.removed ?? 0),
        ...(isPartial || earlier?.isPartial ? { isPartial: true } : {}),
      });
    }
  }
  for (const row of rows) {
    if (!('message' in row)) continue;
    for (const path of row.message.filesModified ?? []) {
      if (!files.has(path)) files.set(path, { path, ...countDiff(row.message, path) });
    }
  }
  return [...files.values()];
}

function countDiff({ editResults = [] }: Message, path: string): { readonly added: number; readonly removed: number } {
  const lines = editResults
    .filter((edit) => edit.path === path && isApplied(edit))
    .flatMap(({ diff = '' }) => diff.split('\n'));
  const count = (sign: string): number => lines.filter((line) => line.startsWith(sign)).length;
  return { added: count('+'), removed: count('-') };
}
