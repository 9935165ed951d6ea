import { basename, dirname, isAbsolute, join } from 'node:path';
import { textHash } from '../../record/index.ts';
import {
  asCount,
  asFields,
  asInteger,
  asName,
  asText,
  asTime,
  defined,
  type Fields,
  parseFields,
} from '../transcript/fields.ts';
import { fileHead, fileSource, firstFields, listNames } from '../transcript/files.ts';
import { type LineReader, readJsonLines } from '../transcript/line-reading.ts';
import { problem, type TranscriptEvent } from '../transcript/transcript-event.ts';
import type { AgentTranscripts } from '../transcript/transcript-source.ts';

const LOGS = ['failures.jsonl', 'successes.jsonl'];

/**
 * The memory of Autohand: `~/.autohand-cli/projects/<hash>/`, with its failures and successes. Its `knowledge.json` is
 * made from these and holds nothing else.
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
    // yore's own logs have the same names, and a version in every record.
    return (
      typeof first?.sessionId === 'string' && first.v === undefined && asTime(first.timestamp) !== undefined
    );
  },
  read: (source, position) =>
    readJsonLines(source, position, (state) => new AutohandLineReader(source.path, state)),
};

class AutohandLineReader implements LineReader {
  readonly #isFailures: boolean;
  readonly #cwd: string | undefined;
  /** The session of the line before. */
  #state: { readonly sessionId?: string };

  constructor(path: string, state: Fields | undefined) {
    this.#isFailures = basename(path).startsWith('failures');
    this.#cwd = projectPath(dirname(path));
    this.#state = defined({ sessionId: asName(state?.sessionId) });
  }

  state(): Fields {
    return this.#state as Fields;
  }

  *read(line: Fields): Generator<TranscriptEvent> {
    const sessionId = asName(line.sessionId);
    if (sessionId === undefined) {
      yield problem('no session');
      return;
    }
    if (sessionId !== this.#state.sessionId) {
      this.#state = { sessionId };
      yield { type: 'session', sessionId, ...defined({ cwd: this.#cwd }) };
    }
    const tool = asName(line.tool);
    if (tool === undefined) yield* pattern(line, sessionId);
    else yield* this.#attempt(line, sessionId, tool);
  }

  *#attempt(line: Fields, sessionId: string, tool: string): Generator<TranscriptEvent> {
    const place = { sessionId, callId: idOf(line), ...defined({ timestamp: asTime(line.timestamp) }) };
    const input = {
      ...asFields(line.args),
      ...defined({ command: asText(line.command), path: asText(line.path) }),
    };
    const request = asText(line.context);
    yield { type: 'call', ...place, tool, input, ...defined({ request }) };
    const output = this.#isFailures ? asText(line.error) : asText(line.result);
    const exitCode = asInteger(line.exitCode);
    const durationMs = asCount(line.durationMs) ?? asCount(line.duration);
    const status = this.#isFailures ? ('error' as const) : ('ok' as const);
    yield { type: 'result', ...place, result: { status, ...defined({ output, exitCode, durationMs }) } };
  }
}

/** A way of working that Autohand noted, without a call. */
function* pattern(line: Fields, sessionId: string): Generator<TranscriptEvent> {
  const text = [asText(line.pattern), asText(line.description)].filter((part) => part).join(': ');
  if (text === '') {
    yield problem('neither a call nor a pattern');
    return;
  }
  const timestamp = asTime(line.timestamp);
  const place = { sessionId, id: idOf(line), ...defined({ timestamp }) };
  yield { type: 'message', ...place, role: 'assistant', text, isSystem: true };
}

/** Its records have no ids: the same record has the same one, whenever it is read. */
function idOf(line: Fields): string {
  return `autohand-${textHash(JSON.stringify(line)).toString(36)}`;
}

function projectPath(folder: string): string | undefined {
  const path = asName(parseFields(fileHead(join(folder, 'index.json')))?.projectPath);
  return path !== undefined && isAbsolute(path) ? path : undefined;
}
