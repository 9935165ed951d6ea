import {
  type InputRequiredResult,
  type McpServer,
  type ReadResourceResult,
  type Resource,
  ResourceNotFoundError,
  ResourceTemplate,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Knowledge } from '../ask/knowledge.ts';
import type { Project } from '../project/index.ts';
import type { ProjectKnowledge } from '../project/project-memory.ts';
import { YoreError } from '../record/index.ts';
import type { ProjectStack } from '../stack/project-stack.ts';
import { oneLine } from '../text/one-line.ts';
import { FRAME_LENGTH, frameRecorded, quote, quoteCode, quoteId } from '../text/recorded-text.ts';
import {
  type CallContext,
  type CallContexts,
  describeEmptyFolder,
  displayNameOf,
  findCalledProject,
} from './call-context.ts';
import { fitLines, formatMinute, MAX_CHARACTERS } from './tool.ts';
import { formatSessionPage } from './tools/session.ts';

const MAX_LISTED_SESSIONS = 10;
const MARKDOWN = 'text/markdown';
const TURNED_OFF = 'Knowledge and briefings are turned off by the setting retrieval.enabled.';

/** Adds what can be read without a tool: the briefing, the knowledge and the sessions of the project. */
export function registerResources(server: McpServer, contexts: CallContexts): void {
  const reader =
    (format: (call: CallContext) => string) =>
    async (uri: URL, context: ServerContext): Promise<ReadResourceResult | InputRequiredResult> =>
      contexts.run(context, (call) => toResult(uri, MARKDOWN, format(call)));

  server.registerResource(
    'briefing',
    'yore://briefing',
    {
      title: 'Briefing',
      description:
        'What an agent should know at the start of a session: known failures, what works, and where the last session ended.',
      mimeType: MARKDOWN,
    },
    reader(briefingText),
  );
  server.registerResource(
    'knowledge',
    'yore://knowledge',
    {
      title: 'Knowledge',
      description:
        'What was learned from the sessions of this project: what to avoid, what works, commands, recurring tasks.',
      mimeType: MARKDOWN,
    },
    reader(readKnowledge),
  );
  server.registerResource(
    'session',
    new ResourceTemplate('yore://session/{id}', {
      list: async (context) => ({ resources: await contexts.runWithoutAsking(context, listSessions) }),
      complete: { id: (value) => contexts.completeSession(value) },
    }),
    { title: 'Session', description: 'The first page of a recorded session.', mimeType: 'text/plain' },
    async (uri, { id }, context) => contexts.run(context, (call) => readPage(uri, call, id, '1')),
  );
  server.registerResource(
    'session-page',
    new ResourceTemplate('yore://session/{id}/{page}', { list: undefined }),
    {
      title: 'Page of a session',
      description: 'Any page of a recorded session, starting at 1.',
      mimeType: 'text/plain',
    },
    async (uri, { id, page }, context) => contexts.run(context, (call) => readPage(uri, call, id, page)),
  );
}

/** The briefing of the current project, up to date. */
export function briefingText(call: CallContext): string {
  const project = findCalledProject(call);
  if (project === undefined) return describeEmptyFolder(call);
  if (!project.config.get('retrieval.enabled')) return TURNED_OFF;
  const { text } = project.memory.briefing();
  return text === '' ? nothingKnown(project) : frameRecorded(text);
}

function readKnowledge(call: CallContext): string {
  const project = findCalledProject(call);
  if (project === undefined) return describeEmptyFolder(call);
  if (!project.config.get('retrieval.enabled')) return TURNED_OFF;
  const text = formatKnowledge(displayNameOf(project), project.memory.knowledge(), MAX_CHARACTERS - FRAME_LENGTH);
  return text === '' ? nothingKnown(project) : frameRecorded(text);
}

function nothingKnown(project: Project): string {
  return `Nothing is known about ${quoteId(displayNameOf(project), 80)} yet.`;
}

function listSessions(call: CallContext): Resource[] {
  const project = findCalledProject(call);
  if (project === undefined) return [];
  const filter = { projects: [project.info.projectHash], limit: MAX_LISTED_SESSIONS };
  return call.home.listSessions(filter).sessions.map(({ sessionId, title, agent, lastActivity }) => ({
    uri: `yore://session/${encodeURIComponent(sessionId)}`,
    name: oneLine(sessionId, 200),
    title: `Recorded session ${quote(title, 100)}`,
    description: [...(agent === undefined ? [] : [quoteId(agent, 40)]), formatMinute(lastActivity)].join(', '),
    mimeType: 'text/plain',
  }));
}

function readPage(
  uri: URL,
  call: CallContext,
  id: string | string[] | undefined,
  page: string | string[] | undefined,
): ReadResourceResult {
  const number = Number(page);
  if (typeof id !== 'string' || !Number.isSafeInteger(number) || number < 1) throw new ResourceNotFoundError(uri.href);
  try {
    return toResult(uri, 'text/plain', formatSessionPage(call, decode(id), number));
  } catch (error) {
    if (error instanceof YoreError && error.code === 'NOT_FOUND') {
      throw new ResourceNotFoundError(uri.href, oneLine(error.message, 500));
    }
    throw error;
  }
}

function toResult(uri: URL, mimeType: string, text: string): ReadResourceResult {
  return { contents: [{ uri: uri.href, mimeType, text }] };
}

function decode(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

/** The knowledge about a project as Markdown of at most `limit` characters. Empty when there is none. */
function formatKnowledge(name: string, { knowledge, stack }: ProjectKnowledge, limit: number): string {
  const sections: readonly (readonly [string, readonly string[]])[] = [
    ['What to avoid', knowledge.antiPatterns.map(antiPatternLine)],
    ['What works', knowledge.bestPractices.map(practiceLine)],
    ['Commands', commandLines(stack)],
    ['Usual workflow', knowledge.workflow.map(workflowLine)],
    ['Recurring tasks', knowledge.recurringTasks.map(taskLine)],
    ['Tech stack', stackLines(stack)],
  ];
  const known = sections.filter(([, lines]) => lines.length > 0);
  if (known.length === 0) return '';
  const summary = oneLine(knowledge.summary, 400);
  return fitLines(
    [
      `# ${quote(name, 80)}`,
      ...(summary === '' ? [] : [quote(summary, 400)]),
      ...known.flatMap(([title, lines]) => ['', `## ${title}`, ...lines]),
    ],
    limit,
  ).join('\n');
}

function antiPatternLine(failure: Knowledge['antiPatterns'][number]): string {
  const { pattern, reason, occurredAt, count, fix, evidence } = failure;
  const why = reason === '' || reason === pattern ? '' : `: ${quote(reason, 160)}`;
  if (evidence !== undefined) return `- ${quote(pattern, 160)}${why} (${oneLine(evidence, 80)})`;
  const often = count > 1 ? `${count} times, last ` : '';
  const instead = fix === undefined ? '' : `; worked instead: ${quoteCode(fix, 160)}`;
  return `- ${quoteCode(pattern, 160)}${why} (${often}${occurredAt.slice(0, 10)})${instead}`;
}

function practiceLine({ pattern, reason, evidence }: Knowledge['bestPractices'][number]): string {
  const notes = [...(reason === '' || reason === pattern ? [] : [quote(reason, 160)]), oneLine(evidence, 80)];
  return `- ${quote(pattern, 160)} (${notes.join('; ')})`;
}

function commandLines({ commands, beforeCommit }: ProjectStack): readonly string[] {
  const pairs: readonly (readonly [string, string | undefined])[] = [
    ['package manager', commands.packageManager],
    ['test', commands.testCommand],
    ['build', commands.buildCommand],
    ['lint', commands.lintCommand],
    ['format', commands.formatCommand],
    ['type check', commands.typecheckCommand],
    ['run', commands.runCommand],
    ['before committing', beforeCommit.join(', ') || undefined],
  ];
  return pairs.flatMap(([what, command]) => (command === undefined ? [] : [`- ${what}: ${quoteCode(command, 160)}`]));
}

function workflowLine({ check, command, before, count, total }: Knowledge['workflow'][number]): string {
  return `- ${oneLine(check, 40)} (${quoteCode(command, 160)}) before ${oneLine(before, 40)}: ${count} of ${total} times`;
}

function taskLine({ name, sessions, lastAt }: Knowledge['recurringTasks'][number]): string {
  return `- ${quote(name, 80)}: ${sessions} sessions, last ${lastAt.slice(0, 10)}`;
}

function stackLines({ techStack }: ProjectStack): readonly string[] {
  const { languages, frameworks, tools } = techStack;
  return [...languages, ...frameworks, ...tools].slice(0, 20).map((name) => `- ${quote(name, 60)}`);
}
