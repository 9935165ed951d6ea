import type { Rule, Span } from './rule.ts';

const NAME = /[^/\\\s"'`<>|*?:;,(){}[\]$&#=!@%^+~]{1,64}(?=[/\\\s"'`<>|*?:;,(){}[\]$&#=!]|$)/y;
const SPACED_NAME = /[^\x00-,/:-@[-^`{-\x7f]{1,32}(?: [^\x00-,/:-@[-^`{-\x7f]{1,32}){1,3}(?=\\)/y;
/** What may precede `/home/` or `/Users/` for it to be the folder of users' homes. */
const ROOT =
  /(?:^|[^\w./*~-]|file:\/\/|\/mnt\/[a-z]|\/cygdrive\/[a-z]|\b[A-Za-z]:|(?:^|[^\w.~-])\/(?:[a-z]|var|usr|private|export|mnt|host|rootfs|System\/Volumes\/Data))$/;

/** The rules for home folders, whose names say who the user is. */
export const HOME_RULES: readonly Rule[] = [
  { id: 'home', keywords: ['/users/', '/home/'], find: findUnixHome },
  { id: 'home', keywords: ['\\users\\'], find: findWindowsHome },
];

/** Masks the name in `/home/<name>` and `/Users/<name>`; `at` is the first slash. */
function findUnixHome(text: string, at: number, found: Span[]): void {
  const start = text.indexOf('/', at + 1) + 1;
  // Homes are in `/Users` (macOS) or `/home`; other spellings are routes of web applications.
  const isHomesFolder = text.startsWith('/Users/', at) || text.startsWith('/home/', at);
  if (text[start] !== '*' && isHomesFolder && isRoot(text, at)) maskName(text, start, found);
}

/** Masks the name in `C:\Users\<name>`, also where the backslashes are escaped; `at` is the first backslash. */
function findWindowsHome(text: string, at: number, found: Span[]): void {
  let start = at + '\\users\\'.length;
  while (text.charCodeAt(start) === 92 && start - at < 16) start++;
  if (!/[A-Za-z]:\\*$|^\\*$/.test(text.slice(Math.max(0, at - 8), at))) return;
  SPACED_NAME.lastIndex = start;
  if (SPACED_NAME.test(text)) found.push({ start, end: SPACED_NAME.lastIndex, mask: '*' });
  else maskName(text, start, found);
}

function isRoot(text: string, at: number): boolean {
  return at === 0 || ' "\'`\n=(:'.includes(text[at - 1] ?? '') || ROOT.test(text.slice(Math.max(0, at - 24), at));
}

function maskName(text: string, start: number, found: Span[]): void {
  NAME.lastIndex = start;
  if (!NAME.test(text)) return;
  const end = NAME.lastIndex;
  if (/^\.+$/.test(text.slice(start, end))) return;
  found.push({ start, end, mask: '*' });
}
