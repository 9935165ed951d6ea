/** Characters that have no business in the address of a file: separators of other systems, controls, escapes of escapes. */
const STRANGE = /[\\%\u0000-\u001f\u007f]/;

/**
 * The path that a request asks for, decoded, without the query. Undefined for one that tries to get somewhere else:
 * dots, other separators, double escapes, an address of another server.
 */
export function requestPath(target: string): string | undefined {
  const [raw = ''] = target.split(/[?#]/, 1);
  if (!raw.startsWith('/')) return undefined;
  let path: string;
  try {
    path = decodeURIComponent(raw);
  } catch {
    return undefined;
  }
  if (STRANGE.test(path)) return undefined;
  const segments = path.slice(1).split('/');
  const isPlain = segments.every((segment, index) => {
    const isLast = index === segments.length - 1;
    return (segment !== '' || isLast) && !/^\.+$/.test(segment);
  });
  return isPlain ? path : undefined;
}
