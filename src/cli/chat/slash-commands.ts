import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { formatRecap } from '../../ask/recap.ts';
import { parseRecapQuestion } from '../../ask/recap-question.ts';
import type { ChatService } from '../../chat/index.ts';
import type { Home, Project } from '../../project/index.ts';
import { YoreError } from '../../record/index.ts';
import { formatCount, formatNumber } from '../../text/format-count.ts';
import { createListOptions } from '../choose-project.ts';
import { relativeTime } from '../output/format.ts';
import type { Output } from '../output/output.ts';
import { sanitise, sanitiseLine } from '../output/sanitise.ts';
import { searchLines } from '../output/search-list.ts';
import { sessionLines } from '../output/session-list.ts';
import { formatStatus } from './status-text.ts';

/** What the commands of a chat work on. */
export interface SlashContext {
  readonly chat: ChatService;
  readonly home: Home;
  readonly project: Project;
  readonly output: Output;
  readonly now: () => number;
  /** The current folder, which paths are relative to. */
  readonly folder: string;
  /** Lets the user pick an earlier prompt, which is put into the input line. */
  readonly pickPrompt: (query: string) => Promise<void>;
  /** Sums up the calls of models. */
  readonly usage: () => string;
}

/** A command typed into a chat. */
export interface SlashCommand {
  readonly name: string;
  /** Placeholder of its argument, if it takes one. */
  readonly argument?: string;
  readonly summary: string;
  /** Returns the text to print. */
  readonly run: (context: SlashContext, argument: string) => string | Promise<string>;
}

const MAX_SESSIONS = 10;
const MAX_HITS = 8;
const MAX_HIT_LENGTH = 200;
const MAX_RECAP_LENGTH = 4000;

/** All slash commands in the order of `/help`. */
export const SLASH_COMMANDS: readonly SlashCommand[] = [
  { name: '/new', summary: 'start a new session', run: newSession },
  { name: '/load', argument: 'ID', summary: 'continue a session', run: load },
  { name: '/sessions', summary: 'list the latest sessions of this project', run: sessions },
  { name: '/search', argument: 'TEXT', summary: 'search the history', run: search },
  {
    name: '/recap',
    argument: 'WHEN',
    summary: 'recap what was done: today, yesterday, this week, last week',
    run: recap,
  },
  { name: '/files', summary: 'list the files that are sent to the model', run: files },
  { name: '/add', argument: 'PATH', summary: 'send a file with your next messages', run: add },
  { name: '/drop', argument: 'PATH', summary: 'stop sending a file', run: drop },
  { name: '/compact', summary: 'compact the history now', run: compact },
  { name: '/status', summary: 'show tokens, session, files, cache and cost', run: status },
  { name: '/prompt-history', argument: 'TEXT', summary: 'pick from earlier prompts', run: prompts },
  { name: '/help', summary: 'show this list', run: ({ output }) => formatHelp(output) },
];

/** Runs a line that begins with a slash and returns the text to print. Throws USAGE for an unknown command. */
export async function runSlashCommand(line: string, context: SlashContext): Promise<string> {
  const [name = ''] = line.trim().split(/\s+/, 1);
  const command = SLASH_COMMANDS.find((each) => each.name === name.toLowerCase());
  if (command === undefined) {
    throw new YoreError(
      'USAGE',
      `Unknown command ${name}. /help lists all commands. To send a message that begins with a slash, put a space before it.`,
    );
  }
  return await command.run(context, line.trim().slice(name.length).trim());
}

function newSession({ chat }: SlashContext): string {
  chat.newSession();
  return 'A new session starts with your next message.';
}

function load({ chat, home, now }: SlashContext, id: string): string {
  if (id === '') throw new YoreError('USAGE', '/load needs the id of a session. /sessions lists them.');
  const { title, messageCount, lastActivity, agent, forkedFrom } = chat.loadSession(home.findSession(id).sessionId);
  const messages = formatCount(messageCount, 'message');
  const what = forkedFrom === undefined ? messages : `a copy of ${messages} with ${sanitiseLine(agent ?? 'an agent')}`;
  return `Continuing with ${what} from ${relativeTime(lastActivity, now())}: ${sanitiseLine(title)}`;
}

function sessions({ home, project, output, now }: SlashContext): string {
  const { sessions: list, total } = home.listSessions({
    projects: [project.info.projectHash],
    limit: MAX_SESSIONS,
  });
  if (list.length === 0) return 'No sessions yet.';
  const lines = sessionLines(list, createListOptions(home, { output, now }));
  const more = total - list.length;
  const rest = more > 0 ? [output.style.dim(`${formatNumber(more)} more: yore sessions`)] : [];
  return [...lines, ...rest].join('\n');
}

async function search({ chat, home, output, now }: SlashContext, text: string): Promise<string> {
  if (text === '') throw new YoreError('USAGE', '/search needs something to search for.');
  const { result, turns } = await chat.search(text, { limit: MAX_HITS });
  const options = createListOptions(home, { output, now });
  const lines = [
    ...turns.map(({ role, content }) => `${role}: ${sanitiseLine(content).slice(0, MAX_HIT_LENGTH)}`),
    ...searchLines(result?.sessions ?? [], options),
  ];
  return lines.join('\n') || `No results for "${sanitiseLine(text)}".`;
}

function recap({ project, now }: SlashContext, when: string): string {
  const span = parseRecapQuestion(`what have we worked on ${when}`, now());
  if (span === undefined) {
    throw new YoreError(
      'USAGE',
      `"${when}" is not a time. Use today, yesterday, this week or last week, or leave it out.`,
    );
  }
  return sanitise(formatRecap(project.memory.recap(span), MAX_RECAP_LENGTH));
}

function files({ chat }: SlashContext): string {
  const list = chat.status().files;
  if (list.length === 0) return 'No files. /add PATH sends one with your next messages.';
  return list.map(({ path, tokens }) => `${sanitiseLine(path)}  ${formatNumber(tokens)} tokens`).join('\n');
}

function add({ chat, folder }: SlashContext, path: string): string {
  if (path === '') throw new YoreError('USAGE', '/add needs the path of a file.');
  // Relative to the current folder if the file exists there, otherwise to the project's top folder.
  const local = resolve(folder, path);
  return `${sanitiseLine(chat.addFile(existsSync(local) ? local : path))} is sent with your next messages.`;
}

function drop({ chat, folder }: SlashContext, path: string): string {
  if (path === '') throw new YoreError('USAGE', '/drop needs the path of a file. /files lists them.');
  if (!chat.dropFile(path) && !chat.dropFile(resolve(folder, path)))
    throw new YoreError('NOT_FOUND', `${path} is not among the files. /files lists them.`);
  return `${sanitiseLine(path)} is no longer sent.`;
}

async function compact({ chat }: SlashContext): Promise<string> {
  return (await chat.compact()) ? '' : 'There is nothing to compact.';
}

function status({ chat, usage }: SlashContext): string {
  return formatStatus(chat.status(), usage());
}

async function prompts({ pickPrompt }: SlashContext, text: string): Promise<string> {
  await pickPrompt(text);
  return '';
}

function formatHelp({ style }: Output): string {
  const titles = SLASH_COMMANDS.map(({ name, argument }) => (argument === undefined ? name : `${name} ${argument}`));
  const width = Math.max(...titles.map((title) => title.length));
  const keys = [
    'Enter sends · Alt-Enter, Ctrl-J or \\ at the end of a line starts a new line',
    'Tab accepts a suggestion · Up and Down step through earlier prompts',
    'Ctrl-C stops a reply, twice leaves · Ctrl-D leaves',
    'To attach an image, put its path into your message',
  ];
  return [
    ...SLASH_COMMANDS.map(({ summary }, index) => `${style.cyan((titles[index] ?? '').padEnd(width))}  ${summary}`),
    '',
    ...keys.map((line) => style.dim(line)),
  ].join('\n');
}
