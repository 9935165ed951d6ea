import type { CallToolResult, InputRequiredResult, ServerContext } from '@modelcontextprotocol/server';
import { YoreError } from '../record/index.ts';
import { oneLine } from '../text/one-line.ts';
import type { CallPlace, CallPlaces } from './call-place.ts';

/** What a tool answers: the same facts as text and as data. */
export interface Answer<Data> {
  readonly text: string;
  readonly data: Data;
}

/** Most characters of an answer's text. */
export const MOST_CHARACTERS = 6000;

/** A tool's handler: its work is done in the open home, and what goes wrong is told as the tool's result. */
export function answering<Input, Data extends object>(
  places: CallPlaces,
  work: (input: Input, place: CallPlace) => Answer<Data>,
): (input: Input, context: ServerContext) => Promise<CallToolResult | InputRequiredResult> {
  return async (input, context) => {
    try {
      return await places.use(context, (place) => resultOf(work(input, place)));
    } catch (error) {
      return { content: [{ type: 'text', text: complaint(error) }], isError: true };
    }
  };
}

/** What was wrong, and what to do. */
function complaint(error: unknown): string {
  const message = oneLine(error instanceof Error ? error.message : String(error), 1000);
  return error instanceof YoreError
    ? message
    : `yore could not do that: ${message} See what is wrong: \`yore doctor\`.`;
}

function resultOf<Data extends object>({ text, data }: Answer<Data>): CallToolResult {
  return { content: [{ type: 'text', text }], structuredContent: { ...data } };
}
