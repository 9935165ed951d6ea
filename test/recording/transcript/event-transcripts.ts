import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileSource } from '../../../src/agents/transcript/files.ts';
import { readJsonLines } from '../../../src/agents/transcript/line-reading.ts';
import type { AgentTranscripts, TranscriptEvent } from '../../../src/agents/transcript/transcript.ts';
import { listSegments } from '../../../src/log/index.ts';
import type { Attempt, HistoryRecord } from '../../../src/record/index.ts';

/** An agent whose transcripts contain one event per line as JSON. */
export const eventTranscripts: AgentTranscripts = {
  agent: 'claude-code',
  find: ({ home }) => [fileSource('claude-code', join(home, 'session.jsonl')) ?? []].flat(),
  recognises: () => true,
  read: (source, position) =>
    readJsonLines(source, position, () => ({
      read: (fields) => [fields as unknown as TranscriptEvent],
      state: () => ({}),
    })),
};

/** A transcript of these events. */
export function linesOf(events: readonly TranscriptEvent[]): string {
  return events.map((event) => `${JSON.stringify(event)}\n`).join('');
}

/** The records of a project, log by log, in the order they were written. */
export function recordsIn(directory: string): {
  readonly history: readonly HistoryRecord[];
  readonly failures: readonly Attempt[];
  readonly successes: readonly Attempt[];
} {
  const read = <T>(log: 'history' | 'failures' | 'successes'): T[] =>
    listSegments(directory, log).flatMap(({ path }) =>
      readFileSync(path, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as T),
    );
  return { history: read('history'), failures: read('failures'), successes: read('successes') };
}
