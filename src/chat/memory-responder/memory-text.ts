import { oneLine } from '../../text/one-line.ts';

const LONGEST_CODE = 120;
const LONGEST_TEXT = 200;

/** A command or path inside a sentence. */
export function code(text: string): string {
  return `\`${oneLine(text, LONGEST_CODE).replaceAll('`', "'")}\``;
}

/** What was said, on one line. */
export function said(text: string): string {
  return oneLine(text, LONGEST_TEXT);
}

/** What an error says, as a sentence. */
export function error(text: string): string {
  const line = oneLine(text, LONGEST_CODE).replace(/[\s:]+$/, '');
  return /[.!?…]$/.test(line) ? line : `${line}.`;
}

/** What was said or asked, as a quotation. */
export function quoted(text: string, limit: number = LONGEST_TEXT): string {
  return `“${oneLine(text, limit)}”`;
}

/** `2025-11-18` of an ISO time. */
export function day(time: string): string {
  return oneLine(time, LONGEST_CODE).slice(0, 10);
}

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;
/** What ids of the same millisecond have in common. */
const TELLING_OF_UUID = 13;

/** The id of a session, or as much of a long one as `yore show` and `/load` need. */
export function sessionName(sessionId: string): string {
  return UUID.test(sessionId) ? sessionId.slice(0, TELLING_OF_UUID) : said(sessionId);
}

/** Where a fact is from, so that it can be looked up: `2025-11-18, session abc`. */
export function place(time: string, sessionId: string | undefined): string {
  return sessionId === undefined || sessionId === ''
    ? day(time)
    : `${day(time)}, session ${sessionName(sessionId)}`;
}

/** The same inside a sentence: `on 2025-11-18 (session abc)`. */
export function when(time: string, sessionId: string | undefined): string {
  return sessionId === undefined || sessionId === ''
    ? `on ${day(time)}`
    : `on ${day(time)} (session ${sessionName(sessionId)})`;
}

/** `1 session`, `2 sessions`. */
export function countOf(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

/** What a reply suggests to run; empty for what cannot be run as it stands: a path, or a text that was cut or masked. */
export function suggestion(command: string | undefined): readonly string[] {
  const isWhole = command !== undefined && /^[^\n\r…]{1,200}$/.test(command) && !MASKED.test(command);
  return isWhole && /\s/.test(command.trim()) ? ['', `CMD: ${command.trim()}`] : [];
}

/** What redaction leaves behind. */
const MASKED = /\[redacted|\/\*(?:\/|$)/i;

/** What can be said of a project without a history, and what to do about it. */
export function nothingRecorded(project: string): string {
  return [
    `Nothing is recorded of ${said(project)} yet.`,
    '',
    '- `yore import` reads what your agents have done on this machine',
    '- `yore init` lets them tell yore what they do from now on',
    '- `yore remember TEXT` notes a fact by hand',
  ].join('\n');
}
