import { compareText, earlierOf } from '../../text/compare-text.ts';
import { oneLine, truncateLine } from '../../text/one-line.ts';
import { shortHash } from './short-hash.ts';
import { hasContent } from './words.ts';

/** One request of a session as it is kept while folding. */
export interface RequestEntry {
  readonly key: string;
  readonly at: string;
  readonly text: string;
  tags?: readonly string[];
  /** The telling line of the assistant's last reply to it. */
  reply?: string;
}

const REQUEST_CHARACTERS = 300;
const REQUEST_READ = 2_000;
/** Where a context was cut, its beginning still tells which request it is. */
const KEY_CHARACTERS = 80;
/** The first requests say what a session was for, the latest where it stands. */
const FIRST_KEPT = 10;
const LAST_KEPT = 30;
const MOST_TAGS = 8;

/** How texts begin that a program puts into the user's turn. */
const INJECTED =
  /^(?:<[a-z]|\[(?:request|tool|image|pasted)|\/[a-z][\w:.-]*$|caveat:|this session is being continued|base directory for this skill|stop hook feedback|# (?:agents|claude)\.md)/i;

/** What a user message asks for. */
export interface Request {
  /** On one line. */
  readonly text: string;
  /** Its name within the session: the same for a message and for the context of an attempt. */
  readonly key: string;
}

/** The same request comes with every attempt that serves it: the last one first, then those of other sessions. */
let last: { readonly content: string; readonly request: Request | undefined } | undefined;
const recent = new Map<string, Request | undefined>();
const MOST_RECENT = 64;

/** What a user message asks for; undefined for short answers and what a program wrote. */
export function readRequest(content: string): Request | undefined {
  const beginning = content.length > REQUEST_READ ? content.slice(0, REQUEST_READ) : content;
  if (last?.content === beginning) return last.request;
  let request = recent.get(beginning);
  if (request === undefined && !recent.has(beginning)) {
    request = analyse(beginning);
    if (recent.size >= MOST_RECENT) recent.clear();
    recent.set(beginning, request);
  }
  last = { content: beginning, request };
  return request;
}

function analyse(content: string): Request | undefined {
  const text = oneLine(content, REQUEST_CHARACTERS);
  if (INJECTED.test(text) || !hasContent(text)) return undefined;
  return { text, key: shortHash(text.slice(0, KEY_CHARACTERS).toLowerCase()) };
}

/** Adds a request, with at most `limit` characters of its text, unless it is there, and returns it. */
export function noteRequest(
  table: RequestEntry[],
  at: string,
  { text, key }: Request,
  limit: number = REQUEST_CHARACTERS,
): RequestEntry {
  const known = table.findLast((entry) => entry.key === key);
  if (known) return known;
  const entry: RequestEntry = { key, at, text: truncateLine(text, limit) };
  table.push(entry);
  if (table.length > FIRST_KEPT + LAST_KEPT) table.splice(FIRST_KEPT, 1);
  return entry;
}

/** Adds the tags of an attempt to the request it served. */
export function noteTags(entry: RequestEntry, tags: readonly string[] | undefined): void {
  if (!tags || tags.length === 0) return;
  const known = entry.tags ?? [];
  if (known.length >= MOST_TAGS) return;
  const added = tags.filter((tag) => !known.includes(tag)).map((tag) => oneLine(tag, 40));
  if (added.length > 0) entry.tags = [...new Set([...known, ...added])].slice(0, MOST_TAGS);
}

/** The requests of several tables as one, in order of time, the first and the latest. */
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
      const joined: RequestEntry = {
        key: known.key,
        at: earlierOf(entry.at, known.at),
        text: known.text,
        ...(reply === undefined ? {} : { reply }),
      };
      noteTags(joined, known.tags);
      noteTags(joined, entry.tags);
      merged.set(entry.key, joined);
    }
  }
  const sorted = [...merged.values()].sort((a, b) => compareText(a.at, b.at) || compareText(a.key, b.key));
  return sorted.length <= FIRST_KEPT + LAST_KEPT
    ? sorted
    : [...sorted.slice(0, FIRST_KEPT), ...sorted.slice(-LAST_KEPT)];
}
