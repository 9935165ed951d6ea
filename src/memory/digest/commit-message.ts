import type { Attempt } from '../../record/index.ts';
import { oneLine } from '../../text/one-line.ts';

const MESSAGE_CHARACTERS = 160;
/** What git answers: `[main 1a2b3c4] message`, `[main (root-commit) 1a2b3c4] message`. */
const ANSWER = /^\[[^\]\n]{1,200} [0-9a-f]{7,40}\] (.+)$/m;
/** `-m "$(cat <<'EOF'`, then the message. */
const HERE_DOCUMENT = /<<-?\s*['"]?(\w+)['"]?\s*\n\s*(\S.*)/;
const OPTION = /\s(?:-[a-zA-Z]*m|--message)(?:\s+|=)(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|(\S+))/;

/** First line of the message of a recorded commit; undefined when it is not known. */
export function commitMessage(attempt: Attempt): string | undefined {
  const answered = ANSWER.exec(attempt.result ?? '')?.[1];
  const command = attempt.command ?? '';
  const text = answered ?? HERE_DOCUMENT.exec(command)?.[2] ?? optionOf(command) ?? attempt.args?.message;
  if (typeof text !== 'string') return undefined;
  const message = oneLine(text.trim().split('\n', 1)[0] ?? '', MESSAGE_CHARACTERS);
  return message === '' ? undefined : message;
}

function optionOf(command: string): string | undefined {
  const match = OPTION.exec(command);
  return match?.[1]?.replace(/\\(["\\$`])/g, '$1') ?? match?.[2] ?? match?.[3];
}
