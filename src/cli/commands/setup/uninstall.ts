import { rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { storageError } from '../../../files/index.ts';
import { type AppliedPlan, applyUninstallation, readInstallRecord } from '../../../install/index.ts';
import { type Home, userHomeFolder } from '../../../project/index.ts';
import { YoreError } from '../../../record/index.ts';
import { formatCount } from '../../../text/format-count.ts';
import type { CommandContext, OptionValues } from '../../command.ts';
import { EXIT } from '../../exit-codes.ts';
import { confirm } from '../../interaction.ts';
import { shortenPath } from '../../machine.ts';
import { flagOption } from '../../options.ts';
import { formatBytes } from '../../output/format.ts';
import type { Output } from '../../output/output.ts';
import { sanitiseLine } from '../../output/sanitise.ts';
import { changeLines } from './init-lines.ts';
import { type Survey, surveyUninstallation, toInitJson } from './install-survey.ts';

/** `yore init --uninstall` and `--purge`. */
export async function runUninstall(context: CommandContext, home: Home, options: OptionValues): Promise<number> {
  const { output } = context;
  const isPurge = flagOption(options, 'purge');
  const isDryRun = flagOption(options, 'dry-run');
  const isJson = flagOption(options, 'json');
  if (isPurge && (flagOption(options, 'project') || options.agent !== undefined)) {
    throw new YoreError('USAGE', '--purge deletes everything; it cannot be combined with --project or --agent.');
  }
  if (isPurge) checkPurge(home.path);
  const survey = await surveyUninstallation(context, home, options);
  const hasChanges = survey.plans.some(({ files }) => files.some(({ edit }) => edit.kind !== 'none'));
  if (!isJson) {
    output.lines(...changeLines(survey.plans, 'Settings to restore', output).slice(1));
    if (!hasChanges) output.lines('yore is not installed in any agent here.');
  }
  const mustAsk = !isDryRun && (hasChanges || isPurge) && !flagOption(options, 'yes');
  if (mustAsk && !(await confirm(isPurge ? formatPurgeQuestion(home) : 'Continue?', output))) {
    output.notice('Nothing was changed.');
    return EXIT.interrupted;
  }
  const applied = isDryRun ? undefined : survey.plans.map((plan) => applyUninstallation(plan, home.path));
  if (applied !== undefined) deleteFiles(survey, home, isPurge);
  if (isJson) output.json({ ...toInitJson(survey, isDryRun, applied), purged: isPurge && !isDryRun });
  else if (applied === undefined) output.lines('', 'Dry run: nothing was changed.');
  else output.lines(...resultLines(applied, output), ...homeLines(home, { isPurge, hasChanges }, output));
  const hasProblem = (applied ?? survey.plans).some(({ problem }) => problem !== undefined);
  return hasProblem ? EXIT.config : EXIT.ok;
}

/** Protects the user's files from a home that was set by mistake. */
function checkPurge(path: string): void {
  const holdsMore = [userHomeFolder(), process.cwd()].some((folder) => !relative(path, folder).startsWith('..'));
  if (!holdsMore) return;
  throw new YoreError(
    'USAGE',
    `${path} contains more than yore's files, so it was not deleted. Delete yore's files yourself.`,
  );
}

function formatPurgeQuestion(home: Home): string {
  const { sessions, withoutWork, bytesOnDisk } = home.status();
  return `Permanently delete ${home.path} with ${formatCount(sessions + withoutWork, 'session')} (${formatBytes(bytesOnDisk)})?`;
}

/** Deletes the home, or only the shims once no agent calls them any more. */
function deleteFiles({ scope, plans }: Survey, home: Home, isPurge: boolean): void {
  home.close();
  const isComplete = scope.kind === 'user' && plans.every(({ problem }) => problem === undefined);
  const isUnused = readInstallRecord(home.path).files.size === 0;
  const path = isPurge ? home.path : isComplete && isUnused ? join(home.path, 'bin') : undefined;
  if (path === undefined) return;
  try {
    rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  } catch (error) {
    throw storageError('delete', path, error);
  }
}

function resultLines(applied: readonly AppliedPlan[], output: Output): string[] {
  const { style, symbols } = output;
  return applied.flatMap(({ plan, changed, problem }) => {
    const title = style.bold(plan.agent.title);
    if (problem !== undefined && problem !== plan.problem) {
      return output.wrap(`${style.red(symbols.failure)} ${title}: left unchanged. ${sanitiseLine(problem)}`);
    }
    return changed.length > 0 ? [`${style.green(symbols.success)} ${title}: uninstalled`] : [];
  });
}

function homeLines(
  home: Home,
  { isPurge, hasChanges }: { readonly isPurge: boolean; readonly hasChanges: boolean },
  output: Output,
): string[] {
  const path = sanitiseLine(shortenPath(home.path));
  if (isPurge) return [`Deleted ${path}.`];
  if (!hasChanges) return [];
  return output.wrap(`Your history is kept in ${path}. To delete it: yore init --purge`).map(output.style.dim);
}
