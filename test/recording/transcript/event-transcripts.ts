import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileSource } from '../../../src/agents/transcript/files.ts';
import { readJsonLines } from '../../../src/agents/transcript/line-reading.ts';
import type { AgentTranscripts, TranscriptEvent } from '../../../src/agents/transcript/transcript.ts';
import { listSegments } from '../../../src/log/index.ts';
import { type Attempt, type HistoryRecord, type Message, parseHistoryRecord } from '../../../src/record/index.ts';
import { KnownRecords } from '../../../src/recording/transcript/known-records.ts';
import { TranscriptRecorder } from '../../../src/recording/transcript/transcript-recorder.ts';

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

/** Records a transcript and reads the messages back, as the history does: without the titles of sessions. */
export function recordTranscript(
  transcripts: AgentTranscripts,
  path: string,
  { directory, root }: { readonly directory: string; readonly root: string },
): readonly Message[] {
  const source = fileSource(transcripts.agent, path);
  if (source === undefined) throw new Error(`no transcript ${path}`);
  const recorder = new TranscriptRecorder({
    directory,
    agent: transcripts.agent,
    findRoot: () => root,
    known: new KnownRecords(),
    extraTags: {},
    defaultTime: () => Date.parse('2026-05-20T10:00:00.000Z'),
  });
  for (const event of transcripts.read(source).events)
    recorder.add(event.type === 'session' ? { ...event, cwd: root } : event);
  recorder.flush();
  return recordsIn(directory).history.flatMap((record) => {
    const parsed = parseHistoryRecord(record);
    return parsed.ok && 'content' in parsed.record && parsed.record.kind !== 'title' ? [parsed.record] : [];
  });
}
