import { isObject, type JsonObject } from './object.ts';
import {
  type Attempt,
  type Commit,
  type FileEdit,
  type HistoryRecord,
  type Message,
  OUTCOMES,
  type Outcome,
  RECORD_VERSION,
  type Role,
  type Usage,
} from './record.ts';

/** A parsed record, or why the value is not one. */
export type Parsed<T> =
  | { readonly ok: true; readonly record: T }
  | { readonly ok: false; readonly reason: 'newer'; readonly version: number }
  | { readonly ok: false; readonly reason: 'invalid'; readonly problem: string };

const KNOWN_OUTCOMES: ReadonlySet<string> = new Set(OUTCOMES);

/** Validates a JSON value from the history log. */
export function parseHistoryRecord(value: unknown): Parsed<HistoryRecord> {
  const checked = checkRecord(value);
  if (!checked.ok) return checked;
  const fields = checked.record;
  if (fields.kind === 'tombstone') {
    return { ok: true, record: { v: RECORD_VERSION, kind: 'tombstone', ...commonFields(fields) } };
  }
  const role = fields.role;
  if (role !== 'user' && role !== 'assistant') return invalid('role is neither "user" nor "assistant"');
  if (typeof fields.id !== 'string') return invalid('id is missing');
  if (typeof fields.content !== 'string') return invalid('content is not text');
  return { ok: true, record: toMessage(fields, fields.id, role, fields.content) };
}

/** Validates a JSON value from the failures or successes log. */
export function parseAttempt(value: unknown): Parsed<Attempt> {
  const checked = checkRecord(value);
  if (!checked.ok) return checked;
  const fields = checked.record;
  if (typeof fields.id !== 'string') return invalid('id is missing');
  const outcome = fields.outcome;
  if (typeof outcome !== 'string' || !KNOWN_OUTCOMES.has(outcome)) return invalid('outcome is unknown');
  const record: Attempt = { v: RECORD_VERSION, id: fields.id, ...commonFields(fields), outcome: outcome as Outcome };
  return { ok: true, record: withFields(record, fields, ATTEMPT_FIELDS) };
}

/** Reads the value of a field; undefined where it has another type, so that it is left out. */
type ReadField<T> = (value: unknown) => T | undefined;

/** The optional fields of a record: one that is not read here does not compile, as it would be lost when it is read. */
type FieldTable<R> = {
  readonly [K in keyof R as undefined extends R[K] ? K : never]-?: ReadField<Exclude<R[K], undefined>>;
};

const text: ReadField<string> = (value) => (typeof value === 'string' ? value : undefined);
const number: ReadField<number> = (value) => (typeof value === 'number' ? value : undefined);
const flag: ReadField<boolean> = (value) => (typeof value === 'boolean' ? value : undefined);
const onlyTrue: ReadField<true> = (value) => (value === true ? value : undefined);
const texts: ReadField<readonly string[]> = (value) =>
  Array.isArray(value) && value.every((item) => typeof item === 'string') ? value : undefined;

const ATTEMPT_FIELDS = listFields<Attempt>({
  foreign: onlyTrue,
  callId: text,
  parentSessionId: text,
  agent: text,
  tool: text,
  command: text,
  path: text,
  error: text,
  result: text,
  context: text,
  branch: text,
  commit: readCommit,
  cwd: text,
  signature: text,
  errorSignature: text,
  kind: text,
  pattern: text,
  description: text,
  author: text,
  exitCode: number,
  durationMs: number,
  tags: texts,
  testFiles: texts,
  circumstances: texts,
  args: (value) => (isObject(value) ? value : undefined),
});

const MESSAGE_FIELDS = listFields<Message>({
  kind: (value) => (value === 'checkpoint' || value === 'title' ? value : undefined),
  usage: readUsage,
  editResults: (value) => (Array.isArray(value) ? value.filter(isFileEdit) : undefined),
  starred: flag,
  systemEvent: onlyTrue,
  foreign: onlyTrue,
  isFork: onlyTrue,
  keptFrom: text,
  parentSessionId: text,
  agent: text,
  model: text,
  branch: text,
  turnId: text,
  author: text,
  images: number,
  imageRefs: texts,
  files: texts,
  filesModified: texts,
  tags: texts,
});

const USAGE_FIELDS = listFields<Usage>({
  inputTokens: number,
  outputTokens: number,
  cacheReadTokens: number,
  cacheWriteTokens: number,
  cacheHourTokens: number,
  incompleteReplies: number,
});

function toMessage(fields: JsonObject, id: string, role: Role, content: string): Message {
  return withFields<Message>({ v: RECORD_VERSION, id, ...commonFields(fields), role, content }, fields, MESSAGE_FIELDS);
}

function readUsage(value: unknown): Usage | undefined {
  const usage = isObject(value) ? withFields<Usage>({}, value, USAGE_FIELDS) : {};
  return Object.keys(usage).length > 0 ? usage : undefined;
}

function readCommit(value: unknown): Commit | undefined {
  const { hash, message, files } = isObject(value) ? value : {};
  const names = texts(files);
  return typeof hash === 'string' && typeof message === 'string' && names !== undefined
    ? { hash, message, files: names }
    : undefined;
}

function isFileEdit(value: unknown): value is FileEdit {
  if (!isObject(value) || typeof value.path !== 'string') return false;
  return ['change', 'diff', 'status'].every((key) => value[key] === undefined || typeof value[key] === 'string');
}

/** Each function upgrades a record to the version of its key. Empty while there is only version 1. */
const UPGRADES: Readonly<Record<number, (fields: JsonObject) => JsonObject>> = {};

function checkRecord(value: unknown): Parsed<JsonObject> {
  if (!isObject(value)) return invalid('not a JSON object');
  const version = value.v ?? 1;
  if (typeof version !== 'number' || !Number.isInteger(version) || version < 1)
    return invalid('v is not a version number');
  if (version > RECORD_VERSION) return { ok: false, reason: 'newer', version };
  let fields = value;
  for (let to = version + 1; to <= RECORD_VERSION; to++) fields = UPGRADES[to]?.(fields) ?? fields;
  if (typeof fields.sessionId !== 'string') return invalid('sessionId is missing');
  const timestamp = fields.timestamp;
  if (typeof timestamp !== 'string' || Number.isNaN(Date.parse(timestamp))) return invalid('timestamp is not a date');
  return { ok: true, record: fields };
}

function commonFields(fields: JsonObject): { sessionId: string; timestamp: string } {
  return { sessionId: String(fields.sessionId), timestamp: canonicalTime(String(fields.timestamp)) };
}

const CANONICAL_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** `YYYY-MM-DDThh:mm:ss.sssZ`, so that times sort as text. What else a date may say, such as comments, is not kept. */
function canonicalTime(timestamp: string): string {
  return CANONICAL_TIME.test(timestamp) ? timestamp : new Date(timestamp).toISOString();
}

function invalid(problem: string): {
  readonly ok: false;
  readonly reason: 'invalid';
  readonly problem: string;
} {
  return { ok: false, reason: 'invalid', problem };
}

type FieldReader<R> = readonly [name: keyof R, read: ReadField<R[keyof R]>];

/** The rows of a table, in a form that is quick to go through: every line of a log is read with it. */
function listFields<R>(table: FieldTable<R>): readonly FieldReader<R>[] {
  return Object.entries(table) as unknown as readonly FieldReader<R>[];
}

/** Adds the fields that have the right type to a record. */
function withFields<R extends object>(record: R, fields: JsonObject, readers: readonly FieldReader<R>[]): R {
  for (const [name, read] of readers) {
    const value = fields[name as string];
    if (value === undefined) continue;
    const found = read(value);
    if (found !== undefined) record[name] = found;
  }
  return record;
}
