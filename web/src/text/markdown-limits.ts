/** Markup beyond this is shown as it was written: nobody reads it, and parsing it would stop the page. */
const LONGEST_MARKDOWN = 20_000;
const LONGEST_LINE = 5_000;
/** Marks of emphasis in one paragraph: the time that pairing them takes grows with more than their square. */
const MOST_MARKS = 400;
/** A line that begins with a quote in a list in a quote … so deep. */
const DEEP = /^(?:[ \t]*(?:>|[-+*][ \t]|\d{1,9}[.)][ \t])){8}/;
const FENCE = /^ {0,3}(?:`{3,}|~{3,})/;

/** May this text be read as Markdown, or is it too much of it? */
export function isReadable(text: string): boolean {
  if (text.length > LONGEST_MARKDOWN) return false;
  let lineStart = 0;
  while (text.length - lineStart > LONGEST_LINE) {
    const lineEnd = text.indexOf('\n', lineStart);
    if (lineEnd < 0 || lineEnd - lineStart > LONGEST_LINE) return false;
    lineStart = lineEnd + 1;
  }
  return isTame(text);
}

/** Is it what people write, and not made to keep a parser busy? Code may hold anything. */
function isTame(text: string): boolean {
  let marks = 0;
  let isCode = false;
  for (const line of text.split('\n')) {
    if (FENCE.test(line)) isCode = !isCode;
    if (isCode || line.trim() === '') marks = 0;
    else marks += line.match(/[*_~]/g)?.length ?? 0;
    if (marks > MOST_MARKS || (!isCode && DEEP.test(line))) return false;
  }
  return true;
}
