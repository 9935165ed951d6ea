import { archiveFolder, type LogName, listSegments, readLogLines, teamFolder } from '../log/index.ts';
import { CHAT_AGENT, parseObject } from '../record/index.ts';
import { LETTERS } from '../text/letters.ts';

type Fields = Readonly<Record<string, unknown>>;

const CHAT_MARK = JSON.stringify({ agent: CHAT_AGENT }).slice(1, -1);
const LOGS: readonly LogName[] = ['history', 'failures', 'successes'];
/** As many words in a row are a quotation. */
const PASSAGE_WORDS = 6;
/** A single word counts if it is at least this long; in a model's reply, which has words of its own, if it is rare. */
const MIN_WORD_LENGTH = 5;
const MIN_RARE_LENGTH = 12;
/** A name rather than a word of a language: with a digit, a sign or a capital inside. */
const NAME = /[\p{N}_./:@\\-]|\p{Ll}\p{Lu}/u;

/** What yore said from the records: a reply in the chat, or a warning; or a failure that the user pinned. */
interface Reply {
  readonly id: string;
  readonly text: string;
  /** Without a model, everything in a reply is from the records. */
  readonly isFromModel: boolean;
}

/**
 * The ids of replies in yore's chat, warnings and pins that quote records of a project which are to be deleted: those
 * that name one of the sessions, and those with a passage or name that occurs in no other record of the project, the
 * team copy included. `directory` is the project's data folder.
 */
export function findQuotes(
  directory: string,
  options: {
    /** The data folders of all projects: a chat may quote another project. */
    readonly directories: readonly string[];
    readonly sessionIds: ReadonlySet<string>;
    readonly isDeleted: (record: Fields) => boolean;
  },
): { readonly replyIds: readonly string[]; readonly warningIds: readonly string[] } {
  const replies = options.directories.flatMap((each) => readReplies(each, options.isDeleted));
  const warnings = options.directories.flatMap((each) => readWarnings(each, options.isDeleted));
  const quoting = findQuoting(directory, [...replies, ...warnings], options);
  const idsOf = (all: readonly Reply[]) => all.map(({ id }) => id).filter((id) => quoting.has(id));
  return { replyIds: idsOf(replies), warningIds: idsOf(warnings) };
}

function findQuoting(
  directory: string,
  replies: readonly Reply[],
  options: Pick<Parameters<typeof findQuotes>[1], 'sessionIds' | 'isDeleted'>,
): ReadonlySet<string> {
  const quoting = new Set(replies.filter(({ text }) => namesSession(text, options.sessionIds)).map(({ id }) => id));
  const fragments = new FragmentIndex(replies.filter(({ id }) => !quoting.has(id)));
  if (fragments.isEmpty) return quoting;
  const replyIds = new Set(replies.map(({ id }) => id));
  const [deleted, kept] = [new Set<string>(), new Set<string>()];
  for (const record of readProject(directory)) {
    if (replyIds.has(String(record.id))) continue;
    const found = options.isDeleted(record) ? deleted : kept;
    for (const text of textsOf(record)) fragments.findIn(text, found);
  }
  for (const fragment of deleted) {
    if (!kept.has(fragment)) for (const id of fragments.replies(fragment)) quoting.add(id);
  }
  return quoting;
}

/** The replies in chats, with the summaries that were made of them. */
function readReplies(directory: string, isDeleted: (record: Fields) => boolean): readonly Reply[] {
  const replies: Reply[] = [];
  const chats = new Set<unknown>();
  const summaries: Fields[] = [];
  for (const { path } of listSegments(directory, 'history')) {
    for (const { text } of readLogLines(path)) {
      const isSummary = text.includes('"kind":"checkpoint"');
      const record = isSummary || text.includes(CHAT_MARK) ? parseObject(text) : undefined;
      if (record === undefined || isDeleted(record)) continue;
      if (record.agent === CHAT_AGENT) chats.add(record.sessionId);
      if (isSummary) summaries.push(record);
      else if (record.role === 'assistant') replies.push(toReply(record));
    }
  }
  return [...replies, ...summaries.filter(({ sessionId }) => chats.has(sessionId)).map(toReply)];
}

/** The warnings that were given, and the failures that the user pinned. */
function readWarnings(directory: string, isDeleted: (record: Fields) => boolean): readonly Reply[] {
  return listSegments(directory, 'warnings').flatMap(({ path }) =>
    Array.from(readLogLines(path), ({ text }) => parseObject(text)).flatMap((record) => {
      if (record === undefined || isDeleted(record)) return [];
      const { id, text, failure } = record;
      const said = [...textsOf([text, failure])].join('\n');
      return said === '' ? [] : [{ id: String(id), text: said, isFromModel: false }];
    }),
  );
}

function toReply({ id, content, model }: Fields): Reply {
  return { id: String(id), text: String(content), isFromModel: model !== undefined };
}

function* readProject(directory: string): Generator<Fields> {
  const copy = teamFolder(directory);
  for (const folder of [archiveFolder(directory), directory, archiveFolder(copy), copy]) {
    for (const log of LOGS) {
      for (const { path } of listSegments(folder, log)) {
        for (const { text } of readLogLines(path)) {
          const record = parseObject(text);
          if (record !== undefined) yield record;
        }
      }
    }
  }
}

/** Replies without a model name the session of each fact; of a UUID, the first eight characters. */
function namesSession(text: string, sessionIds: ReadonlySet<string>): boolean {
  const named = Array.from(text.matchAll(/\b(?:session|yore show) ([\w-]{1,200})/g), ([, id = '']) => id);
  if (named.length === 0) return false;
  for (const id of sessionIds) {
    if (named.some((name) => name === id || (name.length >= 8 && id.startsWith(name)))) return true;
  }
  return false;
}

const NAMES = new RegExp(`[${LETTERS}_](?:[${LETTERS}_./:@\\\\-]*[${LETTERS}_])?`, 'gu');

/** The words of a text, with the signs that names contain, in lower case. */
function wordsOf(text: string): readonly string[] {
  const words = text.match(NAMES) ?? [];
  return words.map((word) => word.toLowerCase());
}

/** The passages and single words of replies, to be looked up in records. */
class FragmentIndex {
  readonly #words = new Set<string>();
  readonly #fragments = new Map<string, Set<string>>();

  constructor(replies: readonly Reply[]) {
    for (const { id, text, isFromModel } of replies) {
      const words = wordsOf(text);
      for (const word of words) {
        this.#words.add(word);
        if (word.length >= (isFromModel && !NAME.test(word) ? MIN_RARE_LENGTH : MIN_WORD_LENGTH)) this.#add(word, id);
      }
      for (let at = 0; at + PASSAGE_WORDS <= words.length; at++) this.#add(passage(words, at), id);
    }
  }

  get isEmpty(): boolean {
    return this.#fragments.size === 0;
  }

  replies(fragment: string): Iterable<string> {
    return this.#fragments.get(fragment) ?? [];
  }

  /** Adds the fragments of replies that occur in a text to `found`. */
  findIn(text: string, found: Set<string>): void {
    const words = wordsOf(text);
    let run = 0;
    for (const [at, word] of words.entries()) {
      run = this.#words.has(word) ? run + 1 : 0;
      if (run === 0) continue;
      if (this.#fragments.has(word)) found.add(word);
      if (run < PASSAGE_WORDS) continue;
      const fragment = passage(words, at - PASSAGE_WORDS + 1);
      if (this.#fragments.has(fragment)) found.add(fragment);
    }
  }

  #add(fragment: string, id: string): void {
    const ids = this.#fragments.get(fragment) ?? new Set();
    this.#fragments.set(fragment, ids.add(id));
  }
}

function passage(words: readonly string[], at: number): string {
  return words.slice(at, at + PASSAGE_WORDS).join(' ');
}

function* textsOf(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) yield* textsOf(part);
}
