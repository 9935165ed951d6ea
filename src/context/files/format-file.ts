const SHORTEST_FENCE = 3;
const CONTROL_CHARACTERS = /[\u0000-\u001f\u007f\u0085\u2028\u2029]/g;

/**
 * A file as a model reads it: a line with its path, then its content between fences. The fence is longer than any run of
 * backticks inside, so that nothing in a file can end it. The same path and content always give the same text.
 */
export function formatFile(path: string, content: string): string {
  const fence = '`'.repeat(Math.max(SHORTEST_FENCE, longestRunOfBackticks(content) + 1));
  const lastNewline = content === '' || content.endsWith('\n') ? '' : '\n';
  return `${onOneLine(path)}\n${fence}\n${content}${lastNewline}${fence}`;
}

function longestRunOfBackticks(text: string): number {
  let longest = 0;
  for (let start = text.indexOf('`'); start !== -1; start = text.indexOf('`', start)) {
    const first = start;
    while (text[start] === '`') start++;
    longest = Math.max(longest, start - first);
  }
  return longest;
}

function onOneLine(path: string): string {
  return path.replace(CONTROL_CHARACTERS, (character) => encodeURIComponent(character));
}
