import { isStrong } from './nearby.ts';
import { isMasked, maskOf, type Span } from './rule.ts';
import { isPasswordLiteral, isPlainWord } from './secret-value.ts';
import { isSecretName, MAX_COMMAND, MAX_PROMPT, matchPrompt, printsSecret } from './terminal-command.ts';

const MAX_LINES = 50;
const MESSAGE = /^(?:error|warning|fatal|usage|note|hint|info|could not|cannot|no |not |unable|permission|\w+: )/i;

/** Masks what a command printed whose purpose is to print a secret. Messages of several words are left. */
export function maskPrinted(output: string): string {
  const isOneLine = !output.trim().includes('\n');
  const masked = output.split('\n').map((line, index) => {
    const value = index < MAX_LINES ? printedValue(line.trim(), isOneLine) : '';
    return value === '' ? line : line.replace(value, () => maskOf('secret'));
  });
  return masked.join('\n');
}

const FIELD = /^["']?[\w. -]{1,64}["']?[ \t]{0,20}[:=][ \t]{0,20}["']?([^\s"']{4,})["']?,?$/;

/** The secret in a line: all of it if it is one word, the value of `name: value`; empty for a message. */
function printedValue(line: string, isOneLine: boolean): string {
  const value = FIELD.exec(line)?.[1] ?? line;
  if (value.length < 4 || isMasked(value, 0) || isPlainWord(value) || value.endsWith(':')) return '';
  if (/^[-=+|─═{}[\]]+$|^https?:\/\/[^@\s]+$|^\d{1,3}$/.test(value)) return '';
  const dump = /^[0-9a-f]{6,8}:? +(\S.*)$/.exec(value)?.[1];
  if (dump !== undefined) return dump;
  if (!/\s/.test(value)) return value;
  return isOneLine && !MESSAGE.test(value) && !/[.:]$/.test(value) ? value : '';
}

/** Whether a command has a name of secrets among its words, so that it may print one. */
function mentionsSecret(command: string): boolean {
  if (GENERATES.test(command)) return true;
  return [...command.matchAll(/[\w.-]{4,64}/g)].some(([word]) => isSecretName(word.replace(/^[-.]+/, '')));
}

const GENERATES =
  /keygen|gen[-_]?key|gen(?:erate)?[-_ ]?(?:secret|token|password|psk)|reset[-_]?password|new[-_]?token|unseal|privkey/i;

/** Masks the lines below a command in a recorded terminal session; `at` is inside of the prompt. */
export function findPrinted(text: string, at: number, found: Span[]): void {
  const from = Math.max(0, at - MAX_PROMPT);
  const newline = text.slice(from, at + 1).lastIndexOf('\n');
  if (newline < 0 && from > 0) return;
  const lineStart = from + newline + 1;
  const prompt = matchPrompt(text.slice(lineStart, lineStart + MAX_PROMPT));
  if (prompt === undefined) return;
  const line = text.slice(lineStart, lineStart + MAX_COMMAND).split('\n', 1)[0] ?? '';
  if (text[lineStart + line.length] !== '\n') return;
  const isCertain = printsSecret(line.slice(prompt.length));
  if (!isCertain && !mentionsSecret(line.slice(prompt.length))) return;
  let start = lineStart + line.length + 1;
  for (let line = 0; line < MAX_LINES && start < text.length; line++) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    const shown = text.slice(start, Math.min(end, start + MAX_COMMAND)).trim();
    if (shown === '' || matchPrompt(`${shown} `) !== undefined) return;
    const value = printedValue(shown, false);
    const from = text.indexOf(value, start);
    if (value !== '' && (isCertain || isStrong(value) || (value !== shown && isPasswordLiteral(value))))
      found.push({ start: from, end: from + value.length, mask: maskOf('secret'), isSoft: true });
    start = end + 1;
  }
}

/** Keywords of {@link findPrinted}: the ends of prompts. The prompt at the start of a text has none. */
export const PROMPT_KEYWORDS: readonly string[] = ['\n$ ', ']$ ', ']# ', '~$ ', '~# ', '/# ', '~ % '];
