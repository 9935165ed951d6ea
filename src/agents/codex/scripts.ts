import type { CallResult } from '../../facts/call/tool-call.ts';
import { asName, asText } from '../transcript/fields.ts';
import { type ItemCall, joinOutput, parseStatus } from './call-tracker.ts';
import type { OpenScript } from './rollout-state.ts';

/*
 * In code mode the model has one tool, `exec`, which runs JavaScript that calls the other tools. `wait` waits for a
 * script that takes longer. The calls of a script are in the rollout too, so that the script itself is recorded only
 * when none of them is known, or when a hook denied one before it became an item.
 */

const MAX_SCRIPT_LENGTH = 4000;
const CALLS_TOOLS = /\btools\s*[.[]/;

/** The script that a call runs or waits for; undefined for other calls. */
export function parseScript({ callId, tool, input }: ItemCall): OpenScript | undefined {
  const text = asText(input.input);
  if (tool === 'exec' && text !== undefined) {
    return { callId, text: text.slice(0, MAX_SCRIPT_LENGTH), isCovered: !CALLS_TOOLS.test(text) };
  }
  return tool === 'wait' && asName(input.cell_id) !== undefined ? { callId, text: '', isCovered: true } : undefined;
}

const HEADER = /^Script (completed|failed|terminated|running with cell ID \S+)\nWall time [^\n]*\nOutput:\s*/;
const ERROR = 'Script error:\n';
const COMMAND = '. Command: ';

/** The end of a script, with the call to record if there is one; undefined if the output only reports progress. */
export function parseScriptEnd(script: OpenScript, output: unknown): { readonly call?: ItemCall } | undefined {
  const text = joinOutput(output);
  const [header, ended] = HEADER.exec(text) ?? ['', ''];
  const printed = text.slice(header.length);
  const error = ended === 'failed' ? printed.slice(printed.lastIndexOf(ERROR)).replace(ERROR, '') : '';
  const { status } = parseStatus(header === '' ? text : error);
  if (header === '' && status === undefined) return undefined;
  const { callId } = script;
  if (status === 'denied') return { call: toDeniedCall(script, error || text) };
  if (script.isCovered || ended?.startsWith('running')) return {};
  const result: CallResult = { status: status ?? STATUSES[ended ?? ''] ?? 'unknown', output: printed };
  return { call: { callId, tool: 'exec', input: { input: script.text }, result } };
}

/** A script that threw an error of its own was wrong. */
const STATUSES: Readonly<Record<string, CallResult['status']>> = {
  completed: 'ok',
  failed: 'invalid',
  terminated: 'interrupted',
};

function toDeniedCall({ callId, text }: OpenScript, output: string): ItemCall {
  const at = output.lastIndexOf(COMMAND);
  const result: CallResult = { status: 'denied', output };
  if (at < 0) return { callId, tool: 'exec', input: { input: text }, result };
  return { callId, tool: 'exec_command', input: { cmd: output.slice(at + COMMAND.length) }, result };
}
