import { asFields, asList, asName, asObjects, asText, type Fields } from '../transcript/fields.ts';

/** What a session said last of where it works. */
interface KnownSession {
  readonly id: string;
  readonly cwd?: string;
  readonly branch?: string;
}

/** A compaction whose summary may follow. */
interface Boundary {
  readonly sessionId: string;
  readonly id?: string;
  readonly timestamp?: string;
}

/** What has to be known of the lines before, to go on in a transcript of Claude Code. */
export type ReaderState = {
  /** The sessions met last, newest last. */
  readonly sessions: readonly KnownSession[];
  /** The session that lines outside of side chains belonged to last. */
  readonly main?: string;
  /** Replies that were told, and how many messages were made of each; newest last. */
  readonly told: readonly (readonly [messageId: string, messages: number])[];
  /** Tasks in the background, by the calls that started them. */
  readonly tasks: readonly (readonly [taskId: string, callId: string])[];
  /** The last line of each side chain without a name, and the line it began with. */
  readonly chains: readonly (readonly [last: string, first: string])[];
  /** Calls that a hook refused. */
  readonly denied: readonly string[];
  readonly boundary?: Boundary;
};

const EMPTY: ReaderState = { sessions: [], told: [], tasks: [], chains: [], denied: [] };

/** How many of each list are kept: more than ever are under way at a time. */
const KEPT = 16;

/** The list with one more at its end, without the one that stood for the same, and without the oldest. */
export function withNewest<T>(list: readonly T[], newest: T, isSame: (item: T) => boolean): readonly T[] {
  return [...list.filter((item) => !isSame(item)), newest].slice(-KEPT);
}

/** A state that was kept; what makes no sense in it is left out. */
export function readState(fields: Fields | undefined): ReaderState {
  if (!fields) return EMPTY;
  const main = asName(fields.main);
  const boundary = readBoundary(asFields(fields.boundary));
  return {
    sessions: asObjects(fields.sessions).flatMap(readSession).slice(-KEPT),
    told: asList(fields.told).flatMap((pair) => {
      const [id, messages] = asList(pair);
      return typeof id === 'string' && typeof messages === 'number' ? [[id, messages] as const] : [];
    }),
    tasks: readPairs(fields.tasks),
    chains: readPairs(fields.chains),
    denied: asList(fields.denied).flatMap((id) => asName(id) ?? []),
    ...(main === undefined ? {} : { main }),
    ...(boundary ? { boundary } : {}),
  };
}

function readPairs(value: unknown): readonly (readonly [string, string])[] {
  return asList(value).flatMap((pair) => {
    const [first, second] = asList(pair);
    return typeof first === 'string' && typeof second === 'string' ? [[first, second] as const] : [];
  });
}

function readSession(fields: Fields): readonly KnownSession[] {
  const id = asName(fields.id);
  if (id === undefined) return [];
  const cwd = asText(fields.cwd);
  const branch = asText(fields.branch);
  return [{ id, ...(cwd === undefined ? {} : { cwd }), ...(branch === undefined ? {} : { branch }) }];
}

function readBoundary(fields: Fields | undefined): Boundary | undefined {
  const sessionId = asName(fields?.sessionId);
  if (sessionId === undefined) return undefined;
  const id = asName(fields?.id);
  const timestamp = asText(fields?.timestamp);
  return {
    sessionId,
    ...(id === undefined ? {} : { id }),
    ...(timestamp === undefined ? {} : { timestamp }),
  };
}
