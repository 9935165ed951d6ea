import type { CallToolResult, McpServer, ServerContext, ToolAnnotations } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { labelOrigin, messageOf, YoreError } from '../record/index.ts';
import { oneLine } from '../text/one-line.ts';
import { QUOTE_NOTICE, quoteId } from '../text/recorded-text.ts';
import type { CallContext, CallContexts } from './call-context.ts';

/** The declaration of a tool. */
export interface Tool<Input extends z.ZodObject, Output extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Input;
  readonly output: Output;
  /** Default: {@link READ_ONLY}. */
  readonly annotations?: ToolAnnotations;
  readonly run: (
    input: z.output<Input>,
    context: CallContext,
  ) => ToolResult<z.output<Output>> | Promise<ToolResult<z.output<Output>>>;
}

/** The result of a tool: the same facts as text and as data. */
export interface ToolResult<Data> {
  /** Framed by `frameRecorded()` if the result quotes recorded text. */
  readonly text: string;
  readonly data: Data;
}

/** The maximum length of a result's text. */
export const MAX_CHARACTERS = 6000;

const READ_ONLY: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** What {@link toCallResult} adds to the data. */
const NOTICE = { notice: z.string().optional().describe('What the quoted text is.') };

/** Adds a tool to a server. Each call opens the home; errors become results that say what to do. */
export function registerTool<Input extends z.ZodObject, Output extends z.ZodObject>(
  server: McpServer,
  contexts: CallContexts,
  tool: Tool<Input, Output>,
): void {
  const { name, title, description, input, output, annotations = READ_ONLY, run } = tool;
  server.registerTool<z.ZodObject, z.ZodObject>(
    name,
    {
      title,
      description,
      inputSchema: input,
      outputSchema: z.object({ ...NOTICE, ...output.shape }),
      annotations: { title, ...annotations },
    },
    async (values, context: ServerContext) => {
      try {
        return await contexts.run(context, async (call) => toCallResult(await run(values as z.output<Input>, call)));
      } catch (error) {
        return { content: [{ type: 'text', text: describeError(error) }], isError: true };
      }
    },
  );
}

/** Some agents pass on only the text to the model, others only the data: both have the notice. */
function toCallResult<Data extends object>({ text, data }: ToolResult<Data>): CallToolResult {
  const notice = text.startsWith(QUOTE_NOTICE) ? { notice: QUOTE_NOTICE } : {};
  return { content: [{ type: 'text', text }], structuredContent: { ...notice, ...data } };
}

function describeError(error: unknown): string {
  const message = oneLine(messageOf(error), 1000);
  return error instanceof YoreError
    ? message
    : `yore failed unexpectedly: ${message} To find out more, run: yore doctor`;
}

/** The input that selects another project. */
export const PROJECT: z.ZodOptional<z.ZodString> = z
  .string()
  .min(1)
  .max(1000)
  .optional()
  .describe('Name, id or absolute path of another project. Default: the current project.');

/** The text on one line of at most `limit` characters; undefined stays undefined. */
export function optionalLine(text: string | undefined, limit: number): string | undefined {
  return text === undefined ? undefined : oneLine(text, limit);
}

/** A role or an outcome with its origin. Colleagues choose their names themselves, so that is quoted. */
export function quoteOrigin(label: string, { foreign, author }: Parameters<typeof labelOrigin>[1]): string {
  return labelOrigin(label, { foreign, author: author === undefined ? undefined : quoteId(author, 60) });
}

/** A timestamp to the minute: `2025-11-18 15:30 UTC`. An invalid one is returned as it is. */
export function formatMinute(timestamp: string): string {
  const time = Date.parse(timestamp);
  if (Number.isNaN(time)) return oneLine(timestamp, 40);
  return `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** As many of the first lines as fit into `limit` characters. */
export function fitLines(lines: readonly string[], limit: number): readonly string[] {
  let size = 0;
  const end = lines.findIndex((line) => {
    size += line.length + 1;
    return size > limit + 1;
  });
  return end < 0 ? lines : lines.slice(0, end);
}
