import { readLiteral } from './literal.ts';
import { nameLevel } from './name.ts';
import { readOperator } from './operator.ts';
import { isSecret } from './secret-value.ts';
import { isMasked, maskOf, type Span } from './span.ts';

const MAX_NAME = 64;
const NAME_CHARACTER: Uint8Array = new Uint8Array(128);
for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.') {
  NAME_CHARACTER[character.charCodeAt(0)] = 1;
}

const isNameCharacter = (code: number): boolean => code < 128 && NAME_CHARACTER[code] === 1;

/** Masks the value that is assigned to a name, in any syntax, when name and value together say it is a secret. */
export function findAssignment(text: string, at: number, found: Span[]): void {
  const end = nameEnd(text, at);
  const start = nameStart(text, at);
  const operator = readOperator(text, start, end);
  if (operator === undefined) return;
  const literal = readLiteral(text, operator);
  if (literal === undefined || isMasked(text, literal.start)) return;
  const name = text.slice(start, end);
  const level = nameLevel(name);
  if (level === 'none') return;
  const written = {
    isUpperCase: !/[a-z]/.test(name),
    isTight: operator.kind === 'tight' || operator.kind === 'flag',
    isProse: operator.kind === 'prose' || operator.kind === 'argument',
    isQuoted: literal.isQuoted,
    endsLine: literal.endsLine,
  };
  if (!isSecret(level, text.slice(literal.start, literal.end), written)) return;
  found.push({ start: literal.start, end: literal.end, mask: maskOf(level === 'weak' ? 'key' : level), isSoft: true });
}

function nameEnd(text: string, at: number): number {
  let end = at + 1;
  while (end - at < MAX_NAME && isNameCharacter(text.charCodeAt(end))) end++;
  while (text[end - 1] === '.' || text[end - 1] === '-') end--;
  return end;
}

function nameStart(text: string, at: number): number {
  let start = at;
  while (start > 0 && at - start < MAX_NAME && isNameCharacter(text.charCodeAt(start - 1))) start--;
  return start;
}
