import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { parseNote } from '../../project/user-input.ts';
import { YoreError } from '../../record/index.ts';
import { redact } from '../../redact/index.ts';
import { oneLine } from '../../text/one-line.ts';
import { type CallContext, type CallContexts, findProject, projectName } from '../call-context.ts';
import { PROJECT, type ToolResult, toolHandler } from '../results.ts';

const INPUT = z.strictObject({
  text: z
    .string()
    .max(10_000)
    .describe('One sentence of at most 160 characters, such as "Migrations run with make migrate".'),
  kind: z
    .enum(['fact', 'avoid'])
    .default('fact')
    .describe('`fact`: something that holds or works here. `avoid`: something not to do.'),
  tags: z.array(z.string().max(40)).max(8).optional().describe('What it is about, such as database.'),
  project: PROJECT,
});

const OUTPUT = z.object({
  id: z.string().describe('Takes it back: yore forget --pattern ID.'),
  project: z.string(),
  kind: z.enum(['fact', 'avoid']),
  text: z.string().describe('As it was noted.'),
  redacted: z.boolean().describe('Whether what looks like a secret was left out.'),
});

type Input = z.infer<typeof INPUT>;
type Noted = z.infer<typeof OUTPUT>;

/** `remember`: notes a fact. */
export function registerRemember(server: McpServer, places: CallContexts): void {
  server.registerTool(
    'remember',
    {
      title: 'Remember a fact',
      description:
        'Notes a lasting fact about this project, or something to avoid in it. It counts from now on, in the briefing that agents get at session start. For what the user asks to remember and what was hard to find out; what sessions do is recorded anyway.',
      inputSchema: INPUT,
      outputSchema: OUTPUT,
      annotations: {
        title: 'Remember a fact',
        readOnlyHint: false,
        destructiveHint: false,
        idempotentHint: false,
        openWorldHint: false,
      },
    },
    toolHandler<Input, Noted>(places, remember),
  );
}

function remember(input: Input, place: CallContext): ToolResult<Noted> {
  const given = parseNote(input.text);
  const text = redact(given);
  const project = findProject(place, input.project) ?? place.home.openProject(place.folder);
  const name = projectName(project);
  if (!project.isRecording()) {
    throw new YoreError(
      'USAGE',
      `Recording is off in ${name}, so nothing was noted. The user can go on with: yore resume`,
    );
  }
  const tags = (input.tags ?? []).map((tag) => oneLine(tag, 40)).filter((tag) => tag !== '');
  const { id } = project.memory.remember(text, { avoid: input.kind === 'avoid', tags });
  const redacted = text !== given;
  const secret = redacted ? ' What looks like a secret was left out of it.' : '';
  return {
    text: `Noted for ${name}${input.kind === 'avoid' ? ', to avoid' : ''}: "${text}" (id ${id}; taken back with yore forget --pattern ${id}).${secret}`,
    data: { id, project: name, kind: input.kind, text, redacted },
  };
}
