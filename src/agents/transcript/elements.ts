/** A text without certain elements, and the content of those. */
export interface ExtractedElements {
  readonly rest: string;
  readonly elements: readonly { readonly name: string; readonly content: string }[];
}

const OPENING_TAG = /<([A-Za-z][\w-]*)(?=[\s>])[^<>]*>/g;

/** Extracts elements (`<name>…</name>`) from a text. An unclosed one stays. Runs in linear time for any text. */
export function extractElements(text: string, names: ReadonlySet<string>): ExtractedElements {
  if (!text.includes('</')) return { rest: text, elements: [] };
  const elements: { readonly name: string; readonly content: string }[] = [];
  const unclosed = new Set<string>();
  let rest = '';
  let from = 0;
  OPENING_TAG.lastIndex = 0;
  for (let found = OPENING_TAG.exec(text); found; found = OPENING_TAG.exec(text)) {
    const name = found[1] ?? '';
    if (!names.has(name) || unclosed.has(name)) continue;
    const start = OPENING_TAG.lastIndex;
    const close = text.indexOf(`</${name}>`, start);
    if (close < 0) {
      unclosed.add(name);
      continue;
    }
    rest += text.slice(from, found.index);
    elements.push({ name, content: text.slice(start, close) });
    from = close + name.length + 3;
    OPENING_TAG.lastIndex = from;
  }
  return { rest: rest + text.slice(from), elements };
}
