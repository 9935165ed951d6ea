import type { GetPromptResult, InputRequiredResult, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { YoreError } from '../record/index.ts';
import { oneLine } from '../text/one-line.ts';
import { MOST_CHARACTERS } from './answer.ts';
import { type CallPlace, type CallPlaces, nothingRecorded, projectOf } from './call-place.ts';
import { fitLines, QUOTED } from './quoted-text.ts';
import { briefingText } from './resources.ts';
import { commandWarning, textOf } from './tools/check.ts';
import { shortRecap } from './tools/recap.ts';
import { hitLines } from './tools/search.ts';

const DEFAULT_DAYS = 7;
const MOST_DAYS = 90;
const MOST_HITS = 8;

const CATCH_UP = z.object({
  days: z.string().max(10).optional().describe(`So many days with activity. Default ${DEFAULT_DAYS}.`),
});

const WHY = z.object({
  command: z.string().max(20_000).describe('The command that failed.'),
  error: z.string().max(20_000).optional().describe('What it said.'),
});

/** Adds prompts that a person picks. They bring the recorded facts along, so that they need no tool. */
export function registerPrompts(server: McpServer, places: CallPlaces): void {
  server.registerPrompt(
    'catch-up',
    {
      title: 'Catch up',
      description:
        'Where the work on this project stands: what was done lately, what is unfinished, what failed.',
      argsSchema: CATCH_UP,
    },
    async ({ days }, context) => places.use(context, (place) => asked(catchUp(place, dayCount(days)))),
  );
  server.registerPrompt(
    'why-did-this-fail',
    {
      title: 'Why did this fail?',
      description:
        'What is recorded of a command that failed: when it failed before, why, and what worked instead.',
      argsSchema: WHY,
    },
    async ({ command, error }, context): Promise<GetPromptResult | InputRequiredResult> =>
      places.use(context, (place) => asked(whyFailed(place, command, error))),
  );
}

function catchUp(place: CallPlace, days: number): string {
  if (projectOf(place) === undefined) return nothingRecorded(place);
  return [
    'Where does the work on this project stand? Say in a few lines what was done lately, what is unfinished and which failures are still open, from these records.',
    shortRecap(place, days),
    briefingText(place),
  ].join('\n\n');
}

function whyFailed(place: CallPlace, command: string, error: string | undefined): string {
  if (command.trim() === '')
    throw new YoreError('USAGE', 'The command is empty. Give the whole command line.');
  const said = error === undefined || error.trim() === '' ? '' : ` It said: "${oneLine(error, 500)}".`;
  const question = `The command \`${oneLine(command, 300)}\` failed.${said} Why, and what works instead?`;
  const project = projectOf(place);
  if (project === undefined) return `${question}\n\n${nothingRecorded(place)}`;
  const warning = commandWarning(project, place, command);
  const found = [
    ...hitLines(place, {
      text: oneLine(command, 300),
      projects: [project.info.projectHash],
      limit: MOST_HITS,
    }),
    ...(said === ''
      ? []
      : hitLines(place, {
          text: oneLine(error ?? '', 300),
          projects: [project.info.projectHash],
          limit: MOST_HITS,
        })),
  ];
  const records =
    found.length === 0
      ? 'Nothing like it is recorded in this project.'
      : fitLines([QUOTED, ...new Set(found)], MOST_CHARACTERS).join('\n');
  return [question, ...(warning === undefined ? [] : [textOf(warning)]), records].join('\n\n');
}

function dayCount(days: string | undefined): number {
  if (days === undefined || days.trim() === '') return DEFAULT_DAYS;
  const number = Number(days);
  if (Number.isSafeInteger(number) && number >= 1 && number <= MOST_DAYS) return number;
  throw new YoreError('USAGE', `days "${oneLine(days, 20)}" is not a whole number from 1 to ${MOST_DAYS}.`);
}

function asked(text: string): GetPromptResult {
  return { messages: [{ role: 'user', content: { type: 'text', text } }] };
}
