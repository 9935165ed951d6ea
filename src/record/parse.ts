import { isObject, type JsonObject } from './object.ts';
import {
  type Attempt,
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
  const record: Attempt = {
    v: RECORD_VERSION,
    id: fields.id,
    ...commonFields(fields),
    outcome: outcome as Outcome,
    ...(fields.foreign === true ? { foreign: true } : {}),
  };
  copyFields(record, fields, ATTEMPT_TEXTS, isText);
  copyFields(record, fields, ATTEMPT_NUMBERS, isNumber);
  copyFields(record, fields, ATTEMPT_LISTS, isList);
  if (isObject(fields.args)) Object.assign(record, { args: fields.args });
  return { ok: true, record };
}

const ATTEMPT_TEXTS = [
  'callId',
  'parentSessionId',
  'agent',
  'tool',
  'command',
  'path',
  'error',
  'result',
  'context',
  'branch',
  'commit',
  'cwd',
  'signature',
  'errorSignature',
  'kind',
  'pattern',
  'description',
  'author',
] as const satisfies (keyof Attempt)[];
const ATTEMPT_NUMBERS = ['exitCode', 'durationMs'] as const satisfies (keyof Attempt)[];
const ATTEMPT_LISTS = ['tags', 'circumstances'] as const satisfies (keyof Attempt)[];

function toMessage(fields: JsonObject, id: string, role: Role, content: string): Message {
  const usage: Usage = {};
  if (isObject(fields.usage)) copyFields(usage, fields.usage, USAGE_KEYS, isNumber);
  const record: Message = {
    v: RECORD_VERSION,
    id,
    ...commonFields(fields),
    role,
    content,
    ...(fields.kind === 'checkpoint' || fields.kind === 'title' ? { kind: fields.kind } : {}),
    ...(Object.keys(usage).length > 0 ? { usage } : {}),
    ...(Array.isArray(fields.editResults) ? { editResults: fields.editResults.filter(isFileEdit) } : {}),
    ...(typeof fields.starred === 'boolean' ? { starred: fields.starred } : {}),
    ...(fields.systemEvent === true ? { systemEvent: true } : {}),
    ...(fields.foreign === true ? { foreign: true } : {}),
    ...(fields.isFork === true ? { isFork: true } : {}),
  };
  copyFields(record, fields, MESSAGE_TEXTS, isText);
  copyFields(record, fields, ['images'], isNumber);
  copyFields(record, fields, MESSAGE_LISTS, isList);
  return record;
}

function isFileEdit(value: unknown): value is FileEdit {
  if (!isObject(value) || typeof value.path !== 'string') return false;
  return ['change', 'diff', 'status'].every((key) => value[key] === undefined || typeof value[key] === 'string');
}

const MESSAGE_TEXTS = [
  'keptFrom',
  'parentSessionId',
  'agent',
  'model',
  'branch',
  'turnId',
  'author',
] as const satisfies (keyof Message)[];
const MESSAGE_LISTS = ['imageRefs', 'files', 'filesModified', 'tags'] as const satisfies (keyof Message)[];

const USAGE_KEYS = [
  'inputTokens',
  'outputTokens',
  'cacheReadTokens',
  'cacheWriteTokens',
] as const satisfies (keyof Usage)[];

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

/** `YYYY-MM-DDThh:mm:ss.sssZ`, so that times sort as text. */
function canonicalTime(timestamp: string): string {
  const isCanonical = timestamp.length === 24 && timestamp[4] === '-' && timestamp[10] === 'T' && timestamp[23] === 'Z';
  return isCanonical ? timestamp : new Date(timestamp).toISOString();
}

function invalid(problem: string): {
  readonly ok: false;
  readonly reason: 'invalid';
  readonly problem: string;
} {
  return { ok: false, reason: 'invalid', problem };
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number';
}

function isList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(isText);
}

/** Copies the fields that have the right type and drops the others. */
function copyFields<K extends string, T>(
  to: { readonly [P in K]?: T },
  from: JsonObject,
  keys: readonly K[],
  isValid: (value: unknown) => value is T,
): void {
  const target: { [P in K]?: T } = to;
  for (const key of keys) {
    const value = from[key];
    if (value !== undefined && isValid(value)) target[key] = value;
  }
}
