/** Markup beyond this is shown as it was written: nobody reads it, and parsing it would stop the page. */
const LONGEST_MARKDOWN = 20_000;
const LONGEST_LINE = 5_000;

/** May this text be read as Markdown, or is it too much of it? */
export function isReadable(text: string): boolean {
  if (text.length > LONGEST_MARKDOWN) return false;
  let lineStart = 0;
  while (text.length - lineStart > LONGEST_LINE) {
    const lineEnd = text.indexOf('\n', lineStart);
    if (lineEnd < 0 || lineEnd - lineStart > LONGEST_LINE) return false;
    lineStart = lineEnd + 1;
  }
  return true;
}

/** The pieces of a text that is still growing: all but the last stay as they are, so that they need to be drawn only once. */
export function growingBlocks(text: string): readonly string[] {
  const blocks: string[] = [];
  let block: string[] = [];
  let fence: string | undefined;
  for (const line of text.split('\n')) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence === undefined) fence = mark;
    else if (mark?.startsWith(fence) === true) fence = undefined;
    block.push(line);
    if (line.trim() !== '' || fence !== undefined) continue;
    blocks.push(block.join('\n'));
    block = [];
  }
  return [...blocks, block.join('\n')].filter((part) => part.trim() !== '');
}
