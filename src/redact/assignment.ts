import { type Literal, readLiteral } from './literal.ts';
import { isHarmlessWord, type NameLevel, nameLevel } from './name.ts';
import { type Operator, readFallback, readOperator } from './operator.ts';
import { isSecret } from './secret-value.ts';
import { isMasked, maskOf, type Span } from './span.ts';

const MAX_NAME = 64;
/** So much of a value tells what it is. */
const ENOUGH = 1024;
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
  if (operator.kind !== 'tight' && isPartOfName(text, start, operator)) return;
  const literal = readLiteral(text, operator);
  if (literal === undefined || isMasked(text, literal.start)) return;
  const name = text.slice(start, end);
  const level = nameLevel(name);
  if (level === 'none' || (level !== 'password' && isHarmlessPhrase(text, start))) return;
  const assigned: Assigned = { name, level, operator, literal };
  if (add(text, assigned, found) || literal.isQuoted) return;
  const fallback = readFallback(text, literal.end);
  const other = fallback && readLiteral(text, fallback);
  if (fallback !== undefined && other !== undefined)
    add(text, { name, level, operator: fallback, literal: other }, found);
}

/** The end of a path (`/etc/passwd`), of a type or resource (`AWS::IAM::AccessKey`, `arn:…:secret:…`), of `${NAME:…}`. */
function isPartOfName(text: string, start: number, { kind }: Operator): boolean {
  const before = text[start - 1];
  if (before === '/') return true;
  if (before === ':') return kind === 'colon' || text[start - 2] === ':';
  return kind === 'colon' && before === '{' && text[start - 2] === '$';
}

/** `public key: …`, `next page token: …` */
function isHarmlessPhrase(text: string, start: number): boolean {
  const word =
    text[start - 1] === ' '
      ? /([A-Za-z]+) $/.exec(text.slice(Math.max(0, start - 16), start))?.[1]
      : undefined;
  return word !== undefined && isHarmlessWord(word);
}

interface Assigned {
  readonly name: string;
  readonly level: NameLevel;
  readonly operator: Operator;
  readonly literal: Literal;
}

function add(text: string, { name, level, operator, literal }: Assigned, found: Span[]): boolean {
  const written = {
    isUpperCase: !/[a-z]/.test(name),
    isTight: operator.kind === 'tight',
    isProse: operator.kind === 'argument',
    isQuoted: literal.isQuoted,
    endsLine: literal.endsLine,
  };
  const { start, end } = literal;
  const value = text.slice(start, Math.min(end, start + ENOUGH));
  if (operator.kind === 'prose' && !literal.isQuoted && !/\d/.test(value)) return false;
  if (isMasked(text, start) || !isSecret(level, value, written)) return false;
  found.push({ start, end, mask: maskOf(level === 'weak' ? 'key' : level), isSoft: true });
  return true;
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
