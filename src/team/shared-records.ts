import { createHmac } from 'node:crypto';
import type { SettingValue } from '../config/settings.ts';
import { findRoot } from '../facts/call/describe-call.ts';
import { type SharedLog, type SharedRecord, toShareable } from '../postgres/index.ts';
import {
  type Attempt,
  type Message,
  type ProjectInfo,
  parseAttempt,
  parseHistoryRecord,
  parseObject,
} from '../record/index.ts';
import { redactValue } from '../redact/redact.ts';
import { parseIdentity } from '../registry/identity.ts';

/** What of a project is shared. */
export type ShareLevel = SettingValue<'team.share'>;

const KEY_LENGTH = 32;
/** Shorter roots, such as that of the file system, occur in other paths. */
const MIN_ROOT_LENGTH = 4;

/**
 * The key of a project in its team: the same on every machine, and meaningless to others. `name` is the setting
 * `team.project`. Undefined for a folder that cannot be recognised elsewhere.
 */
export function projectKey(
  team: string,
  { identity }: Pick<ProjectInfo, 'identity'>,
  name?: string,
): string | undefined {
  const parts = parseIdentity(identity);
  const git = parts?.kind === 'commit' ? parts : undefined;
  // A shallow clone has no root commit, so the remote decides where there is one.
  const found =
    name === undefined ? (git?.remote === undefined ? git?.rootCommit : `remote:${git.remote}`) : `name:${name}`;
  if (found === undefined) return undefined;
  return createHmac('sha256', team).update(found).digest('hex').slice(0, KEY_LENGTH);
}

/** What is sent of a line of a log, redacted again; undefined if nothing is. */
export function toSharedRecord(log: SharedLog, line: string, level: ShareLevel): SharedRecord | undefined {
  if (level === 'nothing') return undefined;
  const value = parseObject(line);
  const parsed = log === 'history' ? parseHistoryRecord(value) : parseAttempt(value);
  if (!parsed.ok || !('id' in parsed.record)) return undefined;
  // A colleague's record is not ours to send.
  const record = parsed.record.author === undefined ? toShareable(withoutRoot(parsed.record)) : undefined;
  return record && isShared(record, level) ? { log, record: redactValue(withoutContext(record, level)) } : undefined;
}

/** What the user said of a call is a message, too. */
function isShared(record: Message | Attempt, level: ShareLevel): boolean {
  return level === 'messages' || ('outcome' in record && record.kind !== 'feedback');
}

/** The request that an attempt served is a message. */
function withoutContext(record: Message | Attempt, level: ShareLevel): Message | Attempt {
  if (level === 'messages' || !('context' in record)) return record;
  const { context: _, ...rest } = record;
  return rest;
}

/** Paths in the checkout become relative to it: where it is concerns nobody, and differs on every machine. */
function withoutRoot(record: Message | Attempt): Message | Attempt {
  const root = 'outcome' in record ? findRoot(record) : undefined;
  return root === undefined ? record : withoutRoots(record, [root]);
}

/** A copy of a value in which paths in some folders are relative to them. */
export function withoutRoots<T extends object>(value: T, roots: readonly string[]): T {
  let text = JSON.stringify(value);
  for (const root of roots) {
    if (root.length < MIN_ROOT_LENGTH) continue;
    const [folder = '', path = ''] = [root, `${root}/`].map((each) => JSON.stringify(each).slice(1, -1));
    text = text.replaceAll(path, '').replaceAll(folder, '.');
  }
  return JSON.parse(text) as T;
}
