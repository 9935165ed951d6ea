import { textHash } from '../record/index.ts';

/** How ids begin that were made from a transcript. What hooks record live has ids of another form. */
const PREFIX = 't-';

/** The id of a record made from a transcript: the same whenever the same part of it is read. */
export function transcriptId(
  agent: string,
  sessionId: string,
  kind: 'message' | 'call' | 'feedback',
  own: string,
): string {
  const key = `${agent}\0${sessionId}\0${kind}\0${own}`;
  return `${PREFIX}${textHash(key).toString(36)}`;
}

/** Whether a record was made from a transcript. */
export function isTranscriptId(id: string): boolean {
  return id.startsWith(PREFIX);
}
