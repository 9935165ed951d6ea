import { isMasked, maskOf, type Span } from './span.ts';

const MAX_BLOCK = 64_000;
const BEGIN = /-----BEGIN[ A-Z0-9_-]{0,60}PRIVATE KEY(?: BLOCK)?-----/y;
const END = /-----END[ A-Z0-9_-]{0,60}PRIVATE KEY(?: BLOCK)?-----/y;
/** A line of a key block behind what editors, diffs and code put around it. */
const KEY_LINE =
  /^[\s\d"'+>|#*/:→-]*(?:[A-Za-z0-9+/=]{16,}|[A-Za-z0-9+/=]{1,76}={0,2}|[A-Za-z-]+: [\w,.-]+)?(?:\\[nr])*["'+,;\\\s]*$/;

/** Masks the body of a private key, also when its end is missing or its line ends are escaped. */
export function findKeyBlock(text: string, at: number, found: Span[]): void {
  BEGIN.lastIndex = at;
  if (!BEGIN.test(text)) return;
  const start = BEGIN.lastIndex;
  const next = text.indexOf('-----', start);
  const isClosed = next >= 0 && next - start <= MAX_BLOCK && text.startsWith('-----END', next);
  const end = isClosed ? next : openEnd(text, start, next < 0 ? text.length : next);
  addBody(text, start, end, found);
}

/** Masks what stands before the end of a private key whose beginning is missing. */
export function findKeyBlockEnd(text: string, at: number, found: Span[]): void {
  END.lastIndex = at;
  if (!END.test(text)) return;
  const from = Math.max(0, at - MAX_BLOCK);
  const previous = text.lastIndexOf('-----', at - 1);
  if (previous >= from && BEGIN_BEFORE.test(text.slice(Math.max(from, previous - 80), previous + 5))) return;
  let start = at;
  while (start > from) {
    const lineStart = start < 2 ? 0 : text.lastIndexOf('\n', start - 2) + 1;
    if (lineStart < previous || !KEY_LINE.test(text.slice(lineStart, start).trimEnd())) break;
    start = lineStart;
  }
  addBody(text, start, at, found);
}

const BEGIN_BEFORE = /-----BEGIN[ A-Z0-9_-]{0,60}PRIVATE KEY(?: BLOCK)?-----$/;

function openEnd(text: string, start: number, limit: number): number {
  let end = start;
  while (end < limit && end - start < MAX_BLOCK) {
    const newline = text.indexOf('\n', end);
    const lineEnd = newline < 0 || newline > limit ? limit : newline;
    const line = text.slice(end, lineEnd);
    if (!KEY_LINE.test(line) && !/^(?:\\[nr]|[A-Za-z0-9+/=\\]){40,}/.test(line)) break;
    end = lineEnd + 1;
  }
  const body = text.slice(start, Math.min(end, limit));
  return (
    start +
    (end === start
      ? (/^(?:\\[nr]|[A-Za-z0-9+/=]){40,}/.exec(text.slice(start, start + MAX_BLOCK))?.[0].length ?? 0)
      : body.trimEnd().length)
  );
}

/** Only what holds key material is masked; a mask, dots or code between the two lines are left. */
function addBody(text: string, start: number, end: number, found: Span[]): void {
  let from = start;
  while (from < end && /\s/.test(text[from] ?? '')) from++;
  if (text.startsWith('\\n', from)) from += 2;
  let to = end;
  while (to > from && /\s/.test(text[to - 1] ?? '')) to--;
  if (text.startsWith('\\n', to - 2)) to -= 2;
  const body = text.slice(from, to);
  if (
    isMasked(text, from) ||
    !/[A-Za-z0-9+/=]{16}/.test(body) ||
    body.replace(/[^A-Za-z0-9+/=]/g, '').length < 32
  )
    return;
  found.push({ start: from, end: to, mask: maskOf('private-key') });
}

const PUTTY = /private-lines: \d{1,4}\s+([A-Za-z0-9+/=\s]{40,64000}?)(?=\n[A-Z]|$)/diy;

/** Masks the private lines of a PuTTY key file. */
export function findPuttyKey(text: string, at: number, found: Span[]): void {
  PUTTY.lastIndex = at;
  const match = PUTTY.exec(text);
  const [start, end] = match?.indices?.[1] ?? [0, 0];
  if (end > start) found.push({ start, end, mask: maskOf('private-key') });
}

const MAX_DOCUMENT = 8000;
const DATA_LINE =
  /(["']?[\w.-]{1,128}["']?[ \t]*:[ \t]*["']?)([A-Za-z0-9+/]{4,8000}={0,2})(?=["']?[ \t]*(?:,|\r?\n|\}|$))/g;

/** Masks the values under `data` of a Kubernetes secret, before or behind its `kind`. */
export function findKubernetesSecret(text: string, at: number, found: Span[]): void {
  if (!/kind\\?["']?[ \t]*:[ \t]*\\?["']?Secret\b(?!\w)/.test(text.slice(at, at + 32))) return;
  const before = text.slice(Math.max(0, at - MAX_DOCUMENT), at);
  const offset = at - before.length + Math.max(0, before.lastIndexOf('\n---'), before.lastIndexOf('kind'));
  const rest = text.slice(at, at + MAX_DOCUMENT);
  const close = /\n---|.kind["']?:/s.exec(rest)?.index ?? rest.length;
  const document = text.slice(offset, at + close);
  const data = /(?:^|[\n{,])([ \t]*)["']?data["']?[ \t]*:[ \t]*(?:\{|\r?\n)/.exec(document);
  if (data === null) return;
  const body = data.index + data[0].length;
  const indent = (data[1] ?? '').length;
  const end = blockEnd(document, body, indent, data[0].endsWith('{'));
  for (const line of document.slice(body, end).matchAll(DATA_LINE)) {
    const start = offset + body + line.index + (line[1] ?? '').length;
    found.push({ start, end: start + (line[2] ?? '').length, mask: maskOf('kubernetes-secret') });
  }
}

function blockEnd(document: string, body: number, indent: number, isJson: boolean): number {
  if (isJson) {
    const brace = document.indexOf('}', body);
    return brace < 0 ? document.length : brace;
  }
  const outside = new RegExp(`\\n[ \\t]{0,${indent}}\\S`, 'g');
  outside.lastIndex = body - 1;
  const match = outside.exec(document);
  return match === null ? document.length : match.index;
}
