/** A command or path inside a sentence. */
export function code(text: string): string {
  return `\`${oneLine(text).replaceAll('`', "'")}\``;
}

/** A text that may have line breaks, as one line. */
export function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > 200 ? `${line.slice(0, 199)}…` : line;
}

/** `2025-11-18` of an ISO time. */
export function day(time: string): string {
  return time.slice(0, 10);
}

/** Where a fact is from, so that it can be looked up. */
export function cite(sessionId: string | undefined): string {
  return sessionId === undefined || sessionId === '' ? '' : `[${sessionId}]`;
}
