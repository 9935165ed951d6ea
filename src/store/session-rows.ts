import { type Facts, facts } from '../facts/facts.ts';
import {
  compareTitles,
  composeTitle,
  isGiven,
  mayBeBetter,
  type TitleCandidate,
  titleOfCall,
  titleOfMessage,
} from '../facts/session-title.ts';
import {
  formatAttemptPreview,
  formatPreview,
  hasLabels,
  type SessionRecords,
  summariseLabels,
} from '../history/records.ts';
import { isToolCall, type Message, NOTES_SESSION, OUTCOMES, type Outcome, type Role } from '../record/record.ts';
import { beginningOf } from '../text/characters.ts';
import { compareText } from '../text/compare-text.ts';
import type { Connection } from './connection.ts';
import { isAttempt, SEARCHED_LOGS, type Searchable, type SearchedLog } from './searchable.ts';

/** A session as the index knows it: a row of the table `session`. */
export interface SessionRow {
  readonly id: number;
  readonly project: number;
  readonly name: string;
  /** The session that started it as a sub-agent. */
  startedBy: string | null;
  /** The session that it was forked from. */
  forkedFrom: string | null;
  messages: number;
  failures: number;
  successes: number;
  /** Of the first message, or of the first attempt when there is no message. */
  firstIsMessage: number | null;
  firstDocument: number | null;
  firstTime: number | null;
  timestamp: string | null;
  preview: string | null;
  /** See `composeTitle()`; set when the row is saved. */
  title: string | null;
  /** The best candidates for its parts so far. */
  titleName: string | null;
  titleNameRank: number | null;
  titleNameTime: number | null;
  titleNameDocument: number | null;
  titleResult: string | null;
  titleResultRank: number | null;
  titleResultTime: number | null;
  titleResultDocument: number | null;
  /** The user's latest labels, see `hasLabels()`: whether it is starred, and the tags, with a comma before and after each. */
  starred: number;
  tags: string | null;
  labelsTime: number | null;
  labelsDocument: number | null;
  role: string | null;
  firstAgent: string | null;
  firstBranch: string | null;
  /** Of the last message, checkpoint or attempt. */
  lastDocument: number | null;
  lastTime: number | null;
  lastActivity: string | null;
  lastAgent: string | null;
  lastBranch: string | null;
  /** Of the last record; null for the user's own. */
  author: string | null;
  /** A bit for each role, outcome, origin and purpose of its records, see {@link recordBits}. */
  kinds: number;
}

/** Notes that were made outside of sessions are found by search, but are not listed as a session. */
export const IS_SESSION = '(session.name <> ? OR session.messages > 0)';

/** Where a record is in the logs. */
export interface RecordPlace {
  readonly log: SearchedLog;
  /** Order of the segment within its log. */
  readonly segmentOrder: number;
  readonly start: number;
}

/** Where the record of a document is; undefined when there is none any more. */
export type LocateDocument = (document: number | null) => RecordPlace | undefined;

/** A record and where it is in the logs. */
interface LocatedRecord extends RecordPlace {
  readonly document: number;
  readonly time: number;
  readonly record: Searchable;
  readonly found: Pick<Facts, 'commit' | 'purpose'>;
}

const MAX_TITLE_LENGTH = 200;
const MAX_TAGS_LENGTH = 1_000;
const MAX_BRANCH_LENGTH = 250;

/** A session without records. */
export function emptySession(id: number, project: number, name: string): SessionRow {
  return {
    id,
    project,
    name,
    startedBy: null,
    forkedFrom: null,
    messages: 0,
    failures: 0,
    successes: 0,
    firstIsMessage: null,
    firstDocument: null,
    firstTime: null,
    timestamp: null,
    preview: null,
    title: null,
    titleName: null,
    titleNameRank: null,
    titleNameTime: null,
    titleNameDocument: null,
    titleResult: null,
    titleResultRank: null,
    titleResultTime: null,
    titleResultDocument: null,
    starred: 0,
    tags: null,
    labelsTime: null,
    labelsDocument: null,
    role: null,
    firstAgent: null,
    firstBranch: null,
    lastDocument: null,
    lastTime: null,
    lastActivity: null,
    lastAgent: null,
    lastBranch: null,
    author: null,
    kinds: 0,
  };
}

const COLUMNS = Object.keys(emptySession(0, 0, '')) as readonly (keyof SessionRow)[];
const INSERT = `INSERT OR REPLACE INTO session (${COLUMNS.join(', ')}) VALUES (${COLUMNS.map(() => '?').join(', ')})`;

/**
 * Adds a record to its session. Records may be added in any order: of equal times, the order in the logs decides, so
 * that a rebuilt index equals one that grew.
 */
export function addToSession(locate: LocateDocument, row: SessionRow, located: LocatedRecord): void {
  const { record, found } = located;
  const isMessage = !isAttempt(record);
  const isSaid = isMessage && record.kind === undefined;
  row.kinds |= recordBits(record) | purposeBit(found);
  addTitle(locate, row, located);
  if (isMessage && hasLabels(record)) addLabels(locate, row, located, record);
  addParent(row, record);
  if (isSaid) row.messages++;
  if (isAttempt(record) && isToolCall(record)) {
    if (record.outcome === 'failure') row.failures++;
    if (record.outcome === 'success') row.successes++;
  }
  if ((isSaid || !isMessage) && becomesFirst(locate, row, located, isMessage)) {
    row.firstIsMessage = isMessage ? 1 : 0;
    row.firstDocument = located.document;
    row.firstTime = located.time;
    row.timestamp = record.timestamp;
    row.preview = isMessage ? formatPreview(record.content) : formatAttemptPreview(record);
    row.role = isMessage ? record.role : null;
    row.firstAgent = record.agent ?? null;
    row.firstBranch = shortBranch(record);
  }
  if (row.lastTime === null || compareOrder(locate, located, row.lastTime, row.lastDocument) > 0) {
    row.lastDocument = located.document;
    row.lastTime = located.time;
    row.lastActivity = record.timestamp;
    row.lastAgent = record.agent ?? null;
    row.lastBranch = shortBranch(record);
    row.author = record.author ?? null;
  }
}

/** A record says which session started its own. Only messages say that it was forked instead. */
function addParent(row: SessionRow, record: Searchable): void {
  const parent = record.parentSessionId;
  if (parent === undefined) return;
  if (!isAttempt(record) && record.isFork === true) row.forkedFrom = earlierText(row.forkedFrom, parent);
  else row.startedBy = earlierText(row.startedBy, parent);
}

/** Of several parents any will do, as long as it does not depend on the order of the records. */
function earlierText(known: string | null, text: string): string {
  return known !== null && compareText(known, text) < 0 ? known : text;
}

function addTitle(locate: LocateDocument, row: SessionRow, located: LocatedRecord): void {
  const { record, found, document } = located;
  if (!isAttempt(record) && !mayBeBetter(knownTitle(row, 'titleName'), record)) return;
  const candidate = isAttempt(record) ? titleOfCall(record, found.commit?.message) : titleOfMessage(record);
  if (candidate === undefined) return;
  const part = candidate.part === 'name' ? 'titleName' : 'titleResult';
  const order =
    compareTitles(candidate, knownTitle(row, part)) ||
    compareOrder(locate, located, candidate.time, row[`${part}Document`]) * (isGiven(candidate) ? 1 : -1);
  if (order <= 0) return;
  row[part] = beginningOf(candidate.text, MAX_TITLE_LENGTH);
  row[`${part}Rank`] = candidate.rank;
  row[`${part}Time`] = candidate.time;
  row[`${part}Document`] = document;
}

function knownTitle(
  row: SessionRow,
  part: 'titleName' | 'titleResult',
): Pick<TitleCandidate, 'text' | 'rank' | 'time'> | undefined {
  const { [part]: text, [`${part}Rank` as const]: rank, [`${part}Time` as const]: time } = row;
  return text === null || rank === null || time === null ? undefined : { text, rank, time };
}

function addLabels(locate: LocateDocument, row: SessionRow, located: LocatedRecord, message: Message): void {
  if (row.labelsTime !== null && compareOrder(locate, located, row.labelsTime, row.labelsDocument) < 0) return;
  const { starred, tags } = summariseLabels(message);
  row.starred = starred ? 1 : 0;
  row.tags = tags === undefined ? null : beginningOf(joinTags(tags), MAX_TAGS_LENGTH);
  row.labelsTime = located.time;
  row.labelsDocument = located.document;
}

/** Tags as the column has them. None contains a comma. */
function joinTags(tags: readonly string[]): string {
  return `,${tags.join(',')},`;
}

function becomesFirst(locate: LocateDocument, row: SessionRow, located: LocatedRecord, isMessage: boolean): boolean {
  if (row.firstTime === null) return true;
  if (isMessage !== (row.firstIsMessage === 1)) return isMessage;
  return compareOrder(locate, located, row.firstTime, row.firstDocument) < 0;
}

/** Finds a document that is in the store. */
export function locateDocument(connection: Connection, document: number | null): RecordPlace | undefined {
  return connection.get<RecordPlace>(
    'SELECT log, segmentOrder, start FROM document JOIN file ON file.id = document.file WHERE document.id = ?',
    document,
  );
}

/** Negative when the record comes before the other document, positive when it comes after. */
function compareOrder(locate: LocateDocument, located: LocatedRecord, time: number, document: number | null): number {
  if (located.time !== time) return located.time - time;
  const other = locate(document);
  if (!other) return 1;
  return (
    SEARCHED_LOGS.indexOf(located.log) - SEARCHED_LOGS.indexOf(other.log) ||
    located.segmentOrder - other.segmentOrder ||
    located.start - other.start
  );
}

/** Writes a session, or deletes it when it has no records. */
export function saveSession(connection: Connection, row: SessionRow): void {
  if (row.lastDocument === null) {
    connection.run('DELETE FROM session WHERE id = ?', row.id);
    return;
  }
  const [name, result] = [knownTitle(row, 'titleName'), knownTitle(row, 'titleResult')];
  row.title = composeTitle({ name, result, branch: row.lastBranch ?? row.firstBranch ?? '' }) ?? null;
  connection.run(INSERT, ...COLUMNS.map((column) => row[column]));
}

const ROLES: readonly Role[] = ['user', 'assistant'];

/** The bit of `kinds` for messages of a role. */
export function roleBit(role: Role): number {
  return bit(ROLES.indexOf(role));
}

/** The bit of `kinds` for attempts with an outcome. */
export function outcomeBit(outcome: Outcome): number {
  return bit(ROLES.length + OUTCOMES.indexOf(outcome));
}

/** The bit of `kinds` for records that are not the user's own. */
export const FOREIGN_BIT: number = bit(ROLES.length + OUTCOMES.length);

const QUESTION_BIT = bit(ROLES.length + OUTCOMES.length + 1);
const WORK_BIT = bit(ROLES.length + OUTCOMES.length + 2);

function purposeBit({ purpose }: Pick<Facts, 'purpose'>): number {
  return purpose === undefined ? 0 : purpose === 'work' ? WORK_BIT : QUESTION_BIT;
}

/**
 * A row of `session` that counts as work, wherever sessions are counted or the latest are shown: all but those that only asked
 * what is known, in yore's own chat or what an agent has worked on. These are kept, listed and found.
 */
export const IS_WORK: string = `((session.kinds & ${QUESTION_BIT}) = 0 OR (session.kinds & ${WORK_BIT}) <> 0)`;

/** Whether a session that is read from the logs counts as work. */
export function isWork({ messages, attempts }: SessionRecords): boolean {
  const bits = [...messages, ...attempts].reduce((found, record) => found | purposeBit(facts(record)), 0);
  return (bits & QUESTION_BIT) === 0 || (bits & WORK_BIT) !== 0;
}

/** A row of `session` in which something was not only asked, but done, or said in reply. */
export const IS_ANSWERED: string = `((session.kinds & ${OUTCOMES.reduce((bits, outcome) => bits | outcomeBit(outcome), roleBit('assistant'))}) <> 0
  AND ${IS_WORK})`;

/**
 * A row of `session` that is the user's own work: neither notes, nor questions, nor from a stranger or a colleague.
 */
export const IS_OWN_WORK: string = `session.author IS NULL AND (session.name <> '${NOTES_SESSION}' OR session.messages > 0)
  AND (session.kinds & ${FOREIGN_BIT}) = 0 AND ${IS_WORK}`;

/** The bits of `kinds` for a record: its role or outcome, which a checkpoint or title has not, and where it is from. */
export function recordBits(record: Searchable): number {
  const foreign = record.foreign ? FOREIGN_BIT : 0;
  if (isAttempt(record)) return foreign | outcomeBit(record.outcome);
  return record.kind === undefined ? foreign | roleBit(record.role) : foreign;
}

/** The branch of a record as columns have it. */
export function shortBranch({ branch }: Searchable): string | null {
  return branch === undefined ? null : beginningOf(branch, MAX_BRANCH_LENGTH);
}

function bit(index: number): number {
  return index < 0 ? 0 : 1 << index;
}
