const MIN_FENCE_LENGTH = 3;
const CONTROL_CHARACTERS = /[\u0000-\u001f\u007f\u0085\u2028\u2029]/g;

/**
 * Formats a file for a prompt: a line with its path, then its content in a fence. The fence is longer than any run of
 * backticks in the content, so that nothing in a file can close it. Deterministic.
 */
export function formatFile(path: string, content: string): string {
  const fence = '`'.repeat(Math.max(MIN_FENCE_LENGTH, longestRunOfBackticks(content) + 1));
  const lastNewline = content === '' || content.endsWith('\n') ? '' : '\n';
  return `${escapeControls(path)}\n${fence}\n${content}${lastNewline}${fence}`;
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

function escapeControls(path: string): string {
  return path.replace(CONTROL_CHARACTERS, (character) => encodeURIComponent(character));
}
