/**
 * Masks what differs from run to run: ids, hashes, times, ports, generated names of temporary files. Names chosen by a
 * person stay, so that different temporary files are told apart.
 */
export function maskVolatile(text: string): string {
  if (!/[0-9]|tmp/i.test(text) || !MAYBE_VOLATILE.test(text)) return text;
  return text
    .replace(UUID, '<uuid>')
    .replace(TIME, '<time>')
    .replace(TEMPORARY, maskTemporary)
    .replace(HASH, '<hash>')
    .replace(PORT, '$1:<port>')
    .replace(LONG_NUMBER, '<n>');
}

/** A cheap test that every volatile part passes. */
const MAYBE_VOLATILE = /[0-9a-f]{7}|\d{5}|\d{4}-\d\d-|:\d\d|\/tmp|\/var\//i;
const UUID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi;
const TIME = /\b\d{4}-\d\d-\d\d[T ]\d\d[:-]\d\d(?:[:-]\d\d)?(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?/g;
const TEMPORARY = /(?:\/private)?(?:\/tmp|\/var\/folders|\/var\/tmp)\/[^\s'"`;|&)<>]*/g;
const HASH = /\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,64}\b/g;
const PORT = /\b(localhost|127\.0\.0\.1|0\.0\.0\.0):\d{2,5}/g;
const LONG_NUMBER = /\b\d{5,}\b/g;

function maskTemporary(path: string): string {
  return path
    .replace(/^\/private/, '')
    .replace(/^\/var\/folders\/[^/]+\/[^/]+\/T/, '/tmp')
    .split('/')
    .map((segment) => (isGenerated(segment) ? '<tmp>' : segment))
    .join('/');
}

/** Whether a program generated a name: `tmp.Xk29Qa`, `build-1738012345`. */
function isGenerated(segment: string): boolean {
  return (
    /^tmp[._-]?[A-Za-z0-9_]{5,}$/.test(segment) ||
    /\d{4,}/.test(segment) ||
    (/[A-Z]/.test(segment) && /[a-z]/.test(segment) && /\d/.test(segment) && segment.length >= 8)
  );
}
