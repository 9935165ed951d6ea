import type { CallResult } from '../../memory/index.ts';
import { textHash } from '../../record/index.ts';
import {
  asFields,
  asInput,
  asName,
  asText,
  defined,
  type Fields,
  parseFields,
} from '../transcript/fields.ts';

/** A call as it is in an item, with its result where the item has that too. */
export interface ItemCall {
  readonly callId: string;
  readonly tool: string;
  readonly input: Fields;
  readonly result?: CallResult;
}

const CALL_ITEMS: ReadonlySet<string> = new Set([
  'function_call',
  'custom_tool_call',
  'local_shell_call',
  'web_search_call',
  'image_generation_call',
  'tool_search_call',
]);

/** Whether an item is a call. */
export function isCallItem(type: string): boolean {
  return CALL_ITEMS.has(type);
}

/** The call in an item; undefined when it has no id or no name. `timestamp`: of its line, for items without an id. */
export function callOf(item: Fields, timestamp: string | undefined): ItemCall | undefined {
  const callId = asName(item.call_id) ?? asName(item.id);
  switch (item.type) {
    case 'local_shell_call':
      return callId === undefined
        ? undefined
        : { callId, tool: 'local_shell', input: shellInput(asFields(item.action)) };
    case 'web_search_call':
      return endedCall(callId, 'web_search', asInput(item.action), item.status, timestamp);
    case 'image_generation_call':
      return endedCall(
        callId,
        'image_generation',
        defined({ prompt: asText(item.revised_prompt) }),
        item.status,
        timestamp,
      );
    case 'tool_search_call':
      return callId === undefined
        ? undefined
        : { callId, tool: 'tool_search', input: inputOf(item.arguments) };
    default: {
      const tool = toolName(item);
      if (callId === undefined || tool === undefined) return undefined;
      return { callId, tool, input: inputOf(item.type === 'custom_tool_call' ? item.input : item.arguments) };
    }
  }
}

/** What the provider ran itself: call and end are one item, of which old ones have no id. */
function endedCall(
  id: string | undefined,
  tool: string,
  input: Fields,
  status: unknown,
  timestamp: string | undefined,
): ItemCall {
  const callId = id ?? `${tool}-${timestamp ?? ''}-${textHash(JSON.stringify(input)).toString(36)}`;
  return { callId, tool, input, result: { status: status === 'failed' ? 'error' : 'ok' } };
}

function toolName(item: Fields): string | undefined {
  const name = asName(item.name);
  const namespace = asName(item.namespace);
  if (name === undefined || !namespace?.startsWith('mcp__') || name.startsWith('mcp__')) return name;
  return namespace.endsWith('__') ? `${namespace}${name}` : `${namespace}__${name}`;
}

/** Arguments are JSON as text; what is no JSON object is the input itself, as of `apply_patch`. */
function inputOf(value: unknown): Fields {
  if (typeof value !== 'string') return asInput(value);
  if (value === '') return {};
  const parsed = parseFields(value);
  return parsed ? asInput(parsed) : { input: value };
}

function shellInput(action: Fields | undefined): Fields {
  const command = Array.isArray(action?.command) ? action.command.map(String) : asText(action?.command);
  return defined({ command, workdir: asText(action?.working_directory) });
}
