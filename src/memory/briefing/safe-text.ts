import { oneLine } from '../../text/one-line.ts';

/** Recorded text within a line of a briefing: one line, bounded, without marks that would end a quotation. */
export function quoted(text: string, limit: number): string {
  return `"${oneLine(text, limit).replaceAll('"', "'")}"`;
}

/** A recorded command or path within a line of a briefing. */
export function coded(text: string, limit = 120): string {
  return `\`${oneLine(text, limit).replaceAll('`', "'")}\``;
}
