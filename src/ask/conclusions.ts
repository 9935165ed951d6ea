import { type StatementFact, subjectsOf } from '../facts/statements/statement.ts';
import type { ChoiceKind } from '../facts/warning-record.ts';
import { shortHash } from '../record/id.ts';
import { getOrAdd } from '../record/once.ts';
import type { ProjectRows } from '../store/project-rows.ts';
import { stem } from '../text/stem.ts';
import { splitWords } from '../text/words.ts';

/** A decision or a correction: what follows from the log and is worth telling later. */
export interface Conclusion extends Omit<StatementFact, 'position'> {
  /** For people and `choose`, such as `d-1x9k2a0`. */
  readonly id: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  /** The session and the record in which it was said. */
  readonly sessionId: string;
  readonly recordId: string;
  readonly branch?: string;
  /** Said by the user; otherwise by an agent, in the message of a commit. */
  readonly isByUser: boolean;
  /** `replaced`: a later one about the same subject holds. */
  readonly state: 'current' | 'replaced' | 'dismissed';
  readonly isPinned: boolean;
  /** The user has put `text` into other words. */
  readonly isEdited: boolean;
  /** The one that holds instead. */
  readonly replacedBy?: string;
  /** What it replaced, the latest first. */
  readonly replaced: readonly Pick<Conclusion, 'id' | 'text' | 'at'>[];
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
  /** Also those that were replaced or dismissed, and what was meant for one request only. */
  readonly all?: boolean;
  /** Default: no limit. */
  readonly limit?: number;
}

/** The decisions and corrections of a project that hold, the latest first; pinned ones before the others. */
export function listConclusions(rows: ProjectRows, filter: ConclusionFilter = {}): readonly Conclusion[] {
  const listed = replaceOlder(applyChoices(rows, readStatements(rows)))
    .filter((each) => filter.all === true || (each.state === 'current' && each.life !== 'request'))
    .filter((each) => matches(each, filter));
  return listed.sort((a, b) => Number(b.isPinned) - Number(a.isPinned)).slice(0, filter.limit);
}

/** The key under which the choices of a user about a conclusion are kept. */
export function conclusionKey(id: string): string {
  return `conclusion ${id}`;
}

const ID_LENGTH = 7;

interface StatementRow extends Omit<StatementFact, 'position'> {
  readonly position: number;
  readonly record: string;
  readonly session: string;
  readonly at: number;
  readonly branch: string | null;
}

/** What the user has said, and what the agents of the user's own sessions have; the latest first. */
function readStatements({ connection, project }: ProjectRows): readonly Conclusion[] {
  const found = connection.all<StatementRow>(
    `SELECT statement.position, statement.record, session.name AS session, statement.at, statement.kind, source, text, quote,
       life, statement.branch
     FROM statement JOIN session ON session.id = statement.session
     WHERE statement.project = ? AND session.author IS NULL
     ORDER BY statement.at DESC, statement.record, statement.position`,
    project,
  );
  return found.map(({ position, record, session, at, branch, ...statement }) => ({
    ...statement,
    id: `${statement.kind.charAt(0)}-${shortHash(`${record} ${position}`).slice(-ID_LENGTH)}`,
    at: new Date(at).toISOString(),
    sessionId: session,
    recordId: record,
    ...(branch === null ? {} : { branch }),
    isByUser: statement.source !== 'commit',
    state: 'current',
    isPinned: false,
    isEdited: false,
    replaced: [],
  }));
}

/** The latest choice counts; `undo` takes the one before it back. */
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

/** The later of two about the same subject holds, unless an agent said it and the user the earlier one. */
function replaceOlder(found: readonly Conclusion[]): Conclusion[] {
  const known: { conclusion: Conclusion; readonly subjects: ReadonlySet<string> }[] = [];
  for (const conclusion of found) {
    const subjects = new Set(subjectsOf(conclusion.text));
    const later = known.find(
      (each) =>
        conclusion.state === 'current' &&
        each.conclusion.state === 'current' &&
        each.conclusion.life !== 'request' &&
        !conclusion.isPinned &&
        (each.conclusion.isByUser || !conclusion.isByUser) &&
        isSameSubject(each.subjects, subjects),
    );
    if (later === undefined) {
      known.push({ conclusion, subjects });
      continue;
    }
    const { id, text, at } = conclusion;
    const { conclusion: holds } = later;
    later.conclusion = { ...holds, replaced: [...holds.replaced, { id, text, at }] };
    known.push({ conclusion: { ...conclusion, state: 'replaced', replacedBy: holds.id }, subjects });
  }
  return known.map(({ conclusion }) => conclusion);
}

/** The share of the words of the shorter one that both must have. */
const SAME_SUBJECT = 0.6;

function isSameSubject(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const shared = [...a].filter((subject) => b.has(subject)).length;
  return shared > 1 && shared >= Math.min(a.size, b.size) * SAME_SUBJECT;
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
