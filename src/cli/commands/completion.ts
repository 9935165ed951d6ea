import { SETTINGS } from '../../config/index.ts';
import type { Project } from '../../project/index.ts';
import { YoreError } from '../../record/index.ts';
import type { CommandContext, OptionValues } from '../command.ts';
import { bashCompletion } from '../completion/bash.ts';
import { fishCompletion } from '../completion/fish.ts';
import { completedCommands } from '../completion/model.ts';
import { zshCompletion } from '../completion/zsh.ts';
import { textOption } from '../option-values.ts';
import { PROGRAM } from '../program.ts';

const SESSIONS_OFFERED = 200;
const FAILURES_OFFERED = 100;

/** Words that need no quoting in any shell. */
const SAFE = /^[A-Za-z0-9_][A-Za-z0-9_.@+-]*$/;

/** `yore completion`. */
export async function runCompletion(
  context: CommandContext,
  args: readonly string[],
  options: OptionValues,
): Promise<void> {
  const kind = textOption(options, 'values');
  if (kind !== undefined) {
    context.output.lines(...(await valuesOf(kind, context)).filter((value) => SAFE.test(value)));
    return;
  }
  const commands = completedCommands(PROGRAM);
  switch (args[0]) {
    case 'bash':
      return context.output.lines(bashCompletion(commands).trimEnd());
    case 'zsh':
      return context.output.lines(zshCompletion(commands).trimEnd());
    case 'fish':
      return context.output.lines(fishCompletion(commands).trimEnd());
    default:
      throw new YoreError('USAGE', 'Which shell? Write bash, zsh or fish.');
  }
}

async function valuesOf(kind: string, context: CommandContext): Promise<readonly string[]> {
  if (kind === 'settings') return SETTINGS.map(({ key }) => key);
  const home = await context.openHome();
  if (kind === 'sessions') {
    return home.listSessions({ limit: SESSIONS_OFFERED }).sessions.map(({ sessionId }) => sessionId);
  }
  if (kind === 'failures') return failureIds(home.findProject(context.cwd));
  return home
    .projects()
    .map(({ displayName, projectHash }) => (SAFE.test(displayName) ? displayName : projectHash));
}

/** What can be dismissed or pinned here: the newest failures, and what was warned about. */
function failureIds(project: Project | undefined): readonly string[] {
  if (project === undefined) return [];
  const failures = project.memory.failures({ all: true }).slice(0, FAILURES_OFFERED);
  const warnings = project.memory.warnings(FAILURES_OFFERED);
  return [...new Set([...failures.map(({ id }) => id), ...warnings.map(({ hazardId }) => hazardId)])];
}
