import { asFields, asInput, asName, asObjects, asText, defined, type Fields } from '../transcript/fields.ts';
import { problem, skip, unknownType } from '../transcript/skip.ts';
import type { SkipEvent } from '../transcript/transcript-event.ts';
import type { Line } from './line.ts';
import type { Reply } from './reply.ts';

const NO_CONTENT = '(no content)';

/** Adds a block of a line to the reply it is of; says why if nothing is made of it. */
export function addBlock(reply: Reply, block: Fields, line: Line): SkipEvent | undefined {
  const type = asText(block.type) ?? '';
  if (type === 'text') return addText(reply, block);
  if (type === 'thinking' || type === 'redacted_thinking') return skip('thinking');
  if (type === 'tool_use' || type === 'server_tool_use' || type === 'mcp_tool_use')
    return addCall(reply, block, line);
  if (type.endsWith('_tool_result')) return addResult(reply, block, line);
  return unknownType('block', type);
}

function addText(reply: Reply, block: Fields): SkipEvent | undefined {
  const text = asText(block.text);
  if (text === undefined) return problem('block without text');
  if (text.trim() === '' || text === NO_CONTENT) return skip('empty text');
  reply.addText(text);
  return undefined;
}

function addCall(reply: Reply, block: Fields, line: Line): SkipEvent | undefined {
  const callId = asName(block.id);
  const tool = asName(block.name);
  if (callId === undefined || tool === undefined) return problem('call without an id or a name');
  const { sessionId, timestamp, cwd } = line;
  reply.addCall({
    type: 'call',
    sessionId,
    callId,
    tool,
    input: asInput(block.input),
    ...defined({ timestamp, cwd }),
  });
  return undefined;
}

/** The provider ran the tool itself, e.g. a web search. */
function addResult(reply: Reply, block: Fields, line: Line): SkipEvent | undefined {
  const callId = asName(block.tool_use_id);
  if (callId === undefined) return problem('result without a call');
  const error = asName(asFields(block.content)?.error_code);
  const lines = asObjects(block.content).map(
    (part) => asText(part.text) ?? [part.title, part.url].filter(asText).join(' '),
  );
  const output = error ?? lines.join('\n');
  const isError = error !== undefined || block.is_error === true;
  const { sessionId, timestamp } = line;
  reply.addCall({
    type: 'result',
    sessionId,
    callId,
    ...defined({ timestamp }),
    result: { status: isError ? 'error' : 'ok', output },
  });
  return undefined;
}
