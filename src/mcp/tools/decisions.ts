import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { formatConclusion } from '../../ask/conclusion-lines.ts';
import type { Conclusion } from '../../ask/conclusions.ts';
import { omitUndefined } from '../../record/index.ts';
import { oneLine } from '../../text/one-line.ts';
import { FRAME_LENGTH, frameRecorded, quote, quoteId } from '../../text/recorded-text.ts';
import {
  type CallContext,
  type CallContexts,
  describeEmptyFolder,
  displayNameOf,
  findCalledProject,
} from '../call-context.ts';
import { fitLines, MAX_CHARACTERS, optionalLine, PROJECT, registerTool, type ToolResult } from '../tool.ts';

const INPUT = z.strictObject({
  about: z
    .string()
    .max(1000)
    .optional()
    .describe('What they are about, such as "why do we keep traces in SQLite?". Default: all.'),
  limit: z.int().min(1).max(50).default(10).describe('Maximum number of decisions and corrections.'),
  project: PROJECT,
});

const OUTPUT = z.object({
  project: z.string().optional(),
  decisions: z
    .array(
      z.object({
        decision: z.string().describe('Id, for `yore decisions`.'),
        kind: z
          .enum(['decision', 'correction'])
          .describe('`decision`: what was chosen. `correction`: what the user told an agent to do otherwise.'),
        text: z.string(),
        quote: z.string().describe('The words that it rests on.'),
        at: z.string().describe('ISO 8601, UTC.'),
        session: z.string().describe('Id, for the tool `session`.'),
        entry: z.string().describe('Id of the message or attempt, for the tool `session`.'),
        was: z.string().optional().describe('What it replaced.'),
      }),
    )
    .describe('Those that hold, the latest or the best match first.'),
  total: z.number().describe('How many there are, before the limit.'),
  hint: z.string().optional(),
});

type Output = z.infer<typeof OUTPUT>;

/** Adds `decisions`, which lists what was decided and corrected. */
export function registerDecisions(server: McpServer, contexts: CallContexts): void {
  registerTool(server, contexts, {
    name: 'decisions',
    title: 'What did we decide?',
    description:
      'Lists what the user decided in this project and told agents to do otherwise, as far as it still holds, with the words that it rests on. Answers "what did we decide about …?" and "why do we …?". Ask before choosing a library, a format, a name or a structure.',
    input: INPUT,
    output: OUTPUT,
    run: listDecisions,
  });
}

function listDecisions(
  { about = '', limit, project: name }: z.infer<typeof INPUT>,
  context: CallContext,
): ToolResult<Output> {
  const project = findCalledProject(context, name);
  if (project === undefined) return nothing(describeEmptyFolder(context));
  const displayName = displayNameOf(project);
  const found = about === '' ? project.memory.conclusions() : project.memory.conclusionsAbout(about);
  if (found.length === 0) {
    const which = about === '' ? 'No decisions or corrections are' : `Nothing that was decided about this is`;
    return nothing(
      `${which} recorded for ${quoteId(displayName, 80)}. The tool search finds what was said.`,
      displayName,
    );
  }
  const shown = found.slice(0, limit);
  const lines = shown.flatMap((conclusion) => [
    `- ${formatConclusion(conclusion)}; session ${quoteId(conclusion.sessionId)}, id ${quoteId(conclusion.recordId)}`,
    ...conclusion.replaced.slice(0, 1).map(({ text, at }) => `  was: ${quote(text, 160)} (${at.slice(0, 10)})`),
  ]);
  return {
    text: frameRecorded(fitLines(lines, MAX_CHARACTERS - FRAME_LENGTH).join('\n')),
    data: { project: displayName, decisions: shown.map(toData), total: found.length },
  };
}

function toData({
  id,
  kind,
  text,
  quote: said,
  at,
  sessionId,
  recordId,
  replaced,
}: Conclusion): Output['decisions'][number] {
  return {
    decision: id,
    kind,
    text: oneLine(text, 160),
    quote: oneLine(said, 400),
    at,
    session: oneLine(sessionId, 200),
    entry: oneLine(recordId, 200),
    ...omitUndefined({ was: optionalLine(replaced[0]?.text, 160) }),
  };
}

function nothing(hint: string, project?: string): ToolResult<Output> {
  return { text: hint, data: { decisions: [], total: 0, hint, ...omitUndefined({ project }) } };
}
