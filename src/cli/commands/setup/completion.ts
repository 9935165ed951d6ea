import { SETTINGS } from '../../../config/index.ts';
import type { Project } from '../../../project/index.ts';
import { YoreError } from '../../../record/index.ts';
import type { CommandContext, CommandRun } from '../../command.ts';
import { textOption } from '../../options.ts';
import { PROGRAM } from '../../program.ts';
import { bashCompletion, fishCompletion, toCompletionCommands, zshCompletion } from './completion-scripts.ts';

const MAX_SESSIONS = 200;
const MAX_FAILURES = 100;
const MAX_DECISIONS = 100;

/** Words that need no quotes in any shell. */
const SAFE_WORD = /^[A-Za-z0-9_][A-Za-z0-9_.@+-]*$/;

/** `yore completion`. */
export const runCompletion: CommandRun = async (context, args, options) => {
  const kind = textOption(options, 'values');
  if (kind !== undefined) {
    const values = await findValues(kind, context);
    context.output.lines(...values.filter((value) => SAFE_WORD.test(value)));
    return;
  }
  const toScript = SCRIPTS.get(args[0] ?? '');
  if (toScript === undefined) throw new YoreError('USAGE', 'Name a shell: bash, zsh or fish.');
  context.output.lines(toScript(toCompletionCommands(PROGRAM)).trimEnd());
};

const SCRIPTS = new Map([
  ['bash', bashCompletion],
  ['zsh', zshCompletion],
  ['fish', fishCompletion],
]);

async function findValues(kind: string, context: CommandContext): Promise<readonly string[]> {
  if (kind === 'settings') return SETTINGS.map(({ key }) => key);
  const home = await context.openHome();
  if (kind === 'sessions') {
    return home.listSessions({ limit: MAX_SESSIONS }).sessions.map(({ sessionId }) => sessionId);
  }
  if (kind === 'failures') return findFailureIds(home.findProject(context.cwd));
  if (kind === 'decisions') {
    const decisions = home.findProject(context.cwd)?.memory.conclusions({ all: true, limit: MAX_DECISIONS }) ?? [];
    return decisions.map(({ id }) => id);
  }
  return home
    .projects()
    .map(({ displayName, projectHash }) => (SAFE_WORD.test(displayName) ? displayName : projectHash));
}

/** The newest failures, and those that were warned about. */
function findFailureIds(project: Project | undefined): readonly string[] {
  if (project === undefined) return [];
  const failures = project.memory.failures({ all: true }).slice(0, MAX_FAILURES);
  const warnings = project.memory.warnings(MAX_FAILURES);
  return [...new Set([...failures.map(({ id }) => id), ...warnings.map(({ failureId }) => failureId)])];
}
