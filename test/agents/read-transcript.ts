import { writeFileSync } from 'node:fs';
import { fileSource } from '../../src/agents/transcript/files.ts';
import type {
  AgentTranscripts,
  ReadPosition,
  TranscriptEvent,
  TranscriptReading,
  TranscriptSource,
} from '../../src/agents/transcript/transcript.ts';

/** Opens a file as `find` or a file given by hand would be. */
export function openFile(
  transcripts: AgentTranscripts,
  path: string,
  position?: ReadPosition,
): TranscriptReading {
  const source = fileSource(transcripts.agent, path);
  if (!source) throw new Error(`no file at ${path}`);
  return transcripts.read(source, position);
}

/** All that a file tells from a position on. */
export function eventsIn(
  transcripts: AgentTranscripts,
  path: string,
  position?: ReadPosition,
): TranscriptEvent[] {
  return [...openFile(transcripts, path, position).events];
}

/** All that the sources tell. */
export function eventsOf(
  transcripts: AgentTranscripts,
  sources: readonly TranscriptSource[],
): TranscriptEvent[] {
  return sources.flatMap((source) => [...transcripts.read(source).events]);
}

/** What is told when a file is read at each of the given lengths, every time from where it was read to before. */
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

/** What is told when a reading is given up after every event and gone on with from its position. */
export function eventsOneByOne(
  transcripts: AgentTranscripts,
  source: TranscriptSource,
  limit = 1000,
): TranscriptEvent[] {
  let position: ReadPosition | undefined;
  const events: TranscriptEvent[] = [];
  while (events.length < limit) {
    const reading = transcripts.read(source, position);
    const next = reading.events[Symbol.iterator]().next();
    if (next.done) return events;
    events.push(next.value);
    position = JSON.parse(JSON.stringify(reading.position())) as ReadPosition;
  }
  return events;
}

/** Without the events that are only for the report. */
export function told(events: readonly TranscriptEvent[]): TranscriptEvent[] {
  return events.filter(({ type }) => type !== 'skip');
}

/** Reasons of what was skipped; those that should have been understood with a `!`. */
export function skipped(events: readonly TranscriptEvent[]): string[] {
  return events.flatMap((event) =>
    event.type === 'skip' ? [`${event.isProblem ? '!' : ''}${event.reason}`] : [],
  );
}
