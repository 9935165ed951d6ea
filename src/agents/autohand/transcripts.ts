import { basename, dirname, join } from 'node:path';
import { textHash } from '../../record/id.ts';
import { omitUndefined } from '../../record/object.ts';
import { NOTES_SESSION } from '../../record/record.ts';
import { readDocument, type TranscriptDocument } from '../transcript/document.ts';
import {
  asAbsolutePath,
  asCount,
  asFields,
  asInput,
  asInteger,
  asList,
  asName,
  asNumber,
  asObjects,
  asText,
  asTime,
  type Fields,
} from '../transcript/fields.ts';
import { fileSource, firstFields, listNames, readJsonFile, readJsonFileIfValid } from '../transcript/files.ts';
import { type LineReader, readJsonLines } from '../transcript/line-reading.ts';
import { type AgentTranscripts, type NoteEvent, problem, type TranscriptEvent } from '../transcript/transcript.ts';

const LOGS = ['failures.jsonl', 'successes.jsonl'];
const KNOWLEDGE = 'knowledge.json';

/** The memory of Autohand: failures, successes and knowledge in `~/.autohand-cli/projects/<hash>/`. */
export const autohandTranscripts: AgentTranscripts = {
  agent: 'autohand',
  find: ({ home }) => {
    const projects = join(home, '.autohand-cli', 'projects');
    return listNames(projects)
      .flatMap((hash) => [...LOGS, KNOWLEDGE].map((name) => join(projects, hash, name)))
      .flatMap((path) => fileSource('autohand', path) ?? []);
  },
  recognises: (path) => {
    if (basename(path) === KNOWLEDGE) return asFields(readJsonFileIfValid(path))?.bestPractices !== undefined;
    if (!LOGS.includes(basename(path))) return false;
    const first = firstFields(path);
    // yore's own logs have the same names, but a version in every record.
    return typeof first?.sessionId === 'string' && first.v === undefined && asTime(first.timestamp) !== undefined;
  },
  read: (source, position) =>
    basename(source.path) === KNOWLEDGE
      ? readDocument(source, position, () => openKnowledge(source.path))
      : readJsonLines(source, position, (state) => new AutohandLineReader(source.path, state)),
};

class AutohandLineReader implements LineReader {
  readonly #isFailures: boolean;
  readonly #cwd: string | undefined;
  /** The session of the previous line. */
  #state: { readonly sessionId?: string };

  constructor(path: string, state: Fields | undefined) {
    this.#isFailures = basename(path).startsWith('failures');
    this.#cwd = readProjectPath(dirname(path));
    this.#state = omitUndefined({ sessionId: asName(state?.sessionId) });
  }

  state(): Fields {
    return this.#state as Fields;
  }

  *read(line: Fields): Generator<TranscriptEvent> {
    const sessionId = asName(line.sessionId);
    if (sessionId === undefined) return yield problem('no session');
    if (sessionId !== this.#state.sessionId) {
      this.#state = { sessionId };
      yield { type: 'session', sessionId, ...omitUndefined({ cwd: this.#cwd }) };
    }
    const tool = asName(line.tool);
    if (tool !== undefined) yield* this.#attemptEvents(line, sessionId, tool);
    else yield toNote(line, sessionId, this.#isFailures ? 'failure' : 'success');
  }

  *#attemptEvents(line: Fields, sessionId: string, tool: string): Generator<TranscriptEvent> {
    const base = { sessionId, callId: makeId(line), ...omitUndefined({ timestamp: asTime(line.timestamp) }) };
    const input = {
      ...asFields(line.args),
      ...omitUndefined({ command: asText(line.command), path: asText(line.path) }),
    };
    const request = asText(line.context);
    yield { type: 'call', ...base, tool, input, ...omitUndefined({ request, tags: listTags(line.tags) }) };
    const output = this.#isFailures ? asText(line.error) : asText(line.result);
    const exitCode = asInteger(line.exitCode);
    const durationMs = asCount(line.durationMs) ?? asCount(line.duration);
    const status = this.#isFailures ? ('error' as const) : ('ok' as const);
    yield {
      type: 'result',
      ...base,
      result: { status, ...omitUndefined({ output, exitCode, durationMs }) },
    };
  }
}

/** Something that Autohand noted, without a call. */
function toNote(line: Fields, sessionId: string, outcome: NoteEvent['outcome'], defaultTime?: string): TranscriptEvent {
  const description = asText(line.description) ?? asText(line.reason);
  const pattern = asText(line.pattern) ?? description;
  if (!pattern) return problem('neither a call nor a pattern');
  const confidence = asNumber(line.confidence);
  const fields = omitUndefined({
    pattern,
    description,
    error: asText(line.error),
    result: asText(line.result),
    context: asText(line.context),
    tags: listTags(line.tags),
    args: confidence === undefined ? undefined : { confidence },
  });
  const timestamp = asTime(line.timestamp) ?? asTime(line.occurredAt) ?? defaultTime;
  return { type: 'note', sessionId, id: makeId(line), outcome, fields, ...omitUndefined({ timestamp }) };
}

function listTags(value: unknown): readonly string[] | undefined {
  const tags = asList(value).flatMap((tag) => asName(tag) ?? []);
  return tags.length === 0 ? undefined : tags;
}

/** The knowledge of a project, as notes: its summary, conventions, practices, and what to avoid. */
function openKnowledge(path: string): TranscriptDocument | string {
  const content = readJsonFile(path);
  if (typeof content === 'string') return content;
  const { updatedAt, summary, conventions, bestPractices, antiPatterns } = asInput(content);
  const cwd = readProjectPath(dirname(path));
  if (cwd === undefined) return 'knowledge of an unknown project';
  const notes: readonly (readonly [NoteEvent['outcome'], Fields])[] = [
    ...(asText(summary) ? [['success', { description: summary }] as const] : []),
    ...Object.entries(asFields(conventions) ?? {}).map(
      ([name, value]) => ['success', { pattern: `${name}: ${String(value)}`, description: 'Convention' }] as const,
    ),
    ...asObjects(bestPractices).map((practice) => ['success', practice] as const),
    ...asObjects(antiPatterns).map((pattern) => ['failure', pattern] as const),
  ];
  return {
    items: notes,
    *read(index) {
      const [outcome, fields] = notes[index] ?? [];
      if (index === 0) yield { type: 'session', sessionId: NOTES_SESSION, cwd };
      if (outcome && fields) yield toNote(fields, NOTES_SESSION, outcome, asTime(updatedAt));
    },
  };
}

/** Records have no ids: this one is the same whenever the record is read. */
function makeId(line: Fields): string {
  return `autohand-${textHash(JSON.stringify(line)).toString(36)}`;
}

function readProjectPath(folder: string): string | undefined {
  return asAbsolutePath(asFields(readJsonFileIfValid(join(folder, 'index.json')))?.projectPath);
}
