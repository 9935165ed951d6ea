import { openSegment, readBackwards } from '../log/index.ts';
import { goesOn } from '../memory/index.ts';
import { parseHistoryRecord } from '../record/index.ts';

/** How far back the request in force is looked for. */
const LOOKED_AT_BYTES = 256 * 1024;

/** What the user asked last in each session of a project. */
export class SessionRequests {
  readonly #directory: string;
  /** Of sessions that this process has seen. */
  readonly #known = new Map<string, string>();

  /** `directory` holds the project's logs. */
  constructor(directory: string) {
    this.#directory = directory;
  }

  /** The request in force; undefined when nothing was asked, or too long ago. */
  of(sessionId: string): string | undefined {
    const known = this.#known.get(sessionId);
    if (known !== undefined) return known;
    for (const line of readBackwards(openSegment(this.#directory, 'history'), LOOKED_AT_BYTES, sessionId)) {
      const message = parsedLine(line, parseHistoryRecord);
      if (message === undefined || message.sessionId !== sessionId || message.kind !== undefined) continue;
      if (message.role !== 'user' || goesOn(message.content)) continue;
      this.set(sessionId, message.content);
      return message.content;
    }
    return undefined;
  }

  /** Notes a request of this process's own. */
  set(sessionId: string, text: string): void {
    this.#known.set(sessionId, text);
  }
}

/** The record in a line of a log; undefined when there is none. */
export function parsedLine<T>(
  line: string,
  parse: (value: unknown) => { readonly ok: true; readonly record: T } | { readonly ok: false },
): T | undefined {
  try {
    const result = parse(JSON.parse(line));
    return result.ok ? result.record : undefined;
  } catch {
    return undefined;
  }
}
