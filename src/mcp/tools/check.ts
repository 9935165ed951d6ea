import { isAbsolute, resolve } from 'node:path';
import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { type FailureWarning, guardOffReason, type ToolCall } from '../../memory/index.ts';
import type { Project, Recorder } from '../../project/index.ts';
import { YoreError } from '../../record/index.ts';
import { oneLine } from '../../text/one-line.ts';
import {
  type CallContext,
  type CallContexts,
  describeEmptyFolder,
  findProject,
  projectName,
} from '../call-context.ts';
import { PROJECT, QUOTE_NOTICE, READ_ONLY, type ToolResult, toolHandler } from '../results.ts';

const INPUT = z.strictObject({
  command: z.string().max(20_000).optional().describe('The shell command that is to be run.'),
  tool: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('Another tool than the shell, such as Read or Edit; with `input`.'),
  input: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('What that tool would be called with, such as {"file_path": "src/config.yml"}.'),
  cwd: z
    .string()
    .max(1000)
    .optional()
    .describe('The folder it would run in. Default: the folder you work in.'),
  project: PROJECT,
});

const WARNING = z.object({
  failure: z.string().describe('Id of the failure, for `yore dismiss` and `yore pin`.'),
  failed: z.string().describe('What failed then.'),
  reason: z.string().describe('Why it failed then.'),
  cause: z
    .string()
    .optional()
    .describe('What is in the way of this call too, where that is not the call itself.'),
  instead: z.string().optional().describe('What worked instead.'),
  failedAt: z.string().describe('ISO 8601, UTC.'),
  count: z.number(),
  sessions: z.number().describe('In how many sessions it failed.'),
  session: z.string().describe('A session in which it failed; for the tool `session`.'),
  attempt: z.string().describe('The attempt it rests on; for `around` of the tool `session`.'),
  confidence: z.number().describe('0 to 1.'),
  project: z.string().optional().describe('The project it failed in, where that is another one.'),
});

const OUTPUT = z.object({
  warns: z.boolean(),
  warning: WARNING.optional(),
  hint: z.string().optional(),
});

type Input = z.infer<typeof INPUT>;
type Checked = z.infer<typeof OUTPUT>;

/** More than a call of an agent has, and little enough to be looked at in a moment. */
const LARGEST_INPUT = 200_000;

/** `check`: would the guard warn? */
export function registerCheck(server: McpServer, places: CallContexts): void {
  server.registerTool(
    'check',
    {
      title: 'Has this failed before?',
      description:
        'Says whether a command or tool call failed here before and is likely to fail again, with the evidence and what worked instead. Takes milliseconds and records nothing. Useful before installing packages, running scripts and anything that is costly when it fails.',
      inputSchema: INPUT,
      outputSchema: OUTPUT,
      annotations: { title: 'Has this failed before?', ...READ_ONLY },
    },
    toolHandler<Input, Checked>(places, check),
  );
}

function check(input: Input, place: CallContext): ToolResult<Checked> {
  const asked = askedCall(input);
  const project = findProject(place, input.project);
  if (project === undefined) return noWarning(describeEmptyFolder(place));
  const silence = silenceOf(project);
  if (silence !== undefined) return noWarning(silence);
  const warning = warningFor({ project, place }, asked, input.cwd);
  if (warning === undefined)
    return noWarning(`No warning: nothing recorded in ${projectName(project)} speaks against it.`);
  return { text: formatWarning(warning), data: { warns: true, warning: toData(warning) } };
}

/** The warning that the guard would give for a command in the folder that is worked in; records nothing. */
export function commandWarning(
  project: Project,
  place: CallContext,
  command: string,
): FailureWarning | undefined {
  if (silenceOf(project) !== undefined) return undefined;
  return warningFor({ project, place }, { tool: 'Bash', input: { command } });
}

/** A warning as the tool tells it. */
export function formatWarning(warning: FailureWarning): string {
  const { sessionId, attemptId, confidence, failureId: hazardId } = warning;
  const sureness = Math.min(99, Math.round(confidence * 100));
  const evidence = [
    `confidence ${sureness} %`,
    `failure ${hazardId}`,
    ...(sessionId === '' ? [] : [`session ${oneLine(sessionId, 200)}, attempt ${oneLine(attemptId, 200)}`]),
  ];
  return `${QUOTE_NOTICE}\n${warning.text}\nEvidence: ${evidence.join('; ')}.`;
}

type Asked = Pick<ToolCall, 'tool' | 'input'>;

function askedCall({ command, tool, input }: Input): Asked {
  if (command !== undefined && input !== undefined) {
    throw new YoreError('USAGE', 'Give `command`, or `tool` with `input`, not both.');
  }
  if (command !== undefined) {
    if (command.trim() === '')
      throw new YoreError('USAGE', 'The command is empty. Give the whole command line.');
    return { tool: tool ?? 'Bash', input: { command } };
  }
  if (tool === undefined || input === undefined) {
    throw new YoreError('USAGE', 'There is nothing to check. Give `command`, or `tool` with `input`.');
  }
  if (JSON.stringify(input).length > LARGEST_INPUT) {
    throw new YoreError(
      'LIMIT',
      `The input is larger than ${LARGEST_INPUT} characters. Leave out the contents of files: the guard looks at paths and commands.`,
    );
  }
  return { tool, input };
}

/** Why nothing is warned about here at all. */
function silenceOf(project: Project): string | undefined {
  const reason = guardOffReason(project.config, project.isRecording());
  if (reason === undefined) return undefined;
  return reason === 'recording'
    ? 'No warning: recording is paused here. The user can resume it with: yore resume'
    : `No warning: warnings are turned off by the setting ${reason}.`;
}

function warningFor(
  { project, place }: { readonly project: Project; readonly place: CallContext },
  { tool, input }: Asked,
  cwd?: string,
): FailureWarning | undefined {
  const { home, now, folder: current } = place;
  const isHere = home.findProject(current)?.info.projectHash === project.info.projectHash;
  const base = isHere ? current : project.info.projectPath;
  const folder = cwd === undefined ? base : isAbsolute(cwd) ? cwd : resolve(base, cwd);
  const root = isHere ? home.findCheckout(current) : project.info.projectPath;
  const recorder = project.recorder(root);
  try {
    return recorder.check({
      // No session of an agent: nothing that happened a moment ago in one counts as just seen.
      sessionId: 'check',
      tool,
      input,
      timestamp: new Date(now).toISOString(),
      cwd: folder,
      root,
    });
  } finally {
    setImmediate(() => tidy(recorder, now));
  }
}

/** Spares the next call reading the same part of the logs again. Done when this one was answered: it takes a while. */
function tidy(recorder: Recorder, now: number): void {
  try {
    recorder.guard.tidy(now);
    recorder.close();
  } catch {
    // The next call reads the logs instead, and tells what is wrong with them.
  }
}

function noWarning(hint: string): ToolResult<Checked> {
  return { text: hint, data: { warns: false, hint } };
}

function toData(warning: FailureWarning): NonNullable<Checked['warning']> {
  const { failureId: hazardId, failed, reason, cause, instead, failedAt, count, sessions, project } = warning;
  return {
    failure: hazardId,
    failed,
    reason,
    ...(cause === undefined ? {} : { cause: oneLine(cause, 300) }),
    ...(instead === undefined ? {} : { instead }),
    failedAt,
    count,
    sessions,
    session: oneLine(warning.sessionId, 200),
    attempt: oneLine(warning.attemptId, 200),
    confidence: Math.round(warning.confidence * 100) / 100,
    ...(project === undefined ? {} : { project: oneLine(project, 80) }),
  };
}
