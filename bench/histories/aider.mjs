import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { generateSessions } from './generated-sessions.mjs';

/**
 * Writes projects with a chat history of aider in each: consecutive chats with commands, edits, commits and linter
 * errors. A torn session ends in the middle of a line. The format has no images.
 * @param {import('./generated-sessions.mjs').HistoryOptions} options
 * @returns {{files: number, lines: number}}
 */
export function writeHistory({ folder, bytes, random, text }) {
  const paths = new Set();
  let lines = 0;
  let written = 0;
  for (const session of generateSessions({ folder, random, text })) {
    if (written >= bytes) break;
    const path = join(folder, 'code', session.project, '.aider.chat.history.md');
    if (!paths.has(path)) mkdirSync(join(folder, 'code', session.project, '.git'), { recursive: true });
    const chat = chatText(session, random);
    const content = session.isTorn ? chat.slice(0, -15) : chat;
    appendFileSync(path, content);
    paths.add(path);
    lines += content.split('\n').length - 1;
    written += Buffer.byteLength(content);
  }
  return { files: paths.size, lines };
}

function chatText(session, random) {
  const start = new Date(session.time).toISOString().slice(0, 19).replace('T', ' ');
  const parts = [
    `\n# aider chat started at ${start}\n\n`,
    notice(`Aider v0.86.1\nMain model: kimi-k3 with diff edit format\nGit repo: .git with 120 files`),
  ];
  for (const { prompt, replies } of session.turns) {
    parts.push(typed(prompt));
    for (const { text, calls, tokens } of replies) {
      if (text) parts.push(`\n${text.trim()}\n\n`);
      const { input, output, cached } = tokens;
      parts.push(notice(`Tokens: ${input} sent, ${cached} cache hit, ${output} received. Cost: $0.01 message.`));
      for (const call of calls) parts.push(callText(call, random));
    }
  }
  return parts.join('');
}

function callText({ kind, command, path, output, exitCode }, random) {
  if (kind === 'shell' && exitCode !== 0 && random.chance(0.4)) {
    const asked = 'Attempt to fix lint errors? (Y)es/(N)o [Yes]: y';
    return notice(`# Fix any errors below, if possible.\n## Running: ${command}\n${output}\n${asked}`);
  }
  if (kind === 'shell') {
    const added = `Added ${output.split('\n').length} lines of output to the chat.`;
    return typed(`/test ${command}`) + (exitCode === 0 ? '' : notice(added));
  }
  if (kind === 'edit' && exitCode !== 0) {
    const missed = '## SearchReplaceNoExactMatch: This SEARCH block failed to exactly match lines in';
    return notice(`The LLM did not conform to the edit format.\n${missed} ${path}\n${output}`);
  }
  if (kind === 'edit') return notice(`Applied edit to ${path}\nCommit ${random.hex(7)} fix: Change ${path}`);
  return notice(`Added ${path} to the chat`);
}

function typed(text) {
  return `\n#### ${text.split('\n').join('  \n#### ')}  \n`;
}

function notice(text) {
  return text
    .split('\n')
    .map((line) => `> ${line.trim()}  \n`)
    .join('');
}
