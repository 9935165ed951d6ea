import { MAX_STATEMENT_LENGTH, type StatementFact } from '../facts/statements/statement.ts';
import type { ChoiceKind } from '../facts/warning-record.ts';
import { shortHash } from '../record/id.ts';
import { omitUndefined } from '../record/object.ts';
import { getOrAdd } from '../record/once.ts';
import type { ProjectRows } from '../store/project-rows.ts';
import { compareText } from '../text/compare-text.ts';
import { truncateLine } from '../text/one-line.ts';
import { stem } from '../text/stem.ts';
import { splitWords } from '../text/words.ts';
import { isReplacedBy } from './same-subject.ts';

/** A decision or a correction: what follows from the log and is worth telling later. */
export interface Conclusion extends Pick<StatementFact, 'kind' | 'source' | 'text' | 'quote' | 'life'> {
  /** For people and `choose`, such as `d-1x9k2a0`. */
  readonly id: string;
  /** When it was said last. ISO 8601, UTC. */
  readonly at: string;
  /** How often it was said in the same words. */
  readonly count: number;
  /** The session and the record in which it was said last. */
  readonly sessionId: string;
  readonly recordId: string;
  readonly branch?: string;
  /** `replaced`: a later one about the same subject holds. */
  readonly state: 'current' | 'replaced' | 'dismissed';
  readonly isPinned: boolean;
  /** The user has put `text` into other words. */
  readonly isEdited: boolean;
  /** The one that holds instead. */
  readonly replacedBy?: string;
  /** What it replaced, the latest first. */
  readonly replaced: readonly Pick<Conclusion, 'id' | 'text' | 'at'>[];
  /** The call that the user refused before it was said. */
  readonly corrects?: { readonly recordId: string; readonly what: string };
}

/** Options of {@link listConclusions}. */
export interface ConclusionFilter {
  readonly kind?: Conclusion['kind'];
  /** All of these words are in its text or quote, in any form. */
  readonly words?: string;
  readonly sessionId?: string;
  readonly branch?: string;
  /** It names this file, or the last part of its path. */
  readonly file?: string;
  /** Said since, in epoch milliseconds. */
  readonly since?: number;
  /** Also those that were replaced or dismissed. */
  readonly all?: boolean;
  /** Default: no limit. */
  readonly limit?: number;
}

/** The decisions and corrections of a project that hold, the latest first; pinned ones before the others. */
export function listConclusions(rows: ProjectRows, filter: ConclusionFilter = {}): readonly Conclusion[] {
  const listed = replaceOlder(applyChoices(rows, joinRepeated(readStatements(rows))))
    .filter((each) => filter.all === true || each.state === 'current')
    .filter((each) => matches(each, filter));
  return listed.sort((a, b) => Number(b.isPinned) - Number(a.isPinned)).slice(0, filter.limit);
}

/** The key under which the choices of a user about a conclusion are kept: the same whatever kind it turns out to be. */
export function conclusionKey(id: string): string {
  return `conclusion ${id.slice(id.indexOf('-') + 1)}`;
}

interface StatementRow extends Pick<StatementFact, 'kind' | 'source' | 'text' | 'quote' | 'life' | 'position'> {
  readonly record: string;
  readonly session: string;
  readonly at: number;
  readonly branch: string | null;
  readonly needsContext: number;
  readonly picks: string | null;
  /** The request before it in its session, what an agent proposed since, and the call that the user refused since. */
  readonly request: string | null;
  readonly proposal: string | null;
  readonly refused: string | null;
  readonly refusedWhat: string | null;
}

/** Ends of the request before a statement: what happened later is what the statement is about. */
const SINCE_REQUEST =
  'coalesce((SELECT max(request.at) FROM request WHERE request.session = statement.session AND request.at < statement.at), 0)';

function ofRefused(column: 'id' | 'what'): string {
  return `(SELECT call.${column} FROM call WHERE call.session = statement.session AND call.outcome = 'rejected'
    AND call.family <> 'ask' AND call.at BETWEEN ${SINCE_REQUEST} AND statement.at ORDER BY call.at DESC, call.document LIMIT 1)`;
}

/** What was said in the user's own sessions, the latest first. */
function readStatements({ connection, project }: ProjectRows): readonly Conclusion[] {
  const found = connection.all<StatementRow>(
    `SELECT statement.*, session.name AS session,
       CASE WHEN needsContext THEN (SELECT request.text FROM request WHERE request.session = statement.session
         AND request.at < statement.at ORDER BY request.at DESC, request.key LIMIT 1) END AS request,
       CASE WHEN picks IS NOT NULL THEN (SELECT proposal.text FROM proposal WHERE proposal.session = statement.session
         AND proposal.at BETWEEN ${SINCE_REQUEST} AND statement.at AND proposal.label = statement.picks
         AND NOT EXISTS (SELECT 1 FROM statement AS earlier WHERE earlier.session = statement.session
           AND earlier.picks IS NOT NULL AND earlier.at > proposal.at AND earlier.at < statement.at)
         ORDER BY proposal.at DESC, proposal.document LIMIT 1) END AS proposal,
       ${ofRefused('id')} AS refused, ${ofRefused('what')} AS refusedWhat
     FROM statement JOIN session ON session.id = statement.session
     WHERE statement.project = ? AND session.author IS NULL
     ORDER BY statement.at DESC, statement.record, statement.position`,
    project,
  );
  return found.flatMap((row) => toConclusion(row) ?? []);
}

const ID_LENGTH = 7;

/** Undefined for a statement that says nothing without what is not known. */
function toConclusion(row: StatementRow): Conclusion | undefined {
  const { record, position, branch, refused, refusedWhat } = row;
  const text = row.picks === null ? inContext(row) : row.proposal;
  if (text === null) return undefined;
  const isRefusal = refused !== null;
  const kind = isRefusal ? 'correction' : row.kind;
  return {
    kind,
    source: isRefusal && row.source === 'words' ? 'refusal' : row.source,
    text,
    quote: row.quote,
    life: row.life,
    id: `${kind.charAt(0)}-${shortHash(`${record} ${position}`).slice(-ID_LENGTH)}`,
    at: new Date(row.at).toISOString(),
    count: 1,
    sessionId: row.session,
    recordId: record,
    state: 'current',
    isPinned: false,
    isEdited: false,
    replaced: [],
    ...omitUndefined({
      branch: branch ?? undefined,
      corrects: isRefusal ? { recordId: refused, what: refusedWhat ?? '' } : undefined,
    }),
  };
}

/** Shorter beginnings of a request do not say what it was about. */
const MIN_CONTEXT = 30;
const ARROW = ' → ';

function inContext({ text, needsContext, request }: StatementRow): string | null {
  if (needsContext === 0 || request === null || request.includes(text)) return text;
  const room = MAX_STATEMENT_LENGTH - ARROW.length - text.length;
  return room < MIN_CONTEXT ? null : `${truncateLine(request, room)}${ARROW}${text}`;
}

/** What was said again in the same words is one: its id is that of the first time, all else of the last. */
function joinRepeated(found: readonly Conclusion[]): readonly Conclusion[] {
  const byText = new Map<string, Conclusion>();
  for (const conclusion of found) {
    const key = conclusion.text.toLowerCase();
    const later = byText.get(key);
    byText.set(key, later === undefined ? conclusion : { ...later, id: conclusion.id, count: later.count + 1 });
  }
  return [...byText.values()];
}

/** The latest choice counts; `undo` takes it back, so that the one before it counts again. */
function applyChoices({ connection, project }: ProjectRows, found: readonly Conclusion[]): readonly Conclusion[] {
  const choices = connection.all<{ readonly cause: string; readonly kind: ChoiceKind; readonly text: string | null }>(
    "SELECT cause, kind, text FROM choice WHERE project = ? AND cause GLOB 'conclusion *' ORDER BY at, position",
    project,
  );
  const ofConclusion = new Map<string, (typeof choices)[number][]>();
  for (const choice of choices) {
    const made = getOrAdd(ofConclusion, choice.cause, () => []);
    if (choice.kind === 'undo') made.pop();
    else if (choice.kind === 'reset') made.length = 0;
    else made.push(choice);
  }
  return found.map((conclusion) => {
    const made = ofConclusion.get(conclusionKey(conclusion.id)) ?? [];
    const text = made.findLast(({ kind }) => kind === 'edit')?.text ?? undefined;
    const last = made.findLast(({ kind }) => kind !== 'edit')?.kind;
    return {
      ...conclusion,
      text: text ?? conclusion.text,
      isEdited: text !== undefined,
      isPinned: last === 'pin',
      state: last === 'dismiss' ? 'dismissed' : 'current',
    };
  });
}

/** The later of two about the same subject holds. */
function replaceOlder(found: readonly Conclusion[]): Conclusion[] {
  const holding: Conclusion[] = [];
  const replaced: Conclusion[] = [];
  for (const conclusion of found) {
    const { id, text, at, isPinned, state } = conclusion;
    const later = holding.findIndex((each) => isReplacedBy(text, each.text));
    const holds = isPinned ? undefined : holding[later];
    if (state !== 'current') replaced.push(conclusion);
    else if (holds === undefined) holding.push(conclusion);
    else {
      holding[later] = { ...holds, replaced: [...holds.replaced, { id, text, at }] };
      replaced.push({ ...conclusion, state: 'replaced', replacedBy: holds.id });
    }
  }
  return [...holding, ...replaced].sort((a, b) => compareText(b.at, a.at));
}

function matches(conclusion: Conclusion, { kind, words, sessionId, branch, file, since }: ConclusionFilter): boolean {
  const { text, quote } = conclusion;
  const said = `${text}\n${quote}`.toLowerCase();
  return (
    (kind === undefined || conclusion.kind === kind) &&
    (sessionId === undefined || conclusion.sessionId === sessionId) &&
    (branch === undefined || conclusion.branch === branch) &&
    (since === undefined || Date.parse(conclusion.at) >= since) &&
    (file === undefined || said.includes((file.split('/').at(-1) ?? file).toLowerCase())) &&
    (words === undefined || hasWords(said, words))
  );
}

function hasWords(said: string, words: string): boolean {
  const stems = new Set(splitWords(said).flatMap(({ text, parts }) => [text, ...parts].map(stem)));
  return splitWords(words).every(({ text }) => stems.has(stem(text)));
}
