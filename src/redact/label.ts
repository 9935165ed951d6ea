import { once } from '../record/once.ts';
import { isAscii } from '../text/is-ascii.ts';
import { findLabelled } from './assignment.ts';
import type { Span } from './rule.ts';
import { isMasked, maskOf } from './rule.ts';

/** Words for passwords and keys that are not written in ASCII. */
const LABEL = once(
  () =>
    /contraseña|lösenord|hasło|jelszó|parolă|şifre|парол[ьяею]м?|κωδικ[όο]ς|סיסמ[הא]|पासवर्ड|パスワード|暗証番号|비밀번호|패스워드|암호|รหัสผ่าน|clé|schlüssel|mật khẩu|كلمة (?:المرور|السر)|密[码碼钥鑰]|口令/gi,
);
/** A letter beyond ASCII, which every label contains; most other texts have only punctuation, boxes and emoji there. */
const LETTER = /[\u00c0-\u1fff\u3005-\ud7ff]/;
/** Longer texts are not checked for ASCII first, which would take as long. */
const MAX_SHORT_TEXT = 4096;

/** Masks the values of `Contraseña: …`, `пароль для bob: …`, `密码是…` in a text. */
export function findLabels(text: string, found: Span[]): void {
  if ((text.length <= MAX_SHORT_TEXT && isAscii(text)) || !LETTER.test(text)) return;
  for (const { 0: word, index } of text.matchAll(LABEL())) findLabelled(text, index, index + word.length, found);
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
