// Questions whose answers are known: the subject of a commit, and the sessions that the commit came from.

/** With more, any answer would do. */
const MAX_ANSWERS = 3;
const PULL_REQUEST = / \(#\d+\)$/;
const PROVISIONAL = /^(?:fixup|squash|amend)! /;

/**
 * @typedef {object} Question
 * @property {string} text
 * @property {string[]} sessions the answers
 * @property {'said' | 'other'} group `said`: an answer has the text word for word, from before the commit
 * @property {string} commit
 */

/**
 * Makes the questions, and the events that may be searched for their answers: of a session with commits, only what
 * happened before the last of them.
 * @param {readonly import('./checkpoints.mjs').Commit[]} commits
 * @param {readonly import('./checkpoints.mjs').StoredTranscript[]} transcripts with their `sessionId`
 * @param {readonly import('./session-events.mjs').RecordedEvent[]} events
 */
export function createQuestions(commits, transcripts, events) {
  const inCheckpoint = groupBy(transcripts, 'checkpoint');
  const eventsOf = groupBy(events, 'session');
  const leftOut = { merges: 0, provisional: 0, noSession: 0, manySessions: 0, saidOnlyAfterwards: 0 };
  /** The answers to each text, with the time of the commit. @type {Map<string, {commit: string, times: Map<string, string>}>} */
  const asked = new Map();
  /** When the last commit of a session was made. @type {Map<string, string>} */
  const ends = new Map();
  for (const { hash, authoredAt, isMerge, subject, checkpoints } of commits) {
    const stored = checkpoints
      .flatMap((id) => inCheckpoint.get(id) ?? [])
      .filter(({ sessionId }) => eventsOf.has(sessionId));
    const text = normalise(subject).replace(PULL_REQUEST, '');
    const reason = isMerge ? 'merges' : PROVISIONAL.test(text) || text === '' ? 'provisional' : undefined;
    if (reason === undefined && stored.length === 0) leftOut.noSession++;
    if (reason !== undefined) leftOut[reason]++;
    if (reason !== undefined || stored.length === 0) continue;
    const { times } = asked.get(text) ?? asked.set(text, { commit: hash, times: new Map() }).get(text);
    for (const { sessionId, createdAt = authoredAt } of stored) {
      times.set(sessionId, later(times.get(sessionId), createdAt));
      ends.set(sessionId, later(ends.get(sessionId), createdAt));
    }
  }
  const kept = events.filter(({ session, ts }) => !(ts > (ends.get(session) ?? '\uffff')));
  const textsOf = new Map();
  for (const event of kept) {
    const texts = textsOf.get(event.session) ?? textsOf.set(event.session, []).get(event.session);
    texts.push({ ts: event.ts, text: normalise(strings(event).join('\n')) });
  }
  const questions = [];
  for (const [text, { commit, times }] of asked) {
    const sessions = [...times.keys()].filter((id) => textsOf.has(id)).sort();
    const holds = (isInTime) =>
      sessions.some((id) =>
        textsOf.get(id)?.some((record) => isInTime(record.ts, times.get(id)) && record.text.includes(text)),
      );
    if (sessions.length === 0) leftOut.noSession++;
    else if (sessions.length > MAX_ANSWERS) leftOut.manySessions++;
    else if (holds((ts, end) => ts <= end)) questions.push({ text, sessions, group: 'said', commit });
    else if (holds(() => true)) leftOut.saidOnlyAfterwards++;
    else questions.push({ text, sessions, group: 'other', commit });
  }
  questions.sort((a, b) => (a.text < b.text ? -1 : 1));
  return { questions, events: kept, leftOut };
}

/** @template T @param {readonly T[]} items @param {keyof T} key @returns {Map<unknown, T[]>} */
export function groupBy(items, key) {
  const groups = new Map();
  for (const item of items) {
    const group = groups.get(item[key]);
    if (group === undefined) groups.set(item[key], [item]);
    else group.push(item);
  }
  return groups;
}

function later(a = '', b = '') {
  return a > b ? a : b;
}

function normalise(text) {
  return text.replace(/\s+/g, ' ').trim();
}

/** The strings that a program under test is sent of an event. */
function strings({ text, tool, input, outcome }) {
  return [text, tool, ...stringsIn(input), outcome?.output].filter((value) => typeof value === 'string');
}

function stringsIn(value) {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}
