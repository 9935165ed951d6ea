import { isAbsolute, resolve } from 'node:path';
import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { guardOffReason } from '../../ask/guard/guard-options.ts';
import type { FailureWarning } from '../../ask/guard/warning.ts';
import type { ToolCall } from '../../facts/call/tool-call.ts';
import type { Project } from '../../project/index.ts';
import { omitUndefined, YoreError } from '../../record/index.ts';
import { oneLine } from '../../text/one-line.ts';
import { frameRecorded, quoteId } from '../../text/recorded-text.ts';
import {
  type CallContext,
  type CallContexts,
  describeEmptyFolder,
  displayNameOf,
  findCalledProject,
} from '../call-context.ts';
import { optionalLine, PROJECT, registerTool, type ToolResult } from '../tool.ts';

const INPUT = z.strictObject({
  command: z.string().max(20_000).optional().describe('The shell command to check.'),
  tool: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('A tool other than the shell, such as Read or Edit. Needs `input`.'),
  input: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('The input of that tool, such as {"file_path": "src/config.yml"}.'),
  cwd: z.string().max(1000).optional().describe('The folder in which it would run. Default: the current folder.'),
  project: PROJECT,
});

const OUTPUT = z.object({
  warns: z.boolean(),
  warning: z
    .object({
      failure: z.string().describe('Id of the failure, for `yore dismiss` and `yore pin`.'),
      failed: z.string().describe('The call that failed.'),
      reason: z.string().describe('Why it failed.'),
      cause: z.string().optional().describe('The cause that applies to this call too, if the calls differ.'),
      fix: z.string().optional().describe('What worked instead.'),
      failedAt: z.string().describe('ISO 8601, UTC.'),
      count: z.number().describe('How often the same cause failed since it last worked.'),
      sessions: z.number().describe('Number of sessions in which it failed.'),
      session: z.string().describe('A session in which it failed, for the tool `session`.'),
      attempt: z.string().describe('The attempt that failed, for `around` of the tool `session`.'),
      confidence: z.number().describe('0 to 1.'),
      project: z.string().optional().describe('The project in which it failed, if it is another one.'),
    })
    .optional(),
  hint: z.string().optional(),
});

type Input = z.infer<typeof INPUT>;
type Output = z.infer<typeof OUTPUT>;

/** The maximum length of `input` as JSON. Real calls are smaller, and this is checked in a moment. */
const MAX_INPUT_LENGTH = 200_000;

/** Adds `check`, which asks the guard about a call. */
export function registerCheck(server: McpServer, contexts: CallContexts): void {
  registerTool(server, contexts, {
    name: 'check',
    title: 'Has this failed before?',
    description:
      'Tells whether a command or tool call has failed here before and is likely to fail again, with the evidence and what worked instead. Takes milliseconds and records nothing. Useful before installing packages, running scripts and anything else that is costly when it fails.',
    input: INPUT,
    output: OUTPUT,
    run: check,
  });
}

function check(input: Input, context: CallContext): ToolResult<Output> {
  const call = toCall(input);
  const project = findCalledProject(context, input.project);
  const offReason = project && describeOffReason(project);
  if (offReason !== undefined) return noWarning(offReason);
  const { warning, known } = askGuard(project, context, call, input.cwd);
  if (warning === undefined) {
    if (known !== undefined) return { text: frameRecorded(known), data: { warns: false, hint: known } };
    return noWarning(
      project === undefined
        ? describeEmptyFolder(context)
        : `No warning: no failure like this is recorded in ${quoteId(displayNameOf(project), 80)}.`,
    );
  }
  return { text: formatWarning(warning), data: { warns: true, warning: toData(warning) } };
}

/** The guard's warning for a command in the current folder. Records nothing. */
export function findWarning(project: Project, context: CallContext, command: string): FailureWarning | undefined {
  if (describeOffReason(project) !== undefined) return undefined;
  return askGuard(project, context, { tool: 'Bash', input: { command } }).warning;
}

/** A warning as text, with its evidence. */
export function formatWarning(warning: FailureWarning): string {
  const { sessionId, attemptId, confidence, failureId } = warning;
  const evidence = [
    `confidence ${Math.min(99, Math.round(confidence * 100))} %`,
    `failure ${failureId}`,
    ...(sessionId === '' ? [] : [`session ${quoteId(sessionId)}, attempt ${quoteId(attemptId)}`]),
  ];
  const origin = warning.project === undefined ? 'this project' : 'another project of the user';
  return frameRecorded(`${warning.text}\nEvidence: ${evidence.join('; ')}.`, origin);
}

type Call = Pick<ToolCall, 'tool' | 'input'>;

function toCall({ command, tool, input }: Input): Call {
  if (command !== undefined && input !== undefined) {
    throw new YoreError('USAGE', 'Pass either `command`, or `tool` with `input`.');
  }
  if (command !== undefined) {
    if (command.trim() === '') throw new YoreError('USAGE', 'The command is empty. Pass the whole command line.');
    return { tool: tool ?? 'Bash', input: { command } };
  }
  if (tool === undefined || input === undefined) {
    throw new YoreError('USAGE', 'There is nothing to check. Pass `command`, or `tool` with `input`.');
  }
  if (JSON.stringify(input).length > MAX_INPUT_LENGTH) {
    throw new YoreError(
      'LIMIT',
      `The input is longer than ${MAX_INPUT_LENGTH} characters. Leave out file contents: only paths and commands are checked.`,
    );
  }
  return { tool, input };
}

function describeOffReason(project: Project): string | undefined {
  const reason = guardOffReason(project.config, project.isRecording());
  if (reason === undefined) return undefined;
  return reason === 'recording'
    ? 'No warning: recording is paused here. The user can resume it with: yore resume'
    : `No warning: warnings are turned off by the setting ${reason}.`;
}

function askGuard(
  project: Project | undefined,
  { home, now, folder: current }: CallContext,
  { tool, input }: Call,
  cwd?: string,
): { readonly warning?: FailureWarning | undefined; readonly known?: string | undefined } {
  const own = home.findProject(current);
  const elsewhere = own?.info.projectHash === project?.info.projectHash ? undefined : project?.info.projectPath;
  const base = elsewhere ?? current;
  const folder = cwd === undefined ? base : isAbsolute(cwd) ? cwd : resolve(base, cwd);
  const root = elsewhere ?? home.findCheckoutRoot(current);
  // Of no agent's session: the guard does not assume that the agent has just seen a failure.
  const call = { sessionId: 'check', tool, input, timestamp: new Date(now).toISOString(), cwd: folder, root };
  if (project === undefined) return { warning: home.checkUnrecorded(current, call) };
  const recorder = project.recorder(root);
  const warning = recorder.check(call);
  return warning === undefined ? { known: recorder.explainSilence(call) } : { warning };
}

function noWarning(hint: string): ToolResult<Output> {
  return { text: hint, data: { warns: false, hint } };
}

function toData(warning: FailureWarning): NonNullable<Output['warning']> {
  const { failureId, failed, reason, cause, fix, failedAt, count, sessions, project } = warning;
  return {
    failure: failureId,
    failed,
    reason,
    ...omitUndefined({
      cause: optionalLine(cause, 300),
      fix,
      project: optionalLine(project, 80),
    }),
    failedAt,
    count,
    sessions,
    session: oneLine(warning.sessionId, 200),
    attempt: oneLine(warning.attemptId, 200),
    confidence: Math.round(warning.confidence * 100) / 100,
  };
}
