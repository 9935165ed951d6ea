/** A text without certain elements, and what was in those. */
export interface ExtractedElements {
  readonly rest: string;
  readonly elements: readonly { readonly name: string; readonly content: string }[];
}

const NAME = /<([A-Za-z][\w-]*)(?=[\s>])[^<>]*>/g;

/**
 * Takes elements (`<name>…</name>`) out of a text, wherever they are. One that is not closed is left. In linear time,
 * whatever the text.
 */
export function extractElements(text: string, names: ReadonlySet<string>): ExtractedElements {
  if (!text.includes('</')) return { rest: text, elements: [] };
  const elements: { readonly name: string; readonly content: string }[] = [];
  const unclosed = new Set<string>();
  let rest = '';
  let from = 0;
  NAME.lastIndex = 0;
  for (let found = NAME.exec(text); found; found = NAME.exec(text)) {
    const name = found[1] ?? '';
    if (!names.has(name) || unclosed.has(name)) continue;
    const start = NAME.lastIndex;
    const close = text.indexOf(`</${name}>`, start);
    if (close < 0) {
      unclosed.add(name);
      continue;
    }
    rest += text.slice(from, found.index);
    elements.push({ name, content: text.slice(start, close) });
    from = close + name.length + 3;
    NAME.lastIndex = from;
  }
  return { rest: rest + text.slice(from), elements };
}
