import { isUserAndPassword } from './header.ts';
import { nameLevel } from './name.ts';
import { redact } from './redact.ts';
import { DATA, isSecret } from './secret-value.ts';
import { isMasked, maskOf } from './span.ts';

/** Fields of yore's records that name, number or date them. Their values are made by programs and hold no secret. */
export const STRUCTURAL_KEYS: ReadonlySet<string> = new Set([
  'v',
  'id',
  'sessionId',
  'parentSessionId',
  'callId',
  'turnId',
  'keptFrom',
  'timestamp',
  'role',
  'kind',
  'outcome',
  'agent',
  'model',
  'exitCode',
  'durationMs',
  'usage',
  'signature',
  'errorSignature',
  'commit',
  'imageRefs',
]);

const MAX_DEPTH = 64;

/**
 * Redacts every string of a JSON-like value, keys included. A key counts: `{password: "…"}`, `{Authorization: "…"}`,
 * `{name: "API_KEY", value: "…"}` and `["--token", "…"]` are masked though their strings alone show nothing. Fields of
 * the outermost object in `structural` are left alone. Returns the same reference when nothing changed.
 */
export function redactValue<T>(value: T, structural: ReadonlySet<string> = STRUCTURAL_KEYS): T {
  return redactAny(value, structural, 0) as T;
}

const NONE: ReadonlySet<string> = new Set();

function redactAny(value: unknown, structural: ReadonlySet<string>, depth: number): unknown {
  if (typeof value === 'string') return redact(value);
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return value;
  return Array.isArray(value) ? redactArray(value, depth) : redactObject(value, structural, depth);
}

function redactArray(array: readonly unknown[], depth: number): readonly unknown[] {
  let copy: unknown[] | undefined;
  for (const [i, item] of array.entries()) {
    const before = array[i - 1];
    const isOption =
      typeof before === 'string' && typeof item === 'string' && /^--?[A-Za-z][\w-]*$/.test(before);
    const redacted = isOption ? redactNamed(before, item) : redactAny(item, NONE, depth + 1);
    if (redacted === item) continue;
    copy ??= [...array];
    copy[i] = redacted;
  }
  return copy ?? array;
}

function redactObject(object: object, structural: ReadonlySet<string>, depth: number): object {
  const fields = Object.entries(object);
  const pairName = nameOfPair(object);
  let isChanged = false;
  for (const field of fields) {
    const [key, value] = field;
    if (structural.has(key)) continue;
    const name = pairName !== undefined && /^value$/i.test(key) ? pairName : key;
    const redacted = typeof value === 'string' ? redactNamed(name, value) : redactField(name, value, depth);
    const newKey = isPlainKey(key) ? key : redact(key);
    if (redacted === value && newKey === key) continue;
    isChanged = true;
    field[0] = newKey;
    field[1] = redacted;
  }
  return isChanged ? Object.fromEntries(fields) : object;
}

/** Too short for a secret, and no path. */
function isPlainKey(key: string): boolean {
  return key.length < 16 && !key.includes('/') && !key.includes('\\');
}

/** `{name: "API_KEY", value: "…"}`, as containers and tag lists write it. */
function nameOfPair(object: object): string | undefined {
  if (!('value' in object || 'Value' in object)) return undefined;
  const { name, key, Name, Key } = object as Readonly<Record<string, unknown>>;
  return [name, key, Name, Key].find((candidate) => typeof candidate === 'string');
}

/** A list under a telling name is a list of secrets: `{passwords: ["…"]}`. */
function redactField(name: string, value: unknown, depth: number): unknown {
  if (!Array.isArray(value) || !value.some((item) => typeof item === 'string'))
    return redactAny(value, NONE, depth + 1);
  const redacted = value.map((item) => (typeof item === 'string' ? redactNamed(name, item) : item));
  const isSame = redacted.every((item, i) => item === value[i]);
  const list = isSame ? value : redacted;
  return list.every(isPlainText) ? list : redactAny(list, NONE, depth + 1);
}

/** Text that is no option, whose value would be the next one of its list. */
function isPlainText(item: unknown): boolean {
  return typeof item === 'string' && !item.startsWith('-');
}

function redactNamed(name: string, value: string): string {
  const redacted = redact(value);
  if (redacted !== value || isMasked(value, 0)) return redacted;
  const level = nameLevel(name);
  if (level === 'none') return value;
  const credential = redactCredential(name, value);
  if (credential !== value) return credential;
  const written = { ...DATA, isUpperCase: !/[a-z]/.test(name) };
  return isSecret(level, value, written) ? maskOf(level === 'weak' ? 'key' : level) : value;
}

const SCHEME = /^([A-Za-z][\w-]{1,30}) +(\S{8,})$/;

/** `Authorization: Token …`, `auth: <base64 of user:password>`. */
function redactCredential(name: string, value: string): string {
  if (/^_?auth$/i.test(name) && isUserAndPassword(value)) return maskOf('basic');
  const [, scheme, credential = ''] = /authorization$/i.test(name) ? (SCHEME.exec(value) ?? []) : [];
  if (scheme === undefined || !isSecret('token', credential, DATA)) return value;
  return `${scheme} ${maskOf('authorization')}`;
}
