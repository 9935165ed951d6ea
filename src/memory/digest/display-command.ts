import { oneLine } from '../../text/one-line.ts';

const COMMAND_CHARACTERS = 200;
/** Beginnings that only say where or how long a command runs. */
const LEADING = /^(?:cd\s+(?:"[^"]*"|'[^']*'|[^\s;&|]+)\s*(?:&&|;)\s*|timeout\s+(?:-\S+\s+)*\d+[smh]?\s+)/;
/** Endings that only say how much of the output is shown. */
const TRAILING = /\s*(?:\|\s*(?:head|tail)(?:\s+-\S+(?:\s+\d+)?)*|2>\s*&1|[12]?>\s*\/dev\/null)\s*$/;

/** A recorded command as a person would type it in the project: without what changes only place or output. */
export function displayCommand(command: string): string {
  let text = command.slice(0, 4 * COMMAND_CHARACTERS).trim();
  for (let match = LEADING.exec(text); match && match[0].length < text.length; match = LEADING.exec(text)) {
    text = text.slice(match[0].length);
  }
  text = withoutOutputLimits(text);
  const [first = '', ...more] = text.split('\n');
  return oneLine(more.length > 0 && first.trim() !== '' ? `${first} …` : text, COMMAND_CHARACTERS);
}

/** A command without the endings that only say how much of its output is shown. */
export function withoutOutputLimits(command: string): string {
  let text = command;
  for (let match = TRAILING.exec(text); match && match.index > 0; match = TRAILING.exec(text)) {
    text = text.slice(0, match.index);
  }
  return text;
}
