import type { GetPromptResult, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { YoreError } from '../record/index.ts';
import { oneLine } from '../text/one-line.ts';
import { FRAME_LENGTH, frameRecorded, quote, quoteCode } from '../text/recorded-text.ts';
import { type CallContext, type CallContexts, describeEmptyFolder, findCalledProject } from './call-context.ts';
import { briefingText } from './resources.ts';
import { fitLines, MAX_CHARACTERS } from './tool.ts';
import { findWarning, formatWarning } from './tools/check.ts';
import { recapText } from './tools/recap.ts';
import { formatHits } from './tools/search.ts';

const DEFAULT_DAYS = 7;
const MAX_DAYS = 90;
const MAX_HITS = 8;

const CATCH_UP = z.object({
  days: z.string().max(10).optional().describe(`Number of days with activity. Default ${DEFAULT_DAYS}.`),
});

const WHY = z.object({
  command: z.string().max(20_000).describe('The command that failed.'),
  error: z.string().max(20_000).optional().describe('Its error message.'),
});

/** Adds prompts for people to pick. They include the recorded facts, so that the agent needs no tool. */
export function registerPrompts(server: McpServer, contexts: CallContexts): void {
  server.registerPrompt(
    'catch-up',
    {
      title: 'Catch up',
      description: 'Where the work on this project stands: recent work, unfinished work, failures.',
      argsSchema: CATCH_UP,
    },
    async ({ days }, context) => contexts.run(context, (call) => toPrompt(createCatchUp(call, parseDays(days)))),
  );
  server.registerPrompt(
    'why-did-this-fail',
    {
      title: 'Why did this fail?',
      description: 'What is recorded about a command that failed: when it failed before, why, and what worked instead.',
      argsSchema: WHY,
    },
    async ({ command, error }, context) => contexts.run(context, (call) => toPrompt(createWhy(call, command, error))),
  );
}

function createCatchUp(call: CallContext, days: number): string {
  if (findCalledProject(call) === undefined) return describeEmptyFolder(call);
  return [
    'Where does the work on this project stand? Use these records to say in a few lines what was done recently, what is unfinished, and which failures are still open.',
    recapText(call, days),
    briefingText(call),
  ].join('\n\n');
}

function createWhy(call: CallContext, command: string, error = ''): string {
  if (command.trim() === '') throw new YoreError('USAGE', 'The command is empty. Pass the whole command line.');
  const hasError = error.trim() !== '';
  const message = hasError ? ` Its error message: ${quote(error, 500)}.` : '';
  const question = `The command ${quoteCode(command, 300)} failed.${message} Why, and what works instead?`;
  const project = findCalledProject(call);
  if (project === undefined) return `${question}\n\n${describeEmptyFolder(call)}`;
  const warning = findWarning(project, call, command);
  const projects = [project.info.projectHash];
  const queries = [command, ...(hasError ? [error] : [])];
  const found = formatHits(
    call,
    queries.map((text) => ({ text: oneLine(text, 300), projects, limit: MAX_HITS })),
  );
  const records =
    found.length === 0
      ? 'Nothing similar is recorded in this project.'
      : frameRecorded(fitLines(found, MAX_CHARACTERS - FRAME_LENGTH).join('\n'));
  return [question, ...(warning === undefined ? [] : [formatWarning(warning)]), records].join('\n\n');
}

function parseDays(days: string | undefined): number {
  if (days === undefined || days.trim() === '') return DEFAULT_DAYS;
  const number = Number(days);
  if (Number.isSafeInteger(number) && number >= 1 && number <= MAX_DAYS) return number;
  throw new YoreError('USAGE', `days "${oneLine(days, 20)}" is not an integer from 1 to ${MAX_DAYS}.`);
}

function toPrompt(text: string): GetPromptResult {
  return { messages: [{ role: 'user', content: { type: 'text', text } }] };
}
