import { createHistoryFolder, generateSessions } from './generated-sessions.mjs';

const TOOLS = { shell: 'Shell', read: 'Read', edit: 'StrReplace' };

/**
 * Writes a home folder with transcripts of Cursor: prompts among injected text, calls without results, sub-agents, torn
 * last lines.
 * @param {import('./generated-sessions.mjs').HistoryOptions} options
 * @returns {{files: number, lines: number}}
 */
export function writeHistory({ folder, bytes, random, text }) {
  const home = createHistoryFolder(folder, bytes);
  for (const session of generateSessions({ folder, random, text })) {
    if (home.isFull()) break;
    const slug = session.cwd.replace(/[^A-Za-z0-9]+/g, '-').replace(/^-|-$/g, '');
    const place = `.cursor/projects/${slug}/agent-transcripts`;
    const path = random.chance(0.2) ? `${place}/${session.id}.jsonl` : `${place}/${session.id}/${session.id}.jsonl`;
    home.writeLines(path, session.turns.flatMap(turnLines), session.isTorn);
    if (!random.chance(0.1)) continue;
    const agent = session.turns.slice(0, 1).flatMap(turnLines);
    home.writeLines(`${place}/${session.id}/subagents/${random.hex(8)}.jsonl`, agent);
  }
  return home.totals();
}

function turnLines({ time, prompt, replies }) {
  const query = [
    `<timestamp>${timestamp(time)}</timestamp>`,
    '<open_and_recently_viewed_files>\nsrc/index.ts\n</open_and_recently_viewed_files>',
    `<user_query>\n${prompt}\n</user_query>`,
  ].join('\n');
  return [
    { role: 'user', message: { content: [{ type: 'text', text: query }] } },
    ...replies.map(({ text, calls }) => ({
      role: 'assistant',
      message: { content: [{ type: 'text', text: text || '[REDACTED]' }, ...calls.map(toolUse)] },
    })),
    { type: 'turn_ended', status: 'success' },
  ];
}

function toolUse({ kind, command, path, output }) {
  const input =
    kind === 'shell'
      ? { command, description: 'Run it' }
      : kind === 'read'
        ? { path }
        : { path, old_string: path, new_string: output };
  return { type: 'tool_use', name: TOOLS[kind], input };
}

const DATE = new Intl.DateTimeFormat('en-US', {
  weekday: 'long',
  month: 'short',
  day: 'numeric',
  year: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  timeZone: 'UTC',
});

/** For example `Friday, Oct 2, 2026, 4:05 PM (UTC+0)`. */
function timestamp(time) {
  return `${DATE.format(time)} (UTC+0)`;
}
