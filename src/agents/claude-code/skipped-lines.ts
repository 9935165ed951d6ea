/** Types of lines from which nothing is made, and why. */
const LINE_REASONS: ReadonlyMap<string, string> = new Map([
  ['progress', 'progress'],
  ['file-history-snapshot', 'file snapshot'],
  ['file-history-delta', 'file snapshot'],
  ['attribution-snapshot', 'file snapshot'],
  // What was queued is told where it was handed to the model.
  ['queue-operation', 'prompt queue'],
  ['summary', 'title'],
  ['ai-title', 'title'],
  ['custom-title', 'title'],
  ['task-summary', 'title'],
  ['tag', 'title'],
  ['agent-name', 'title'],
  ['agent-color', 'settings of the session'],
  ['agent-setting', 'settings of the session'],
  ['last-prompt', 'copy of a prompt'],
  ['mode', 'settings of the session'],
  ['permission-mode', 'settings of the session'],
  ['worktree-state', 'settings of the session'],
  ['pr-link', 'link'],
  ['bridge-session', 'link'],
  ['continued-in', 'link'],
  ['content-replacement', 'bookkeeping'],
  ['speculation-accept', 'bookkeeping'],
  ['marble-origami-commit', 'bookkeeping'],
  ['marble-origami-snapshot', 'bookkeeping'],
  ['context-collapse-commit', 'bookkeeping'],
  ['context-collapse-snapshot', 'bookkeeping'],
  ['fork-context-ref', 'bookkeeping'],
  ['turn_duration', 'bookkeeping'],
  ['turn_end', 'bookkeeping'],
  ['session-meta', 'settings of the session'],
  ['model', 'settings of the session'],
  ['advisor-switch', 'settings of the session'],
  ['result', 'bookkeeping'],
  ['started', 'bookkeeping'],
]);

const SYSTEM_REASONS: ReadonlyMap<string, string> = new Map([
  ['microcompact_boundary', 'compaction of tool results'],
  ['stop_hook_summary', 'hook report'],
  ['turn_duration', 'bookkeeping'],
  ['api_metrics', 'bookkeeping'],
  // The error that remains after the last try is a message of its own.
  ['api_error', 'error that was tried again'],
  ['away_summary', 'notice'],
  ['informational', 'notice'],
  ['bridge_status', 'notice'],
  ['memory_saved', 'notice'],
  ['agents_killed', 'notice'],
  ['permission_retry', 'notice'],
  ['scheduled_task_fire', 'notice'],
  ['thinking', 'thinking'],
]);

/** Why nothing is made of lines of this type; undefined if something is, or nobody knows the type. */
export function lineReason(type: string): string | undefined {
  return LINE_REASONS.get(type);
}

/** The same for system lines, by their subtype. */
export function systemReason(subtype: string): string | undefined {
  return SYSTEM_REASONS.get(subtype);
}

/** The type of a line, if only plain fields stand before it: what is in texts and objects cannot be mistaken for it. */
const TYPE_IN_HEAD = /^\{(?:"[A-Za-z_]+":(?:"[^"\\]*"|true|false|null|-?\d+),)*?"type":"([a-z_-]+)"/;

/** As {@link lineReason}, from the first bytes of a line. */
export function headReason(head: string): string | undefined {
  const type = TYPE_IN_HEAD.exec(head)?.[1];
  return type === undefined ? undefined : LINE_REASONS.get(type);
}
