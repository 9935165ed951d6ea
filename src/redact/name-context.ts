const DIRECTIVE = /(?:^|\n)[ \t]*(?:(?:ENV|ARG|SetEnv|setenv|export|set -\w+|fastcgi_param|user \S{1,40})[ \t]+)?$/i;

/** Whether a name is the first word of its line, or the first behind a keyword that declares it. */
export function startsLine(text: string, start: number): boolean {
  const from = Math.max(0, start - 60);
  return DIRECTIVE.test(`${from === 0 ? '\n' : ''}${text.slice(from, start)}`);
}

const LABEL_WORDS = /(?:^|\n)[-*>#\s]{0,8}(?:[A-Za-z\u00c0-\u04ff'’]{1,15} ){0,4}$/;

/** Whether it is a parameter of a URL or form: an ampersand or question mark is before the name or behind the value. */
export function isParameter(text: string, start: number, end: number): boolean {
  return (
    /[?&]$|&amp;$/.test(text.slice(Math.max(0, start - 5), start)) ||
    /^&(?:amp;)?\w{1,40}=/.test(text.slice(end, end + 50))
  );
}

const ACCOUNT_LINE =
  /(?:^|\n)[ \t-]{0,20}(?:user(?:name)?|login|host(?:name)?|server|database|account|e?mail|port)[ \t]{0,4}:[^\n]{1,80}$/;
const ACCOUNT_BELOW =
  /^[^\n]{0,8}\n[ \t]{0,20}(?:user(?:name)?|login|host(?:name)?|server|database|account|e?mail|port)[ \t]{0,4}:[^\n,;{(]{1,80}(?:\n|$)/;

/** Whether the line above or below is the user or server of the same account. Lines of code end with a comma or bracket. */
export function isAmongAccount(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - 160), start).replace(/\n[ \t-]{0,20}$/, '');
  if (/[,;{(]$/.test(before) || /^\s{0,40}[})\]]/.test(text.slice(end, end + 48))) return false;
  return ACCOUNT_LINE.test(before) || ACCOUNT_BELOW.test(text.slice(end, end + 120));
}

/** Whether only a few words precede a name on its line: `Clave de acceso: …`. */
export function isLabel(text: string, start: number): boolean {
  const from = Math.max(0, start - 60);
  return LABEL_WORDS.test(`${from === 0 ? '\n' : ''}${text.slice(from, start)}`);
}

/**
 * Whether name and value are a word of a command or log, a text in quotes, or in the braces or brackets of a printed
 * object: `set password=value`, `-var 'password=value'`, `{password=value, user=bob}`. In parentheses they may be code.
 */
export function isPrinted(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - 80), start);
  if (!/(?:^|[\s'"{[])[\w.-]{0,40}$/.test(before) || !/^(?:[\s'"}\]]|, [\w.]+=|$)/.test(text.slice(end, end + 40)))
    return false;
  const isListed = /, ?$/.test(before) || text[end] === ',';
  return !isListed || before.lastIndexOf('(') < Math.max(before.lastIndexOf('{'), before.lastIndexOf('['));
}
