import { oneLine } from '../../text/one-line.ts';

const MAX_CODE_LENGTH = 120;
const MAX_TEXT_LENGTH = 200;

/** Formats a command or path as inline code. */
export function formatCode(text: string): string {
  return `\`${oneLine(text, MAX_CODE_LENGTH).replaceAll('`', "'")}\``;
}

/** Formats a text as one line. */
export function formatText(text: string): string {
  return oneLine(text, MAX_TEXT_LENGTH);
}

/** Formats an error as a sentence. */
export function formatError(text: string): string {
  const line = oneLine(text, MAX_CODE_LENGTH).replace(/[\s:]+$/, '');
  return /[.!?…]$/.test(line) ? line : `${line}.`;
}

/** Formats a text as a quotation. */
export function formatQuote(text: string, limit: number = MAX_TEXT_LENGTH): string {
  return `“${oneLine(text, limit)}”`;
}

/** The date of an ISO time: `2025-11-18`. */
export function formatDay(time: string): string {
  return oneLine(time, MAX_CODE_LENGTH).slice(0, 10);
}

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;
/** The timestamp part of a UUIDv7, which is enough to find the session. */
const SHORT_UUID_LENGTH = 13;

/** The id of a session, shortened to what `yore show` and `/load` need. */
export function shortSessionId(sessionId: string): string {
  return UUID.test(sessionId) ? sessionId.slice(0, SHORT_UUID_LENGTH) : formatText(sessionId);
}

/** The source of a fact: `2025-11-18, session abc`. */
export function formatSource(time: string, sessionId: string | undefined): string {
  return sessionId ? `${formatDay(time)}, session ${shortSessionId(sessionId)}` : formatDay(time);
}

/** The source of a fact inside a sentence: `on 2025-11-18 (session abc)`. */
export function formatWhen(time: string, sessionId: string | undefined): string {
  return `on ${formatDay(time)}${sessionId ? ` (session ${shortSessionId(sessionId)})` : ''}`;
}

/** The line that suggests a command; empty if it cannot be run as it is: a path, or a text that was truncated or masked. */
export function suggestCommand(command: string | undefined): readonly string[] {
  const isWhole = command !== undefined && /^[^\n\r…]{1,200}$/.test(command) && !MASKED.test(command);
  return isWhole && /\s/.test(command.trim()) ? ['', `CMD: ${command.trim()}`] : [];
}

/** Masks that redaction leaves behind. */
const MASKED = /\[redacted|\/\*(?:\/|$)/i;

/** The lines of a section with a title; none if it is empty. */
export function formatSection(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [title, '', ...lines, ''];
}

/** The answer for a project without a history, with what to do about it. */
export function explainNothingRecorded(project: string): string {
  return [
    `Nothing is recorded for ${formatText(project)} yet.`,
    '',
    '- `yore import` imports the history of the agents on this machine',
    '- `yore init` sets them up, so that their work is recorded from now on',
    '- `yore remember TEXT` saves a fact by hand',
  ].join('\n');
}
