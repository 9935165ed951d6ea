import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ChatService } from '../../chat/index.ts';
import { formatRecap, parseRecapQuestion } from '../../memory/index.ts';
import type { Home, Project } from '../../project/index.ts';
import { YoreError } from '../../record/index.ts';
import { projectNames } from '../choose-project.ts';
import { formatCount, pluralise, relativeTime } from '../output/format.ts';
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
  /** For how things look; its width is that of the terminal now. */
  readonly output: Output;
  readonly now: () => number;
  /** The folder the user is in: paths are meant from there. */
  readonly folder: string;
  /** Lets the user choose from earlier prompts; what is chosen is put into the input line. */
  readonly pickPrompt: (query: string) => Promise<void>;
  /** What calls of models came to, in words. */
  readonly spent: () => string;
}

/** A command that is typed into a chat. */
export interface SlashCommand {
  readonly name: string;
  /** What may follow the name. */
  readonly argument?: string;
  readonly summary: string;
  /** What is to be printed. */
  readonly run: (context: SlashContext, argument: string) => string | Promise<string>;
}

const SESSIONS_SHOWN = 10;
const HITS_SHOWN = 8;
const LONGEST_RECAP = 4000;

/** All of them, in the order of `/help`. */
export const SLASH_COMMANDS: readonly SlashCommand[] = [
  { name: '/new', summary: 'start a new session', run: newSession },
  { name: '/load', argument: 'ID', summary: 'go on with a session', run: load },
  { name: '/sessions', summary: 'the last sessions of this project', run: sessions },
  { name: '/search', argument: 'TEXT', summary: 'find in the history', run: search },
  {
    name: '/recap',
    argument: 'WHEN',
    summary: 'what have we worked on? (today, yesterday, this week)',
    run: recap,
  },
  { name: '/files', summary: 'the files that the model is sent', run: files },
  { name: '/add', argument: 'PATH', summary: 'send a file with your next messages', run: add },
  { name: '/drop', argument: 'PATH', summary: 'send it no longer', run: drop },
  { name: '/compact', summary: 'shorten the history now', run: compact },
  { name: '/status', summary: 'tokens, session, files, cache, cost', run: status },
  { name: '/prompts', argument: 'TEXT', summary: 'choose from earlier prompts', run: prompts },
  { name: '/help', summary: 'this list', run: ({ output }) => helpText(output) },
];

/** Runs a line that begins with a slash and returns what is to be printed. USAGE when there is no such command. */
export async function runSlashCommand(line: string, context: SlashContext): Promise<string> {
  const [name = ''] = line.trim().split(/\s+/, 1);
  const command = SLASH_COMMANDS.find((each) => each.name === name.toLowerCase());
  if (command === undefined) {
    throw new YoreError(
      'USAGE',
      `There is no command ${name}. /help lists them. A message may begin with a slash after a space.`,
    );
  }
  return await command.run(context, line.trim().slice(name.length).trim());
}

function newSession({ chat }: SlashContext): string {
  chat.newSession();
  return 'A new session begins with your next message.';
}

function load({ chat, home, now }: SlashContext, id: string): string {
  if (id === '') throw new YoreError('USAGE', '/load needs the id of a session. /sessions lists them.');
  const { sessionId } = home.findSession(id);
  const { preview, messageCount, lastActivity } = chat.loadSession(sessionId);
  const when = relativeTime(lastActivity, now());
  return `Going on with ${pluralise(messageCount, 'message')} from ${when}: ${sanitiseLine(preview)}`;
}

function sessions({ home, project, output, now }: SlashContext): string {
  const { sessions: list, total } = home.listSessions({
    projects: [project.info.projectHash],
    limit: SESSIONS_SHOWN,
  });
  if (list.length === 0) return 'No sessions yet.';
  const lines = sessionLines(list, { output, now: now(), projectName: projectNames(home) });
  const more = total - list.length;
  const rest = more > 0 ? [output.style.dim(`${formatCount(more)} more: yore sessions`)] : [];
  return [...lines, ...rest].join('\n');
}

function search({ chat, home, output, now }: SlashContext, text: string): string {
  if (text === '') throw new YoreError('USAGE', '/search needs something to look for.');
  const found = chat.search(text, { limit: HITS_SHOWN });
  if (found.source === 'history') {
    const options = { output, now: now(), projectName: projectNames(home) };
    return searchLines(found.result.sessions, options).join('\n');
  }
  if (found.turns.length === 0) return `Nothing here contains "${sanitiseLine(text)}".`;
  return found.turns.map(({ role, content }) => `${role}: ${sanitiseLine(content).slice(0, 200)}`).join('\n');
}

function recap({ project, now }: SlashContext, when: string): string {
  const span = parseRecapQuestion(`what have we worked on ${when}`, now());
  if (span === undefined) {
    throw new YoreError('USAGE', `When is "${when}"? Say today, yesterday, this week, last week or nothing.`);
  }
  return sanitise(formatRecap(project.memory.recap(span), LONGEST_RECAP));
}

function files({ chat }: SlashContext): string {
  const list = chat.status().files;
  if (list.length === 0) return 'No files. /add PATH sends one with your next messages.';
  return list.map(({ path, tokens }) => `${sanitiseLine(path)}  ${formatCount(tokens)} tokens`).join('\n');
}

function add({ chat, folder }: SlashContext, path: string): string {
  if (path === '') throw new YoreError('USAGE', '/add needs the path of a file.');
  return `${sanitiseLine(chat.addFile(pathFrom(folder, path)))} is sent with your next messages.`;
}

function drop({ chat, folder }: SlashContext, path: string): string {
  if (path === '') throw new YoreError('USAGE', '/drop needs the path of a file. /files lists them.');
  if (!chat.dropFile(path) && !chat.dropFile(resolve(folder, path)))
    throw new YoreError('NOT_FOUND', `${path} was not among the files. /files lists them.`);
  return `${sanitiseLine(path)} is sent no longer.`;
}

/** A path as the user means it: from the folder they are in, else from the top folder of the project. */
function pathFrom(folder: string, path: string): string {
  const full = resolve(folder, path);
  return existsSync(full) ? full : path;
}

async function compact({ chat }: SlashContext): Promise<string> {
  return (await chat.compact()) ? '' : 'There is nothing to shorten.';
}

function status({ chat, spent }: SlashContext): string {
  return formatStatus(chat.status(), spent()).join('\n');
}

async function prompts({ pickPrompt }: SlashContext, text: string): Promise<string> {
  await pickPrompt(text);
  return '';
}

function helpText({ style }: Output): string {
  const titles = SLASH_COMMANDS.map(({ name, argument }) =>
    argument === undefined ? name : `${name} ${argument}`,
  );
  const width = Math.max(...titles.map((title) => title.length));
  const keys = [
    'Enter sends · Alt-Enter, Ctrl-J or a \\ at the end of a line goes on in the next',
    'Tab takes a suggestion · Up and Down walk through earlier prompts',
    'Ctrl-C stops a reply, twice leaves · Ctrl-D leaves',
    'The path of a picture in a message attaches it',
  ];
  return [
    ...SLASH_COMMANDS.map(
      ({ summary }, index) => `${style.cyan((titles[index] ?? '').padEnd(width))}  ${summary}`,
    ),
    '',
    ...keys.map((line) => style.dim(line)),
  ].join('\n');
}
