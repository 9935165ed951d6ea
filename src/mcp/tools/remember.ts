import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { parseNote } from '../../project/user-input.ts';
import { YoreError } from '../../record/index.ts';
import { redact } from '../../redact/index.ts';
import { oneLine } from '../../text/one-line.ts';
import { quote, quoteId } from '../../text/recorded-text.ts';
import { type CallContext, type CallContexts, displayNameOf, findCalledProject } from '../call-context.ts';
import { PROJECT, registerTool, type ToolResult } from '../tool.ts';

const INPUT = z.strictObject({
  text: z
    .string()
    .max(10_000)
    .describe('One sentence of at most 160 characters, such as "Run migrations with make migrate".'),
  kind: z
    .enum(['fact', 'avoid'])
    .default('fact')
    .describe('`fact`: something that is true or works here. `avoid`: something not to do.'),
  tags: z.array(z.string().max(40)).max(8).optional().describe('Topics, such as database.'),
  project: PROJECT,
});

const OUTPUT = z.object({
  id: z.string().describe('To delete the note: yore forget --pattern ID.'),
  project: z.string(),
  kind: z.enum(['fact', 'avoid']),
  text: z.string().describe('The text as it was saved.'),
  redacted: z.boolean().describe('Whether a possible secret was removed from the text.'),
});

/** Adds `remember`, which saves a note. */
export function registerRemember(server: McpServer, contexts: CallContexts): void {
  registerTool(server, contexts, {
    name: 'remember',
    title: 'Remember a fact',
    description:
      'Saves a lasting fact about this project, or something to avoid in it. Agents see it from now on in the briefing at session start. Use it for what the user asks you to remember and for what was hard to find out; sessions are recorded anyway.',
    input: INPUT,
    output: OUTPUT,
    annotations: {
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: false,
      openWorldHint: false,
    },
    run: remember,
  });
}

function remember(input: z.infer<typeof INPUT>, context: CallContext): ToolResult<z.infer<typeof OUTPUT>> {
  const given = parseNote(input.text);
  const text = redact(given);
  const project = findCalledProject(context, input.project) ?? context.home.openProject(context.folder);
  const name = displayNameOf(project);
  if (!project.isRecording()) {
    throw new YoreError(
      'USAGE',
      `Nothing was saved, because recording is paused in ${quoteId(name, 80)}. The user can resume it with: yore resume`,
    );
  }
  const tags = (input.tags ?? []).map((tag) => oneLine(tag, 40)).filter((tag) => tag !== '');
  const { id } = project.memory.remember(text, { avoid: input.kind === 'avoid', tags, agent: 'mcp' });
  const redacted = text !== given;
  const secret = redacted ? ' A possible secret was removed from it.' : '';
  const purpose = input.kind === 'avoid' ? 'as something to avoid ' : '';
  return {
    text: `Saved ${purpose}for ${quoteId(name, 80)}: ${quote(text, 160)} (id ${id}; delete it with yore forget --pattern ${id}).${secret}`,
    data: { id, project: name, kind: input.kind, text, redacted },
  };
}
