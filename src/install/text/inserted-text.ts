/** A piece of a text: where it starts and how long it is, in UTF-16 units. */
export type Span = readonly [start: number, length: number];

/** A text into which something was put, and which parts of it that is: without them it is what it was. */
export interface InsertedText {
  readonly text: string;
  /** In order, apart from each other. */
  readonly inserted: readonly Span[];
}

/** Puts a piece into the text. */
export function insertAt({ text, inserted }: InsertedText, at: number, piece: string): InsertedText {
  if (piece === '') return { text, inserted };
  const length = piece.length;
  const spans: Span[] = [];
  let isPlaced = false;
  for (const [start, size] of inserted) {
    if (start + size < at) spans.push([start, size]);
    else if (start <= at) {
      // In or at the edge of what was put there before: one piece.
      spans.push([start, size + length]);
      isPlaced = true;
    } else {
      if (!isPlaced) spans.push([at, length]);
      isPlaced = true;
      spans.push([start + length, size]);
    }
  }
  if (!isPlaced) spans.push([at, length]);
  return { text: text.slice(0, at) + piece + text.slice(at), inserted: joined(spans) };
}

/** The text as it was before anything was put into it. */
export function withoutInserted({ text, inserted }: InsertedText): string {
  let rest = '';
  let from = 0;
  for (const [start, length] of inserted) {
    rest += text.slice(from, start);
    from = start + length;
  }
  return rest + text.slice(from);
}

function joined(spans: readonly Span[]): Span[] {
  const result: Span[] = [];
  for (const span of spans) {
    const last = result.at(-1);
    if (last && last[0] + last[1] === span[0]) result[result.length - 1] = [last[0], last[1] + span[1]];
    else result.push(span);
  }
  return result;
}
