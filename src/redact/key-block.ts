import { isMasked, maskOf, type Span } from './rule.ts';

const MAX_BLOCK = 64_000;
const BEGIN = /-----BEGIN[ A-Z0-9_-]{0,60}PRIVATE KEY(?: BLOCK)?-----/y;
const END = /-----END[ A-Z0-9_-]{0,60}PRIVATE KEY(?: BLOCK)?-----/y;
/** A line of a key block, possibly with what editors, diffs and code put around it. */
const KEY_LINE =
  /^[\s\d"'+>|#*/:→-]{0,40}(?:[A-Za-z0-9+/=]{1,128}|[A-Za-z-]{1,40}: [\w,.-]{1,80})?(?:\\[nr])*["'+,;\\\s]*$/;
const MAX_KEY_LINE = 256;
/** A block on one line, with escaped line breaks. */
const ONE_LINE = /(?:\\[nr]|[A-Za-z0-9+/=]){40,64000}/y;

/** Masks the body of a private key, also when its end is missing or its line breaks are escaped. */
export function findKeyBlock(text: string, at: number, found: Span[]): void {
  BEGIN.lastIndex = at;
  if (!BEGIN.test(text)) return;
  const start = BEGIN.lastIndex;
  const next = text.indexOf('-----', start);
  const isClosed = next >= 0 && next - start <= MAX_BLOCK && text.startsWith('-----END', next);
  const end = isClosed ? next : unclosedEnd(text, start, next < 0 ? text.length : next);
  addBody(text, start, end, found);
}

/** Masks what precedes the end of a private key whose beginning is missing. */
export function findKeyBlockEnd(text: string, at: number, found: Span[]): void {
  END.lastIndex = at;
  if (!END.test(text)) return;
  const from = Math.max(0, at - MAX_BLOCK);
  const before = text.slice(from, at);
  const dashes = before.lastIndexOf('-----');
  if (dashes >= 0 && BEGIN_BEFORE.test(before.slice(Math.max(0, dashes - 80), dashes + 5))) return;
  const first = dashes < 0 ? 0 : dashes + 5;
  let start = before.length;
  while (start > first) {
    const lineStart = Math.max(first, before.slice(first, start - 1).lastIndexOf('\n') + 1 + first);
    if (!isKeyLine(before.slice(lineStart, start).trimEnd())) break;
    start = lineStart === start ? first : lineStart;
  }
  addBody(text, from + start, at, found);
}

const BEGIN_BEFORE = /-----BEGIN[ A-Z0-9_-]{0,60}PRIVATE KEY(?: BLOCK)?-----$/;

function isKeyLine(line: string): boolean {
  return line.length <= MAX_KEY_LINE && KEY_LINE.test(line);
}

/** The end of a block whose last line is missing. */
function unclosedEnd(text: string, start: number, limit: number): number {
  ONE_LINE.lastIndex = start;
  if (ONE_LINE.test(text)) return Math.min(ONE_LINE.lastIndex, limit);
  let end = start;
  while (end < limit && end - start < MAX_BLOCK) {
    const newline = text.indexOf('\n', end);
    const lineEnd = newline < 0 || newline > limit ? limit : newline;
    if (!isKeyLine(text.slice(end, lineEnd))) break;
    end = lineEnd + 1;
  }
  return Math.min(end, limit);
}

/** Adds the body if it contains key material; a mask, dots or code between the two lines are left. */
function addBody(text: string, start: number, end: number, found: Span[]): void {
  let from = start;
  while (from < end && /\s/.test(text[from] ?? '')) from++;
  if (text.startsWith('\\n', from)) from += 2;
  let to = end;
  while (to > from && /\s/.test(text[to - 1] ?? '')) to--;
  if (text.startsWith('\\n', to - 2)) to -= 2;
  const body = text.slice(from, to);
  if (isMasked(text, from) || !/[A-Za-z0-9+/=]{16}/.test(body) || body.replace(/[^A-Za-z0-9+/=]/g, '').length < 32)
    return;
  found.push({ start: from, end: to, mask: maskOf('private-key') });
}

/** Lines of Base64. The next line of the file is a name with a dash. */
const PUTTY = /private-lines: \d{1,4}\s+((?:[A-Za-z0-9+/=]{1,4096}(?:\s+|(?![\w+/=-]))){1,400})/diy;
const MIN_PUTTY_LENGTH = 40;

/** Masks the private lines of a PuTTY key. */
export function findPuttyKey(text: string, at: number, found: Span[]): void {
  PUTTY.lastIndex = at;
  const match = PUTTY.exec(text);
  const start = match?.indices?.[1]?.[0] ?? 0;
  const body = (match?.[1] ?? '').trimEnd();
  if (body.length < MIN_PUTTY_LENGTH) return;
  found.push({ start, end: start + body.length, mask: maskOf('private-key') });
}

const MAX_DOCUMENT = 8000;
const DATA_LINE =
  /(["']?[\w.-]{1,128}["']?[ \t]{0,8}:[ \t]{0,8}["']?)([^\s"',{}[\]$|>&*]{4,8000})(?=["']?[ \t]*(?:,|\r?\n|\}|$))/g;
const SECTION = /(?:^|[\n{,])([ \t]*)["']?(?:data|stringData)["']?[ \t]*:[ \t]*(?:\{|\r?\n)/g;

/** Masks the values under `data` and `stringData` of a Kubernetes secret, before or after its `kind`. */
export function findKubernetesSecret(text: string, at: number, found: Span[]): void {
  if (!/^kind\\?["']?[ \t]*:[ \t]*\\?["']?Secret\b/.test(text.slice(at, at + 32))) return;
  const before = text.slice(Math.max(0, at - MAX_DOCUMENT), at);
  const offset = at - before.length + Math.max(0, before.lastIndexOf('\n---'), before.lastIndexOf('kind'));
  const rest = text.slice(at, at + MAX_DOCUMENT);
  const close = /\n---|.kind["']?:/s.exec(rest)?.index ?? rest.length;
  const document = text.slice(offset, at + close);
  for (const section of document.matchAll(SECTION)) {
    const body = section.index + section[0].length;
    const end = sectionEnd(document, body, (section[1] ?? '').length, section[0].endsWith('{'));
    for (const line of document.slice(body, end).matchAll(DATA_LINE)) {
      const start = offset + body + line.index + (line[1] ?? '').length;
      found.push({ start, end: start + (line[2] ?? '').length, mask: maskOf('kubernetes-secret') });
    }
  }
}

function sectionEnd(document: string, body: number, indent: number, isJson: boolean): number {
  if (isJson) {
    const brace = document.indexOf('}', body);
    return brace < 0 ? document.length : brace;
  }
  const outside = new RegExp(`\\n[ \\t]{0,${indent}}\\S`, 'g');
  outside.lastIndex = body - 1;
  return outside.exec(document)?.index ?? document.length;
}
