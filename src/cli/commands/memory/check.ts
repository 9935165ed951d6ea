import { readFileSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { guardOffReason } from '../../../ask/guard/guard-options.ts';
import type { FailureWarning } from '../../../ask/guard/warning.ts';
import { type ToolCall, toolFamily } from '../../../facts/call/tool-call.ts';
import type { Home, Project } from '../../../project/index.ts';
import { YoreError } from '../../../record/index.ts';
import { omitUndefined } from '../../../record/object.ts';
import { resolveProjectOption } from '../../choose-project.ts';
import type { CommandContext, CommandRun, OptionValues } from '../../command.ts';
import { EXIT } from '../../exit-codes.ts';
import { flagOption, textOption } from '../../options.ts';
import { formatConfidence, warningLines } from '../../output/memory-lines.ts';
import type { Output } from '../../output/output.ts';
import { sanitiseLine } from '../../output/sanitise.ts';

/** `yore check`. */
export const runCheck: CommandRun = async (context, args, options) => {
  const { output } = context;
  const call = readCheckedCall(args, options);
  const home = await context.openHome();
  const project = resolveProjectOption(home, options, context.cwd);
  const silence = explainSilence(project, home, context);
  const location = { ...locateCall(project, home, context), agent: textOption(options, 'agent') };
  const warning = silence === undefined ? check(project, home, call, location) : undefined;
  const known =
    warning === undefined ? project?.recorder(location.root).explainSilence(toToolCall(call, location)) : undefined;
  if (flagOption(options, 'json')) {
    output.json({
      warns: warning !== undefined,
      project: project?.info.projectHash ?? null,
      call,
      ...omitUndefined({ warning: warning && toJson(warning), known }),
    });
  } else if (warning === undefined) {
    const text = silence === undefined && known !== undefined ? sanitiseLine(known) : undefined;
    output.lines(...output.wrap(text ?? `No warning: ${silence ?? 'this matches no known failure.'}`));
  } else {
    output.lines(...warningLines(warning, output), '', ...evidenceLines(warning, home, output));
  }
  return warning === undefined ? EXIT.ok : EXIT.warning;
};

function check(
  project: Project | undefined,
  home: Home,
  call: CheckArguments,
  location: CallLocation,
): FailureWarning | undefined {
  if (project === undefined) return home.checkUnrecorded(location.folder, toToolCall(call, location));
  return project.recorder(location.root).check(toToolCall(call, location));
}

/** Why no warning can be given here at all, if so. */
function explainSilence(project: Project | undefined, home: Home, { cwd }: CommandContext): string | undefined {
  const { config } = project ?? home;
  if (project === undefined && !config.get('retrieval.crossProject'))
    return `nothing is recorded for ${sanitiseLine(cwd)} yet.`;
  const reason = guardOffReason(config, project?.isRecording() ?? config.get('recording.enabled'));
  if (reason === undefined) return undefined;
  return reason === 'recording'
    ? 'recording is paused here. To resume: yore resume'
    : `warnings are turned off by the setting ${reason}.`;
}

/** The current folder, or the main folder of another project. */
function locateCall(project: Project | undefined, home: Home, { cwd, now }: CommandContext): CallLocation {
  if (project !== undefined && home.findProject(cwd)?.info.projectHash !== project.info.projectHash) {
    const { projectPath } = project.info;
    return { folder: projectPath, root: projectPath, now: now() };
  }
  return { folder: cwd, root: home.findCheckoutRoot(cwd), now: now() };
}

function evidenceLines(warning: FailureWarning, home: Home, output: Output): string[] {
  const id = sanitiseLine(warning.failureId);
  const facts = [
    formatConfidence(warning.confidence),
    output.style.yellow(id),
    ...(warning.sessionId === ''
      ? []
      : [`evidence: yore show ${sanitiseLine(home.shortenSessionId(warning.sessionId))}`]),
  ];
  return [
    ...output.wrapFacts(facts),
    ...output.wrapFacts([`Never warn about it: yore dismiss ${id}`, `always: yore pin ${id}`]).map(output.style.dim),
  ];
}

function toJson(warning: FailureWarning): object {
  const { failureId, key: _key, signature: _signature, attemptId: _id, ...rest } = warning;
  return { failure: failureId, ...rest };
}

/** The call that `yore check` is asked about. */
export type CheckArguments =
  | { readonly kind: 'command'; readonly tool: string; readonly command: string }
  | { readonly kind: 'path'; readonly tool: string; readonly path: string };

/** Where and when a call would run, and which agent would run it. */
export interface CallLocation {
  readonly folder: string;
  /** Top folder of the checkout. */
  readonly root: string;
  readonly now: number;
  readonly agent?: string | undefined;
}

/**
 * Reads the call to check: a command, or the path for a file tool. One argument is a whole command line, several are
 * the words of a command, `-` is standard input. Throws USAGE for neither or both.
 */
export function readCheckedCall(
  args: readonly string[],
  options: OptionValues,
  readInput: () => string = () => readFileSync(0, 'utf8'),
): CheckArguments {
  const path = textOption(options, 'path');
  if (path !== undefined && args.length > 0) {
    throw new YoreError('USAGE', 'Give a command or --path, not both.');
  }
  const tool = textOption(options, 'tool') ?? (path === undefined ? 'Bash' : 'Read');
  const isShell = toolFamily(tool) === 'shell';
  if (path !== undefined) {
    if (path.trim() === '') throw new YoreError('USAGE', '--path is empty. Give a file.');
    if (isShell) throw new YoreError('USAGE', `The tool ${tool} runs commands. Give the command after --.`);
    return { kind: 'path', tool, path };
  }
  const command = args.length === 1 && args[0] === '-' ? readInput() : joinWords(args);
  if (command.trim() === '') {
    throw new YoreError('USAGE', 'There is no command to check. Example: yore check -- npm test');
  }
  if (!isShell) throw new YoreError('USAGE', `The tool ${tool} does not run commands. Give a file with --path.`);
  return { kind: 'command', tool, command };
}

/** The call as an agent would make it. */
export function toToolCall(call: CheckArguments, { folder, root, now, agent }: CallLocation): ToolCall {
  return {
    // Not the session of an agent: nothing counts as having just happened in it.
    sessionId: 'check',
    tool: call.tool,
    input: call.kind === 'command' ? { command: call.command } : { file_path: toAbsolute(call.path, folder) },
    timestamp: new Date(now).toISOString(),
    cwd: folder,
    root,
    ...omitUndefined({ agent }),
  };
}

function toAbsolute(path: string, folder: string): string {
  return isAbsolute(path) ? path : resolve(folder, path);
}

/** Words that no shell needs quotes for. */
const PLAIN_WORD = /^[\w@%+=:,./-]+$/;

function joinWords(words: readonly string[]): string {
  if (words.length <= 1) return words[0] ?? '';
  const quote = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;
  return words.map((word) => (PLAIN_WORD.test(word) ? word : quote(word))).join(' ');
}
