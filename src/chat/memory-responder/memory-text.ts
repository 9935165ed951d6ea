import type { Home, Project } from '../../project/index.ts';
import { NOTES_SESSION } from '../../record/index.ts';
import { oneLine } from '../../text/one-line.ts';

/** What answers are made from. */
export interface MemorySource {
  readonly home: Home;
  readonly project: Project;
  readonly now: () => number;
}

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

/** Formats a text as a quotation. */
export function formatQuote(text: string): string {
  return `“${formatText(text)}”`;
}

/** The date of an ISO time: `2025-11-18`. */
export function dayOf(time: string): string {
  return oneLine(time, MAX_CODE_LENGTH).slice(0, 10);
}

/** A session with what `yore show` and `/load` need to find it: `session 0197c3a2`. */
export function formatSession(sessionId: string, home: Home): string {
  return sessionId === NOTES_SESSION ? 'a note' : `session ${formatText(home.shortenSessionId(sessionId))}`;
}

/** The record that a line is from: `2025-11-18, session 0197c3a2`. */
export function formatSource(time: string, sessionId: string, home: Home): string {
  return `${dayOf(time)}, ${formatSession(sessionId, home)}`;
}

/** The lines of a section with a title; none if it is empty. */
export function formatSection(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [title, '', ...lines.map((line) => `- ${line}`), ''];
}

/** What redaction leaves behind, and what was truncated: such a command cannot be run as it is. */
const INCOMPLETE = /[\n\r…]|\[redacted|\/\*(?:\/|$)/i;

/** The line that offers to run a command; none if it is incomplete. */
export function suggestCommand(command: string | undefined): readonly string[] {
  return command === undefined || INCOMPLETE.test(command) ? [] : ['', `CMD: ${command.trim()}`];
}
