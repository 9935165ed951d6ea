import { parseRequest, type Request } from '../../../facts/request.ts';
import { omitUndefined } from '../../../record/object.ts';
import type { Attempt } from '../../../record/record.ts';
import { compareText, earlierOf } from '../../../text/compare-text.ts';
import { oneLine, truncateLine } from '../../../text/one-line.ts';

/** A request in the state of a session. */
export interface RequestEntry {
  readonly key: string;
  readonly at: string;
  readonly text: string;
  tags?: readonly string[];
  /** The decisive line of the last reply to it. */
  reply?: string;
}

const MAX_REQUEST_LENGTH = 300;
/** The first requests tell the purpose of a session, the latest its state. */
const FIRST_KEPT = 10;
const LAST_KEPT = 30;
const MAX_TAGS = 8;

/** Adds a request with at most `limit` characters, unless the table contains it. Returns its entry. */
export function addRequest(
  table: RequestEntry[],
  at: string,
  { text, key }: Request,
  limit: number = MAX_REQUEST_LENGTH,
): RequestEntry {
  const known = table.findLast((entry) => entry.key === key);
  if (known) return known;
  const entry: RequestEntry = { key, at, text: truncateLine(text, limit) };
  table.push(entry);
  if (table.length > FIRST_KEPT + LAST_KEPT) table.splice(FIRST_KEPT, 1);
  return entry;
}

/** Adds the tags of an attempt to the request that it served. */
function addTags(entry: RequestEntry, tags: readonly string[] | undefined): void {
  if (!tags || tags.length === 0) return;
  const known = entry.tags ?? [];
  if (known.length >= MAX_TAGS) return;
  const added = tags.filter((tag) => !known.includes(tag)).map((tag) => oneLine(tag, 40));
  if (added.length > 0) entry.tags = [...new Set([...known, ...added])].slice(0, MAX_TAGS);
}

/** The whole request is normally in the history. */
const MAX_CONTEXT_LENGTH = 160;

/** Adds the request that an attempt served; a follow-up only if there was nothing before it, and none that was only talked about. Returns its key. */
export function addContext(contexts: RequestEntry[], attempt: Attempt): string | undefined {
  const request = attempt.context === undefined ? undefined : parseRequest(attempt.context);
  if (!request || (request.isFollowUp && contexts.some(({ key }) => key !== request.key))) return undefined;
  if (attempt.kind === 'feedback') return request.key;
  const entry = addRequest(contexts, attempt.timestamp, request, MAX_CONTEXT_LENGTH);
  addTags(entry, attempt.tags);
  return entry.key;
}

/** Merges tables of requests in order of time; of many, the first and the latest are kept. */
export function mergeRequests(tables: readonly (readonly RequestEntry[])[]): readonly RequestEntry[] {
  const merged = new Map<string, RequestEntry>();
  for (const table of tables) {
    for (const entry of table) {
      const known = merged.get(entry.key);
      if (!known) {
        merged.set(entry.key, { ...entry });
        continue;
      }
      const reply = known.reply ?? entry.reply;
      const { key, text } = known;
      const joined: RequestEntry = omitUndefined({ key, at: earlierOf(entry.at, known.at), text, reply });
      addTags(joined, known.tags);
      addTags(joined, entry.tags);
      merged.set(entry.key, joined);
    }
  }
  const sorted = [...merged.values()].sort((a, b) => compareText(a.at, b.at) || compareText(a.key, b.key));
  return sorted.length <= FIRST_KEPT + LAST_KEPT
    ? sorted
    : [...sorted.slice(0, FIRST_KEPT), ...sorted.slice(-LAST_KEPT)];
}
