import { shortHash } from '../record/id.ts';
import { oneLine } from '../text/one-line.ts';
import { stem } from '../text/stem.ts';
import { isStopWord } from '../text/stop-words.ts';
import { splitWords } from '../text/words.ts';
import { isFollowUp } from './attempt/follow-up.ts';
import { planHeading } from './session-title.ts';

/** The request of a user message. */
export interface Request {
  /** On one line, at most 300 characters; of a plan, its heading. */
  readonly text: string;
  /** Identifies it within the session: the same for the message and for the contexts of attempts. */
  readonly key: string;
  /** It only continues the previous request. */
  readonly isFollowUp: boolean;
}

const MAX_REQUEST_LENGTH = 300;
const MAX_REQUEST_READ = 2_000;
/** The key is made from the beginning, because the contexts of attempts are truncated. */
const KEY_LENGTH = 80;

/** How texts start that a program puts into a user message. */
const INJECTED =
  /^(?:<[a-z]|\[(?:request|tool|image|pasted)|caveat:|this session is being continued|base directory for this skill|stop hook feedback|# (?:agents|claude)\.md)/i;

/** A slash command alone may be one of the agent's own (`/clear`) or begin work (`/review`): the calls that serve it tell. */
const BARE_COMMAND = /^\/[a-z][\w:.-]*$/i;

/** The request that a message makes by itself; undefined for text that a program wrote, and for a slash command alone. */
export function parseRequestMessage(content: string): Request | undefined {
  return BARE_COMMAND.test(content.trim()) ? undefined : parseRequest(content);
}

/** Every attempt repeats the request it serves, so the last request is cached, and those of other sessions. */
let last: { readonly content: string; readonly request: Request | undefined } | undefined;
const cache = new Map<string, Request | undefined>();
const MAX_CACHED = 64;

/** The request that a call served, or of a user message; undefined for text that a program wrote. */
export function parseRequest(content: string): Request | undefined {
  const beginning = content.length > MAX_REQUEST_READ ? content.slice(0, MAX_REQUEST_READ) : content;
  if (last?.content === beginning) return last.request;
  let request = cache.get(beginning);
  if (request === undefined && !cache.has(beginning)) {
    request = parse(beginning);
    if (cache.size >= MAX_CACHED) cache.clear();
    cache.set(beginning, request);
  }
  last = { content: beginning, request };
  return request;
}

function parse(content: string): Request | undefined {
  const text = oneLine(content, MAX_REQUEST_LENGTH);
  if (text === '' || INJECTED.test(text)) return undefined;
  const key = shortHash(text.slice(0, KEY_LENGTH).toLowerCase());
  return { text: planHeading(content) ?? text, isFollowUp: isFollowUp(content), key };
}

/** The stems of what a request is about: the same for two that differ in politeness, in the order of words, and in numbers. */
export function taskWords(request: string): readonly string[] {
  const words = splitWords(request).filter(
    ({ text }) => !isStopWord(text) && text !== 'please' && !/^[\d.]+$/.test(text),
  );
  return [...new Set(words.map(({ text }) => stem(text)))].sort();
}

/** The numbers in a text, which tell one issue or release from another. */
export function numbersIn(text: string): readonly string[] {
  return text.match(/\d+(?:\.\d+)*/g) ?? [];
}

const QUESTION = /\?\s*$|^\s*(?:what|why|how|when|where|which|who|is|are|was|were|does|did|do|has|have|should)\b/i;

/** Whether a prompt asks something, so that it orders nothing and agrees to nothing. */
export function asksQuestion(prompt: string): boolean {
  return QUESTION.test(prompt);
}

const MAX_OUTCOME_LENGTH = 200;
const MAX_LINES_READ = 12;
const MAX_REPLY_READ = 4_000;
/** Words with which a reply reports what was done or found. */
const DECISIVE =
  /\b(?:added|changed|chose|committed|configured|created|decided|deleted|done|enabled|fixed|implemented|installed|introduced|merged|migrated|moved|now (?:uses?|works?|passes|runs)|reason|refactored|removed|renamed|replaced|resolved|rewrote|root cause|switched|updated|wrote|works now)\b/i;
const MARKUP =
  /^(?:[#>*+\-•✅✓\s]|\d+[.)]\s)+|[*`]{1,3}(?=\S)|(?<=\S)[*`]{1,3}|(?<![\p{L}\p{N}])_{1,3}(?=\S)|(?<=\S)_{1,3}(?![\p{L}\p{N}])/gu;
/** What an agent is about to do is no outcome. */
const ANNOUNCED =
  /^(?:(?:now|next|first|then|so|ok(?:ay)?)[,\s]+)?(?:let me|let['’]s|i['’]ll|i will|i['’]m \w+ing|i am \w+ing|i (?:also )?need to)\b/i;

/** The line of an assistant's reply that says what was done or decided, if there is one. */
export function findDecision(content: string): string | undefined {
  for (const line of content.slice(0, MAX_REPLY_READ).split('\n', MAX_LINES_READ)) {
    if (!DECISIVE.test(line)) continue;
    const text = oneLine(line.replace(MARKUP, ''), MAX_OUTCOME_LENGTH);
    if (!ANNOUNCED.test(text) && text.split(' ').length >= 4 && !text.endsWith(':') && !text.endsWith('?')) return text;
  }
  return undefined;
}
