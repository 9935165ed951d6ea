import type { Attempt } from '../../record/record.ts';
import { firstText } from './describe-call.ts';
import { toolFamily } from './tool-call.ts';

/** Arguments that say what a call is about, the most telling first. */
const TELLING_KEYS: readonly string[] =
  'pattern query regex q search url uri skill skill_name subject title task prompt objective instruction question message name selector expression text content id'.split(
    ' ',
  );
/** Arguments whose lists say what a call is about, with the field of an element that does. */
const LISTS: readonly (readonly [key: string, field: string])[] = [
  ['todos', 'content'],
  ['plan', 'step'],
  ['questions', 'question'],
  ['files', 'path'],
  ['paths', 'path'],
  ['urls', 'url'],
];
const AGENT_KEYS = ['subagent_type', 'agent_type', 'agentType', 'agent_name'];
const MAX_LENGTH = 2000;

/**
 * What a call is about, without the name of its tool: the command, the pattern of a search and where it looked, the
 * address, the task of a sub-agent, or the path. May have several lines. Empty when nothing is recorded.
 */
export function callLabel(
  attempt: Pick<Attempt, 'tool' | 'command' | 'path' | 'args' | 'pattern' | 'description'>,
): string {
  const { tool = '', command, path, args = {} } = attempt;
  const label = command ?? attempt.pattern ?? describeArguments(tool, path, args) ?? attempt.description ?? '';
  return label.slice(0, MAX_LENGTH);
}

function describeArguments(
  tool: string,
  path: string | undefined,
  args: NonNullable<Attempt['args']>,
): string | undefined {
  const family = toolFamily(tool);
  if (family === 'search' || family === 'list') {
    const what = firstText(args, [...TELLING_KEYS, 'glob', 'include']);
    return what === undefined ? path : path === undefined || path === '.' ? what : `${what} in ${path}`;
  }
  if (path !== undefined) return `${path}${family === 'read' ? describeRange(args) : ''}`;
  const about = firstText(args, TELLING_KEYS) ?? describeList(args);
  const agent = firstText(args, AGENT_KEYS);
  if (agent !== undefined && about !== undefined) return `${agent}: ${about}`;
  return (
    about ?? agent ?? Object.values(args).find((value): value is string => typeof value === 'string' && value !== '')
  );
}

/** The lines that were read, where not all were: `:120-180`. */
function describeRange(args: NonNullable<Attempt['args']>): string {
  const number = (...keys: readonly string[]): number | undefined =>
    keys.map((key) => Number(args[key])).find((value) => Number.isInteger(value) && value > 0);
  const from = number('offset', 'start_line', 'startLine');
  const limit = number('limit');
  const to = number('end_line', 'endLine') ?? (limit === undefined ? undefined : (from ?? 1) + limit - 1);
  if (from === undefined && to === undefined) return '';
  return `:${from ?? 1}${to === undefined ? '' : `-${to}`}`;
}

function describeList(args: NonNullable<Attempt['args']>): string | undefined {
  for (const [key, field] of LISTS) {
    const items = args[key];
    if (!Array.isArray(items) || items.length === 0) continue;
    const texts = items.map((item) =>
      typeof item === 'string' ? item : (item as Record<string, unknown> | null)?.[field],
    );
    return texts.filter((text) => typeof text === 'string').join(', ') || undefined;
  }
  return undefined;
}
