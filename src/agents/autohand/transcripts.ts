import { basename, dirname, join } from 'node:path';
import { textHash } from '../../record/id.ts';
import { omitUndefined, parseObject } from '../../record/object.ts';
import {
  asAbsolutePath,
  asCount,
  asFields,
  asInteger,
  asName,
  asText,
  asTime,
  type Fields,
} from '../transcript/fields.ts';
import { fileHead, fileSource, firstFields, listNames } from '../transcript/files.ts';
import { type LineReader, readJsonLines } from '../transcript/line-reading.ts';
import { type AgentTranscripts, problem, type TranscriptEvent } from '../transcript/transcript.ts';

const LOGS = ['failures.jsonl', 'successes.jsonl'];

/**
 * The memory of Autohand: the failures and successes in `~/.autohand-cli/projects/<hash>/`. Its `knowledge.json` is derived
 * from these.
 */
export const autohandTranscripts: AgentTranscripts = {
  agent: 'autohand',
  find: ({ home }) => {
    const projects = join(home, '.autohand-cli', 'projects');
    return listNames(projects)
      .flatMap((hash) => LOGS.map((log) => join(projects, hash, log)))
      .flatMap((path) => fileSource('autohand', path) ?? []);
  },
  recognises: (path) => {
    if (!LOGS.includes(basename(path))) return false;
    const first = firstFields(path);
    // yore's own logs have the same names, but a version in every record.
    return typeof first?.sessionId === 'string' && first.v === undefined && asTime(first.timestamp) !== undefined;
  },
  read: (source, position) => readJsonLines(source, position, (state) => new AutohandLineReader(source.path, state)),
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
    if (tool === undefined) yield* patternEvents(line, sessionId);
    else yield* this.#attemptEvents(line, sessionId, tool);
  }

  *#attemptEvents(line: Fields, sessionId: string, tool: string): Generator<TranscriptEvent> {
    const base = { sessionId, callId: makeId(line), ...omitUndefined({ timestamp: asTime(line.timestamp) }) };
    const input = {
      ...asFields(line.args),
      ...omitUndefined({ command: asText(line.command), path: asText(line.path) }),
    };
    const request = asText(line.context);
    yield { type: 'call', ...base, tool, input, ...omitUndefined({ request }) };
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

/** A pattern that Autohand noted, without a call. */
function* patternEvents(line: Fields, sessionId: string): Generator<TranscriptEvent> {
  const text = [asText(line.pattern), asText(line.description)].filter((part) => part).join(': ');
  if (text === '') return yield problem('neither a call nor a pattern');
  const timestamp = asTime(line.timestamp);
  const base = { sessionId, id: makeId(line), ...omitUndefined({ timestamp }) };
  yield { type: 'message', ...base, role: 'assistant', text, isSystem: true };
}

/** Records have no ids: this one is the same whenever the record is read. */
function makeId(line: Fields): string {
  return `autohand-${textHash(JSON.stringify(line)).toString(36)}`;
}

function readProjectPath(folder: string): string | undefined {
  return asAbsolutePath(parseObject(fileHead(join(folder, 'index.json')))?.projectPath);
}
