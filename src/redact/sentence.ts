import { once } from '../record/once.ts';
import type { NameLevel } from './name.ts';
import { isStrong } from './nearby.ts';
import { isMasked, maskOf, type Span } from './rule.ts';
import {
  DATA_SYNTAX,
  isAboutSecrets,
  isAlgorithm,
  isChosen,
  isComplex,
  isMadeUp,
  isNumbered,
  isPasswordLiteral,
  isPlaceholder,
  isPlainWord,
  isStructured,
} from './secret-value.ts';

const words = (list: string) => once(() => new Set(list.split(' ')));

/** Words that connect a name with its value, in the languages that people write in. */
const LINKS = words(
  'is was are be been to now as like equals : = - – — -> => → ist war lautet auf als jetzt heißt est était devient es era ' +
    'ahora è era é foi são är var er blir jest był to je bol byl on oli yra este là adalah это был was, is, old new alt neu ' +
    'ancien nouveau vieja nueva vorher before previously formerly instead of statt from von',
);
/** Words before a value that somebody is to type. */
const VERBS = words(
  'type types typed enter enters entered use uses used using try tries tried put give gave with paste mit tippe gib nimm ' +
    'verwende benutze eingeben tape tapez entre entrez utilise utilisez avec usa usar escribe introduce con inserisci digita ' +
    'usando skriv använd brug typ gebruik wpisz użyj zadej введи введите используй',
);
const SPOKEN = { ...DATA_SYNTAX, isQuoted: false, isProse: true };
const MAX_LINE = 240;
/** How many words may be between a link and the value. */
const MAX_BETWEEN = 3;

/** Whether a word of a sentence about passwords is one: letters with a number, or what looks generated. */
function isSpoken(word: string): boolean {
  if (word.length < 7 || isStructured(word) || isPlaceholder(word)) return false;
  if (isPlainWord(word) || isAlgorithm(word) || isNumbered(word)) return false;
  if (isStrong(word) || isComplex(word) || isMadeUp(word, SPOKEN)) return true;
  return (isChosen(word, SPOKEN) || /^[a-z]{8,}\d$/.test(word)) && /\d/.test(word) && !isAboutSecrets(word);
}

/** Who speaks, in logs of chats. */
const CHAT_NAME = /^[\d:[\]. ]{0,12}<[@+]?[\w-]{1,30}> /;

/** What code has and sentences have not. */
const CODE_SIGNS = /[{}<>;]|\w\(|=\S/;

/** Masks passwords in a sentence that has a word for them, from `start` to `end`: `changed it to …`, `type … as password`. */
export function findSpoken(text: string, start: number, end: number, level: NameLevel, found: Span[]): void {
  if (level !== 'password' && level !== 'secret') return;
  const { line, first } = lineAround(text, start);
  const mayHavePassword = /\d|[a-z][!#$%^*&][A-Za-z]/.test(line);
  if (!mayHavePassword || CODE_SIGNS.test(line.replace(CHAT_NAME, ''))) return;
  let sinceLink = MAX_BETWEEN + 1;
  let previous = '';
  for (const { 0: written, index } of line.matchAll(/\S+/g)) {
    const lead = /^["'`(«„“*_]*/.exec(written)?.[0] ?? '';
    const word = written.slice(lead.length).replace(/["'`)»“”*_.,;:?]+$/, '');
    const isBefore = first + index < end;
    const at = first + index + lead.length;
    // `set it to … as the password`
    const isSetTo = isBefore && previous === 'to' && isSetValue(word);
    const isLinked = sinceLink <= MAX_BETWEEN && (isQuotedPassword(lead, word) || isSpoken(word));
    if ((isSetTo || isLinked) && !isPlaceholder(word) && !isMasked(text, at))
      found.push({ start: at, end: at + word.length, mask: maskOf('password'), isSoft: true });
    previous = word;
    sinceLink = isLink(written.slice(lead.length).toLowerCase(), isBefore) ? 1 : sinceLink + 1;
  }
}

function isSetValue(word: string): boolean {
  return (isStrong(word) || isComplex(word)) && !isStructured(word);
}

function isQuotedPassword(lead: string, word: string): boolean {
  return /["'`]$/.test(lead) && isPasswordLiteral(word);
}

/** Whether a password may follow a word; before the word for passwords, only a verb leads to one. */
function isLink(word: string, isBefore: boolean): boolean {
  return VERBS().has(word) || (!isBefore && (LINKS().has(word) || word.endsWith(':')));
}

/** The line around a position, as far as it is near, and where it begins. */
function lineAround(text: string, at: number): { readonly line: string; readonly first: number } {
  const from = Math.max(0, at - MAX_LINE / 2);
  const first = from + text.slice(from, at).lastIndexOf('\n') + 1;
  const rest = text.slice(at, at + MAX_LINE).split('\n', 1)[0] ?? '';
  return { line: text.slice(first, at) + rest, first };
}

/** Phrases that ask somebody to log in. */
const LOGIN_PHRASES =
  'log in|login|sign in|signin|logged in|log into|anmeld|melde dich|einloggen|connecte|connexion|inicia sesi|accede|entra con|entre com|zaloguj|logga in|logg inn|log ind|inloggen|kirjaudu|account|use admin|use root|tried with|try with|works with|worked with|with admin|with root|with postgres|mit admin|mit root|user/pass|credentials|creds|zugang|root/|admin/';
/** Keywords of {@link findLogin}. */
export const LOGIN_KEYWORDS: readonly string[] = LOGIN_PHRASES.split('|');
/** A user and a password in a sentence: `admin / Otter2017`, `root und …`. */
const USER_AND_PASSWORD =
  /(?<![\w/.-])((?:[a-z][\w.-]{1,30}(?:@[\w.-]{3,60})?|[A-Z][a-z]{2,12})["'`]?(?: ?\/ ?|:| (?:and|und|et|y|e|och|og|en|i|pw|pass) ))(?:the |dem |le )?(?:password |pass |pw |Passwort )?["'`]?([^\s"'`,;()<>]{6,64})/dg;
const COMMON_USER =
  /^(?:admin|administrator|root|postgres|mysql|sa|oracle|user|test|guest|demo|elastic|ubuntu|pi|tomcat|jenkins|grafana|minio|rabbit|sysadmin|superuser|\S+@\S+?)["'`]?(?: ?\/ ?|:)$/i;

const WITH_PASSWORD = / with ["'`]?([^\s"'`,;()<>]{8,64})/g;

/** Masks the password behind a user in a sentence about logging in. */
export function findLogin(text: string, at: number, found: Span[]): void {
  const { line, first } = lineAround(text, at);
  if (!/\d/.test(line)) return;
  for (const match of line.matchAll(USER_AND_PASSWORD)) {
    const value = (match[2] ?? '').replace(/[.:?]+$/, '');
    const start = first + (match.indices?.[2]?.[0] ?? 0);
    const isCommon = COMMON_USER.test(match[1] ?? '') && !/\w\/$/.test(match[1] ?? '');
    const isLikely = isCommon ? isSpoken(value) : isStrong(value) || isNamed(value) || isMixed(value);
    if (isLikely && !isPlaceholder(value) && !isMasked(text, start))
      found.push({ start, end: start + value.length, mask: maskOf('password'), isSoft: true });
  }
  for (const { 1: value = '', index } of line.matchAll(WITH_PASSWORD)) {
    const start = first + line.indexOf(value, index + ' with '.length);
    if ((isMixed(value) || isStrong(value)) && !isPlaceholder(value) && !isMasked(text, start))
      found.push({ start, end: start + value.length, mask: maskOf('password'), isSoft: true });
  }
}

/** A password with a number and a sign that no word or path has: `Qa!Ferry-24`. */
function isMixed(value: string): boolean {
  return value.length >= 8 && /\d/.test(value) && /[A-Za-z\d][!#$%^*~][A-Za-z\d]/.test(value) && !/[/=]/.test(value);
}

function isNamed(value: string): boolean {
  return value.length >= 8 && /^[A-Z][a-z]+(?:[A-Z][a-z]+)*\d{2,6}[!?#$%&*]?$/.test(value) && !isNumbered(value);
}

const LINK = '(?:is|ist|lautet|est|es|è|é|är|er|je|jest|code|[:=]|:)';
const pinPattern = once(
  () =>
    new RegExp(
      `["' _-]?pin(?:[- ]code)?["']?(?:[ \\t](?=\\d{5,8}\\b)|(?:[ \\t](?!is )[a-zà-ÿ]{1,20}){0,5}[ \\t]{0,2}${LINK}[ \\t]{0,3}(?:is[ \\t]|:[ \\t]|now[ \\t]|jetzt[ \\t])?)["']?(\\d{4,8})(?![\\w-]|[.,]\\d)`,
      'diy',
    ),
);
const CODE =
  /(?:verification|security|recovery|backup|one-time|login|access|2fa|mfa|authentication|confirmation|sms|otp|door|gate|alarm|safe)[ -](?:code|password|pin|passcode)(?:[ \t](?:for|to|of|from)(?:[ \t]\w{1,20}){1,4})?[ \t]{0,2}(?:is|[:=])[ \t]{0,3}([A-Z\d]{4,10}(?:-[A-Z\d]{4,10})?)(?![\w-]|[.,]\d)/diy;
const CODES =
  /(?:recovery|backup|rescue)[ -]codes?[^\n]{0,60}:?[ \t]*((?:\r?\n[ \t]{0,8}(?:[-*\d.)]{1,4}[ \t])?[A-Za-z\d]{4,12}(?:[- ][A-Za-z\d]{4,12}){0,3}[ \t]*(?=\r?\n|$)){1,20}|(?:[ ,]{1,3}[A-Za-z\d]{4,12}-[A-Za-z\d]{4,12}){2,20})/diy;
/** A number that is sent or shown once: `--otp=…`, `use code … to sign in`. */
const ONCE =
  /otp(?: code)?["']?(?: is|[:=])[ ]?["']?(\d{6,8})(?![\w.-])|(?:use|enter) code ["'`]?(\d{4,8})["'`]? to (?:sign|log|verify|confirm|complete)/diy;

/** Masks personal numbers and codes: `PIN is …`, `verification code: …`, a list of recovery codes. */
export function findCode(text: string, at: number, found: Span[]): void {
  for (const pattern of [pinPattern(), CODE, CODES, ONCE]) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    const [start, end] = match?.indices?.[1] ?? match?.indices?.[2] ?? [0, 0];
    const from = start + (/^\s*/.exec(text.slice(start, end))?.[0].length ?? 0);
    if (match === null || isMasked(text, from) || !/\d/.test(text.slice(from, end))) continue;
    found.push({ start: from, end, mask: maskOf('code') });
  }
}

/** Keywords of {@link findCode}. */
export const CODE_KEYWORDS: readonly string[] = (
  ' pin |pin-code|pin code|-pin |pin is|_pin=|pin: |pin:|"pin"|verification code|security code|one-time code|login code|access code|2fa code|' +
  'mfa code|authentication code|confirmation code|sms code|otp code|door code|gate code|alarm code|recovery code|' +
  'otp=|otp: |otp is|otp code|use code |enter code |recovery-code|backup code|backup-code|rescue code|rescue-code'
).split('|');
