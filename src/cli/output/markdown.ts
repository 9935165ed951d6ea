import type { Attempt, Message } from '../../record/index.ts';
import { sanitise, sanitiseLine } from './sanitise.ts';
import { attemptTitle, isMessage, type SessionEntry, type SessionHead } from './session-text.ts';

const OUTCOME_WORDS: Readonly<Record<Attempt['outcome'], string>> = {
  success: 'Worked',
  failure: 'Failed',
  rejected: 'Rejected by the user',
  denied: 'Denied',
  interrupted: 'Interrupted',
  cancelled: 'Cancelled',
  noMatch: 'No match',
  unclear: 'Unclear',
};

/** A session as Markdown. Times are UTC, so that the same session always gives the same text. */
export function sessionMarkdown(head: SessionHead, entries: readonly SessionEntry[]): string {
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['Session', `\`${sanitiseLine(head.sessionId)}\``],
    ['Project', sanitiseLine(head.project)],
    ['Agent', head.agent && sanitiseLine(head.agent)],
    ['Branch', head.branch && sanitiseLine(head.branch)],
    ['Started', head.timestamp],
  ];
  const list = facts.filter(([, value]) => value).map(([name, value]) => `- ${name}: ${value}`);
  const title = escapeInline(sanitiseLine(head.title) || 'Session');
  return [`# ${title}`, list.join('\n'), ...entries.map(entryMarkdown)].join('\n\n').concat('\n');
}

function entryMarkdown(entry: SessionEntry): string {
  return isMessage(entry) ? messageMarkdown(entry) : attemptMarkdown(entry);
}

function messageMarkdown(message: Message): string {
  const speaker = message.kind === 'checkpoint' ? 'Summary' : message.role === 'user' ? 'User' : 'Assistant';
  const files = [...(message.files ?? []), ...(message.filesModified ?? [])];
  const parts = [`## ${speaker} (${message.timestamp})`, sanitise(message.content).trim()];
  if (files.length > 0) parts.push(`Files: ${files.map((file) => codeSpan(sanitiseLine(file))).join(', ')}`);
  return parts.filter((part) => part !== '').join('\n\n');
}

function attemptMarkdown(attempt: Attempt): string {
  const exit = attempt.exitCode ? ` (exit ${attempt.exitCode})` : '';
  const line = `**${OUTCOME_WORDS[attempt.outcome]}**${exit}: ${codeSpan(attemptTitle(attempt))}`;
  const detail = sanitise(attempt.error ?? attempt.description ?? attempt.result ?? '').trim();
  return detail === '' ? line : `${line}\n\n${codeBlock(detail)}`;
}

function escapeInline(text: string): string {
  return text.replace(/[\\`*_[\]<>#]/g, (character) => `\\${character}`);
}

function codeSpan(text: string): string {
  const fence = '`'.repeat(longestRun(text) + 1);
  return fence.length === 1 ? `\`${text}\`` : `${fence} ${text} ${fence}`;
}

/** A block whose fence is longer than any run of backticks inside it. */
function codeBlock(text: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}\n${text}\n${fence}`;
}

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
}
