import { writeFileSync } from 'node:fs';
import { fileSource } from '../../src/agents/transcript/files.ts';
import type {
  AgentTranscripts,
  ReadPosition,
  TranscriptEvent,
  TranscriptReading,
  TranscriptSource,
} from '../../src/agents/transcript/transcript.ts';

/** Opens a transcript by its path. */
export function openFile(transcripts: AgentTranscripts, path: string, position?: ReadPosition): TranscriptReading {
  const source = fileSource(transcripts.agent, path);
  if (!source) throw new Error(`no file at ${path}`);
  return transcripts.read(source, position);
}

/** All events of a file from a position on. */
export function eventsIn(transcripts: AgentTranscripts, path: string, position?: ReadPosition): TranscriptEvent[] {
  return [...openFile(transcripts, path, position).events];
}

/** All events of the sources. */
export function eventsOf(transcripts: AgentTranscripts, sources: readonly TranscriptSource[]): TranscriptEvent[] {
  return sources.flatMap((source) => [...transcripts.read(source).events]);
}

/** The events of a file that grows to each of the given lengths and is read every time from the last position. */
export function eventsOfGrowing(
  transcripts: AgentTranscripts,
  path: string,
  content: Buffer,
  lengths: readonly number[],
): TranscriptEvent[] {
  let position: ReadPosition | undefined;
  const events: TranscriptEvent[] = [];
  for (const length of [...lengths, content.length]) {
    writeFileSync(path, content.subarray(0, length));
    const reading = openFile(transcripts, path, position);
    events.push(...reading.events);
    position = JSON.parse(JSON.stringify(reading.position())) as ReadPosition;
  }
  return events;
}

/** The events when reading stops after every event and resumes at its position. */
export function eventsOneByOne(transcripts: AgentTranscripts, path: string): TranscriptEvent[] {
  let position: ReadPosition | undefined;
  const events: TranscriptEvent[] = [];
  while (events.length < 1000) {
    const reading = openFile(transcripts, path, position);
    const next = reading.events[Symbol.iterator]().next();
    if (next.done) return events;
    events.push(next.value);
    position = JSON.parse(JSON.stringify(reading.position())) as ReadPosition;
  }
  return events;
}

/** The events without those that are only for the report. */
export function withoutSkips(events: readonly TranscriptEvent[]): TranscriptEvent[] {
  return events.filter(({ type }) => type !== 'skip');
}

/** The reasons of skipped parts; problems begin with `!`. */
export function skipped(events: readonly TranscriptEvent[]): string[] {
  return events.flatMap((event) => (event.type === 'skip' ? [`${event.isProblem ? '!' : ''}${event.reason}`] : []));
}
