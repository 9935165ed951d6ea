import type { CallResult } from '../../memory/index.ts';
import { withoutElements } from '../transcript/elements.ts';
import { asFields, asInteger, asName, asText, type Fields } from '../transcript/fields.ts';

/** How a call that went on in the background ended. */
export interface TaskEnd {
  readonly callId: string | undefined;
  readonly taskId: string | undefined;
  readonly result: CallResult;
}

const NOTICE: ReadonlySet<string> = new Set(['task-notification']);
const PARTS: ReadonlySet<string> = new Set(['task-id', 'tool-use-id', 'status', 'summary', 'result']);
const EXIT_CODE = /exit code (-?\d+)/i;

/** The ends of background tasks that Claude Code tells in the user's turn. */
export function taskEnds(text: string): readonly TaskEnd[] {
  if (!text.includes('<task-notification>')) return [];
  return withoutElements(text, NOTICE).elements.flatMap(({ content }) => {
    const parts = new Map(
      withoutElements(content, PARTS).elements.map((part) => [part.name, part.content.trim()]),
    );
    const summary = parts.get('summary') ?? '';
    const exit = EXIT_CODE.exec(summary)?.[1];
    const result = endOf(
      parts.get('status'),
      exit === undefined ? undefined : asInteger(Number(exit)),
      parts.get('result') ?? summary,
    );
    return result
      ? [{ callId: asName(parts.get('tool-use-id')), taskId: asName(parts.get('task-id')), result }]
      : [];
  });
}

/** The end of a background task that the model asked about (`BashOutput`, `TaskOutput`); undefined while it runs. */
export function askedTaskEnd(extra: unknown): TaskEnd | undefined {
  const shape = asFields(extra);
  const task: Fields | undefined = asFields(shape?.task) ?? shape;
  if (!task) return undefined;
  const taskId = asName(task.task_id) ?? asName(task.shellId);
  if (taskId === undefined) return undefined;
  const output =
    asText(task.output) ?? [asText(task.stdout) ?? '', asText(task.stderr) ?? ''].filter(Boolean).join('\n');
  const result = endOf(asText(task.status), asInteger(task.exitCode), output);
  return result ? { callId: undefined, taskId, result } : undefined;
}

function endOf(
  status: string | undefined,
  exitCode: number | undefined,
  output: string,
): CallResult | undefined {
  const rest = { output, ...(exitCode === undefined ? {} : { exitCode }) };
  switch (status) {
    case 'completed':
      return { status: exitCode === undefined || exitCode === 0 ? 'ok' : 'error', ...rest };
    case 'failed':
      return { status: 'error', ...rest };
    case 'killed':
    case 'stopped':
      return { status: 'interrupted', ...rest };
    default:
      return undefined;
  }
}
