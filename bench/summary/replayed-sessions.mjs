import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

const SHELL = /^(bash|shell|exec_command|shell_command|local_shell|run_shell_command|run_in_terminal)$/i;
const EDIT = /^(edit|multiedit|write|create|write_file|str_replace|notebookedit)$/i;
const PATCHED = /^\*\*\* (?:Add|Update|Delete) File: (.+)$/gm;
const WORKED = new Set(['ok', 'nomatch']);

/**
 * @typedef {object} Step a prompt or a tool call of a session
 * @property {'prompt' | 'command' | 'edit' | 'tool'} kind
 * @property {string} text the prompt, the command or, for other tools, the string arguments
 * @property {string} [tool]
 * @property {Record<string, unknown>} [input] as the agent wrote it
 * @property {string[]} [paths] files that were edited, as the agent wrote them
 * @property {boolean} [worked]
 * @property {boolean} [failed]
 * @property {string} [output]
 */

/**
 * Reads the recorded sessions of a folder, by corpus. Leaves out calls without an outcome.
 * @param {string} folder
 * @returns {{name: string, sessions: Step[][]}[]}
 */
export function readSessions(folder) {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl.gz'))
    .map((name) => ({ name: name.replace('.jsonl.gz', ''), sessions: read(join(folder, name)) }));
}

function read(path) {
  const events = gunzipSync(readFileSync(path))
    .toString()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  const outcomes = new Map(events.filter(({ type }) => type === 'outcome').map((event) => [event.id, event]));
  /** @type {Map<string, Step[]>} */
  const sessions = new Map();
  for (const event of events) {
    const step =
      event.type === 'prompt'
        ? toPrompt(event)
        : event.type === 'call'
          ? toStep(event, outcomes.get(event.id))
          : undefined;
    if (step === undefined) continue;
    const session = String(event.session);
    if (!sessions.has(session)) sessions.set(session, []);
    sessions.get(session)?.push(step);
  }
  return [...sessions.values()];
}

function toPrompt({ text }) {
  return text ? { kind: 'prompt', text } : undefined;
}

function toStep({ tool, input }, outcome) {
  if (outcome === undefined) return undefined;
  const { status, output } = outcome;
  const ended = {
    ...{ tool: String(tool), input: input ?? {}, output: String(output ?? '').trimEnd() },
    ...{ worked: WORKED.has(status), failed: status === 'error' || status === 'invalid' },
  };
  if (SHELL.test(ended.tool)) {
    const command = input?.command ?? input?.cmd ?? '';
    return {
      kind: 'command',
      text: String(Array.isArray(command) ? command.at(-1) : command).trim(),
      ...ended,
    };
  }
  const paths = editedPaths(ended);
  if (paths.length > 0) return { kind: 'edit', text: paths.join(' '), paths, ...ended };
  return {
    kind: 'tool',
    text: Object.values(ended.input)
      .filter((value) => typeof value === 'string')
      .join(' '),
    ...ended,
  };
}

function editedPaths({ tool, input }) {
  if (/patch/i.test(tool))
    return [...String(input.input ?? input.patch ?? '').matchAll(PATCHED)].map(([, path]) => path.trim());
  const path = input.file_path ?? input.path ?? input.notebook_path;
  return EDIT.test(tool) && typeof path === 'string' ? [path] : [];
}
