import { findLabelled } from './assignment.ts';
import type { Span } from './rule.ts';
import { isMasked, maskOf } from './rule.ts';

/** Words for passwords and keys that are not written in ASCII, in lower case. They are looked for in texts that are not. */
const FOREIGN_WORDS: readonly string[] = [
  ...'contraseña lösenord hasło jelszó parolă şifre пароль пароля паролем κωδικός κωδικος סיסמה סיסמא पासवर्ड'.split(
    ' ',
  ),
  ...'パスワード 暗証番号 비밀번호 패스워드 รหัสผ่าน clé schlüssel'.split(' '),
  'mật khẩu',
  'كلمة المرور',
  'كلمة السر',
];
/** Words of two characters are keywords only with what may follow them. */
const SHORT_WORDS = ['密码', '密碼', '密钥', '密鑰', '口令', '암호'];
const AFTER_SHORT = [':', '：', '是', '为', '為', ' ', '=', '는', '은'];

/** A letter beyond ASCII, which every label contains; most other texts have only punctuation, boxes and emoji there. */
export const LABEL_HINT: RegExp = /[\u00c0-\u1fff\u3005-\ud7ff]/;

/** Keywords of {@link findLabel}, in all cases: the scanner folds the case of ASCII letters only. */
export function labelKeywords(): readonly string[] {
  const spellings = FOREIGN_WORDS.flatMap((word) => [
    word,
    word.charAt(0).toUpperCase() + word.slice(1),
    word.toUpperCase(),
  ]);
  return [
    ...new Set(spellings.map((word) => word.replace(/[A-Z]/g, (letter) => letter.toLowerCase()))),
    ...SHORT_WORDS.flatMap((word) => AFTER_SHORT.map((after) => word + after)),
  ];
}

/** Masks the value of `Contraseña: …`, `пароль для bob: …`, `密码是…`; `at` is the start of the word. */
export function findLabel(text: string, at: number, found: Span[]): void {
  const before = text.slice(at, at + 20).toLowerCase();
  const word =
    SHORT_WORDS.find((short) => before.startsWith(short)) ?? FOREIGN_WORDS.find((long) => before.startsWith(long));
  if (word !== undefined) findLabelled(text, at, at + word.length, found);
}

const PIN = /pin[ \t]{0,2}(?:is|code|[:=])[ \t]{0,3}(?:is[ \t]|:[ \t])?(\d{4,8})(?![\w.,-])/diy;
const CODE =
  /(?:verification|security|recovery|backup|one-time|login|access|2fa|mfa|authentication|sms|otp)[ -](?:code|password|pin)[ \t]{0,2}(?:is|[:=])[ \t]{0,3}([A-Z\d]{4,10}(?:-[A-Z\d]{4,10})?)(?![\w.])/diy;
const CODES =
  /(?:recovery|backup|rescue)[ -]codes?[^\n]{0,60}:?[ \t]*((?:\r?\n[ \t]{0,8}(?:[-*\d.)]{1,4}[ \t])?[A-Za-z\d]{4,12}(?:[- ][A-Za-z\d]{4,12}){0,3}[ \t]*(?=\r?\n|$)){1,20})/diy;

/** Masks personal numbers and codes: `PIN is 4711`, `verification code: 123456`, a list of recovery codes. */
export function findCode(text: string, at: number, found: Span[]): void {
  for (const pattern of [PIN, CODE, CODES]) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    const [start, end] = match?.indices?.[1] ?? [0, 0];
    const from = start + (/^\s*/.exec(text.slice(start, end))?.[0].length ?? 0);
    if (match === null || isMasked(text, from) || !/\d/.test(text.slice(from, end))) continue;
    found.push({ start: from, end, mask: maskOf('code') });
  }
}

/** Keywords of {@link findCode}. */
export const CODE_KEYWORDS: readonly string[] = [
  ...['pin is', '_pin='],
  ...'verification security one-time login 2fa mfa authentication sms otp'
    .split(' ')
    .flatMap((word) => [`${word} code`]),
  ...'recovery backup rescue'.split(' ').flatMap((word) => [`${word} code`, `${word}-code`]),
];
