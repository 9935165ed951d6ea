const TELLING =
  /error|fail|not found|no such|cannot|can't|denied|undefined|unknown|invalid|missing|fatal|panic|exception|unable|expected|unsupported/i;
const HOLLOW = /task failed|exited with code|^exit status|^FAIL\b|\bfailed:?$|^(ok|PASS)\b/;
const MIN_ERROR_LENGTH = 12;

/**
 * The items that a summary of `steps` should keep: commands that worked, edited paths and solved error lines that occur
 * verbatim in the rest of the session.
 * @param {import('./replayed-sessions.mjs').Step[]} steps the removed part of the session
 * @param {string} later the text of the rest of the session
 * @returns {{kind: 'command' | 'path' | 'error', text: string}[]}
 */
export function itemsThatRecur(steps, later) {
  const items = new Map();
  for (const item of allItems(steps)) items.set(`${item.kind} ${item.text}`, item);
  return [...items.values()].filter(({ text }) => occursIn(text, later));
}

/** Whether `whole` contains `text` as a whole word. */
export function occursIn(text, whole) {
  for (let at = whole.indexOf(text); at >= 0; at = whole.indexOf(text, at + 1)) {
    if (!isWord(whole[at - 1], text[0]) && !isWord(whole[at + text.length], text.at(-1))) return true;
  }
  return false;
}

function isWord(outside, inside) {
  return /[\w-]/.test(outside ?? '') && /[\w-]/.test(inside);
}

function* allItems(steps) {
  for (const [index, step] of steps.entries()) {
    if (step.kind === 'command' && step.worked && step.text) yield { kind: 'command', text: step.text };
    if (step.kind === 'edit' && step.worked) for (const text of step.paths) yield { kind: 'path', text };
    if (step.kind !== 'command' || !step.failed) continue;
    const line = errorLine(step.output);
    const solved = steps
      .slice(index + 1)
      .some((next) => next.kind === 'command' && next.worked && sameTask(next.text, step.text));
    if (solved && line.length >= MIN_ERROR_LENGTH) yield { kind: 'error', text: line };
  }
}

/** The command without a change of folder and without redirections. */
function sameTask(one, other) {
  return bare(one) === bare(other);
}

function bare(command) {
  return command
    .replace(/^cd\s+\S+\s*(?:&&|;)\s*/, '')
    .replace(/\s*(?:\d?>&\d|\|\s*(?:tail|head)\b[^|&;]*)/g, '')
    .trim();
}

function errorLine(output) {
  const lines = output
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
  return (
    lines.find((line) => TELLING.test(line) && !HOLLOW.test(line)) ??
    lines.find((line) => TELLING.test(line)) ??
    ''
  );
}
