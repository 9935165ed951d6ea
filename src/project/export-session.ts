import { type Attempt, type FileEdit, type Message, omitUndefined, type ProjectInfo } from '../record/index.ts';
import { formatHunks } from '../text/line-diff.ts';
import { sanitise, sanitiseLine } from '../text/sanitise.ts';
import type { SessionView } from './project.ts';
import { buildSessionRows, callsOf, type SessionCall } from './session-rows.ts';

/** How the outcomes of calls are called in documents. */
export const OUTCOME_WORDS: Readonly<Record<Attempt['outcome'], string>> = {
  success: 'Worked',
  failure: 'Failed',
  rejected: 'Rejected by the user',
  denied: 'Denied',
  interrupted: 'Interrupted',
  cancelled: 'Cancelled',
  noMatch: 'No match',
  unclear: 'Unclear',
};

/** A project, of which documents need only the name. */
export interface NamedProject {
  readonly info: Pick<ProjectInfo, 'displayName'>;
}

/** What documents say about a session above its messages. Times are in UTC, so that a session always gives the same text. */
export function describeSession(
  project: NamedProject,
  { summary }: SessionView,
): readonly (readonly [name: string, value: string])[] {
  const facts = omitUndefined({
    Session: summary.sessionId,
    Project: project.info.displayName,
    Agent: summary.agent,
    Branch: summary.branch,
    Tags: summary.tags?.join(', '),
    Started: summary.timestamp,
  });
  return Object.entries(facts).map(([name, value]) => [name, sanitiseLine(value ?? '')]);
}

/** A session as data: its summary and its records in order of time. */
export function exportJson({ info }: NamedProject, { summary, records }: SessionView): object {
  const entries = records.map((record) => ({ type: 'role' in record ? 'message' : 'attempt', ...record }));
  return { ...summary, projectName: info.displayName, entries };
}

/** A session as Markdown, with the changes to files as diffs. */
export function exportMarkdown(project: NamedProject, view: SessionView): string {
  const facts = describeSession(project, view).map(
    ([name, value]) => `- ${name}: ${name === 'Session' ? `\`${value}\`` : value}`,
  );
  const title = (sanitiseLine(view.summary.title) || 'Session').replace(/[\\`*_[\]<>#]/g, '\\$&');
  const texts = buildSessionRows(view).flatMap((row) =>
    'message' in row ? [messageMarkdown(row.message)] : callsOf(row).map(callMarkdown),
  );
  return `${[`# ${title}`, facts.join('\n'), ...texts].join('\n\n')}\n`;
}

/** Who said a message. */
export function speakerOf(message: Message): string {
  const role = message.kind === 'checkpoint' ? 'Summary' : message.role === 'user' ? 'User' : 'Assistant';
  if (message.author !== undefined) return `${role} of ${sanitiseLine(message.author)}`;
  return message.foreign ? `${role} of a foreign transcript` : role;
}

/** The edits of a message, and the files that it changed in an unknown way. */
export function fileEdits({ filesModified = [], editResults = [] }: Message): readonly FileEdit[] {
  const shown = new Set(editResults.map(({ path }) => path));
  return [...editResults, ...filesModified.filter((path) => !shown.has(path)).map((path) => ({ path }))];
}

/** What an edit did, in a word. */
export function editWord({ change, status }: FileEdit): string {
  return sanitiseLine(status ?? change ?? 'changed');
}

/** What a call did, on one line: its command, else its tool and what it was about. */
export function callTitle({ attempt, label }: Pick<SessionCall, 'attempt' | 'label'>): string {
  const tool = attempt.command === undefined && attempt.pattern === undefined ? (attempt.tool ?? '') : '';
  return sanitiseLine(`${tool} ${label}`) || 'attempt';
}

function messageMarkdown(message: Message): string {
  const { files = [] } = message;
  const parts = [`## ${speakerOf(message)} (${message.timestamp})`, sanitise(message.content).trim()];
  if (files.length > 0) parts.push(`Files: ${files.map((file) => codeSpan(sanitiseLine(file))).join(', ')}`);
  for (const edit of fileEdits(message)) {
    const word = editWord(edit);
    parts.push(`${word.charAt(0).toUpperCase()}${word.slice(1)}: ${codeSpan(sanitiseLine(edit.path))}`);
    if (edit.diff !== undefined) parts.push(codeBlock(sanitise(edit.diff), 'diff'));
  }
  return parts.filter((part) => part !== '').join('\n\n');
}

function callMarkdown(call: SessionCall): string {
  const { attempt, changes } = call;
  const exit = attempt.exitCode ? ` (exit ${attempt.exitCode})` : '';
  const parts = [`**${OUTCOME_WORDS[attempt.outcome]}**${exit}: ${codeSpan(callTitle(call))}`];
  for (const { path, hunks } of changes) {
    if (changes.length > 1) parts.push(codeSpan(sanitiseLine(path)));
    if (hunks.length > 0) parts.push(codeBlock(sanitise(formatHunks(hunks)), 'diff'));
  }
  const output = callOutput(call);
  if (output !== '') parts.push(codeBlock(output));
  return parts.join('\n\n');
}

/** What came out of a call. That an edit was applied is not worth saying: its diff is shown. */
export function callOutput({ attempt, changes }: SessionCall): string {
  if (attempt.outcome === 'success' && changes.some(({ hunks }) => hunks.length > 0)) return '';
  return sanitise(attempt.error ?? attempt.description ?? attempt.result ?? '').trim();
}

/** Code in backticks: more of them than any run inside it. */
function codeSpan(text: string): string {
  const fence = '`'.repeat(longestBacktickRun(text) + 1);
  return fence.length === 1 ? `\`${text}\`` : `${fence} ${text} ${fence}`;
}

function codeBlock(text: string, language = ''): string {
  const fence = '`'.repeat(Math.max(3, longestBacktickRun(text) + 1));
  return `${fence}${language}\n${text}\n${fence}`;
}

function longestBacktickRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
}
