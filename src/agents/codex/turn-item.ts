import {
  asFields,
  asInput,
  asInteger,
  asName,
  asNumber,
  asObjects,
  asText,
  defined,
  type Fields,
} from '../transcript/fields.ts';
import { skip, unknownType } from '../transcript/skip.ts';
import type { SkipEvent } from '../transcript/transcript-event.ts';
import type { CallFacts } from './call-output.ts';
import { durationOf } from './event-facts.ts';

/** An item of a turn, as rollouts with paged histories keep it. */
export type TurnItem =
  | { readonly kind: 'said'; readonly role: 'user' | 'assistant'; readonly text: string }
  | {
      readonly kind: 'call';
      readonly callId: string;
      readonly tool: string;
      readonly input: Fields;
      readonly facts: CallFacts;
      readonly output: string;
    }
  | { readonly kind: 'skipped'; readonly event: SkipEvent };

const SKIPPED: ReadonlyMap<string, string> = new Map([
  ['reasoning', 'thinking'],
  ['plan', 'plan'],
  ['hookprompt', 'hook report'],
  ['websearch', 'copy of a call'],
  ['imagegeneration', 'copy of a call'],
  ['imageview', 'copy of a call'],
  ['contextcompaction', 'copy of a compaction'],
  ['enteredreviewmode', 'review mode'],
  ['exitedreviewmode', 'review mode'],
  ['collabagenttoolcall', 'activity of another agent'],
  ['subagentactivity', 'activity of another agent'],
  ['extension', 'bookkeeping'],
  ['sleep', 'bookkeeping'],
]);

/** What an item of a turn is. */
export function turnItem(item: Fields): TurnItem {
  const type = (asText(item.type) ?? '').replaceAll('_', '').toLowerCase();
  switch (type) {
    case 'usermessage':
      return { kind: 'said', role: 'user', text: textOf(item) };
    case 'agentmessage':
      return { kind: 'said', role: 'assistant', text: textOf(item) };
    case 'commandexecution':
      return callItem(
        item,
        'exec_command',
        defined({ command: commandOf(item.command), workdir: asText(item.cwd) }),
      );
    case 'filechange':
      return callItem(item, 'apply_patch', { changes: asInput(item.changes) });
    case 'mcptoolcall':
      return callItem(
        item,
        `mcp__${asName(item.server) ?? ''}__${asName(item.tool) ?? ''}`,
        asInput(item.arguments),
      );
    case 'dynamictoolcall':
      return callItem(item, asName(item.tool) ?? 'tool', asInput(item.arguments));
    default: {
      const reason = SKIPPED.get(type);
      return { kind: 'skipped', event: reason === undefined ? unknownType('item', item.type) : skip(reason) };
    }
  }
}

function callItem(item: Fields, tool: string, input: Fields): TurnItem {
  const callId = asName(item.id) ?? asName(item.call_id);
  if (callId === undefined)
    return {
      kind: 'skipped',
      event: { type: 'skip', reason: 'call without an id or a name', isProblem: true },
    };
  const status = (asText(item.status) ?? '').toLowerCase();
  const isError = status === 'failed' || status === 'declined' || asFields(item.error) !== undefined;
  const exitCode = asInteger(item.exit_code) ?? asInteger(item.exitCode);
  const durationMs = durationOf(item.duration) ?? asNumber(item.duration_ms) ?? asNumber(item.durationMs);
  const facts = { ...defined({ exitCode, durationMs }), ...(isError ? { isError } : {}) };
  return { kind: 'call', callId, tool, input, facts, output: outputOf(item) };
}

function outputOf(item: Fields): string {
  const whole =
    asText(item.aggregated_output) ?? asText(item.aggregatedOutput) ?? asText(item.formatted_output);
  if (whole !== undefined) return whole;
  const error = asText(item.error) ?? asText(asFields(item.error)?.message);
  const result = asFields(item.result);
  const parts = [asText(item.stdout), asText(item.stderr), error, ...textsIn(result?.content)];
  return parts.filter((part) => part !== undefined && part !== '').join('\n');
}

function commandOf(value: unknown): string | readonly string[] | undefined {
  return Array.isArray(value) ? value.map(String) : asText(value);
}

function textOf(item: Fields): string {
  return asText(item.text) ?? textsIn(item.content).join('\n');
}

function textsIn(content: unknown): readonly string[] {
  return asObjects(content).flatMap((part) => asText(part.text) ?? []);
}
