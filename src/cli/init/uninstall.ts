import { rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, relative } from 'node:path';
import { storageError } from '../../files/index.ts';
import { type AppliedPlan, applyUninstallation, readInstallRecord } from '../../install/index.ts';
import type { Home } from '../../project/index.ts';
import { YoreError } from '../../record/index.ts';
import type { CommandContext, OptionValues } from '../command.ts';
import { confirm } from '../confirm.ts';
import { EXIT } from '../exit-codes.ts';
import { shortPath } from '../machine.ts';
import { flagOption } from '../option-values.ts';
import { countOf, formatBytes } from '../output/quantity.ts';
import { sanitiseLine } from '../output/sanitise.ts';
import { wrap } from '../output/width.ts';
import { initJson } from './init-json.ts';
import { changeLines } from './plan-lines.ts';
import { type Survey, surveyUninstallation } from './survey.ts';

/** `yore init --uninstall` and `--purge`. */
export async function runUninstall(
  context: CommandContext,
  home: Home,
  options: OptionValues,
): Promise<number> {
  const { output } = context;
  const isPurge = flagOption(options, 'purge');
  if (isPurge && (flagOption(options, 'project') || options.agent !== undefined)) {
    throw new YoreError('USAGE', '--purge deletes all of yore: it takes neither --project nor --agent.');
  }
  if (isPurge) checkPurge(home.path);
  const survey = surveyUninstallation(context, home, options);
  const isDryRun = flagOption(options, 'dryRun');
  const isJson = flagOption(options, 'json');
  const changes = survey.plans.some(({ files }) => files.some(({ edit }) => edit.kind !== 'none'));
  const question = isPurge ? purgeQuestion(home) : 'Go on?';
  if (!isJson) {
    output.lines(...changeLines(survey.plans, 'Settings that change back', output).slice(1));
    if (!changes) output.lines('yore is wired into no agent here.');
  }
  if (
    !isDryRun &&
    (changes || isPurge) &&
    !flagOption(options, 'yes') &&
    !(await confirm(question, output))
  ) {
    output.notice('Nothing was changed.');
    return EXIT.interrupted;
  }
  const applied = isDryRun ? undefined : survey.plans.map((plan) => applyUninstallation(plan, home.path));
  if (applied !== undefined) tidyUp(survey, home, isPurge);
  if (isJson)
    output.json({
      ...asObject(initJson(survey, { isDryRun, ...(applied ? { applied } : {}) })),
      purged: isPurge && !isDryRun,
    });
  else sayWhatWasDone(applied, changes, isPurge, context, home);
  const problem = (applied ?? survey.plans).some((each) => each.problem !== undefined);
  return problem ? EXIT.config : EXIT.ok;
}

/** A home that was named by mistake must not take the user's files with it. */
function checkPurge(path: string): void {
  const isAround = [homedir(), process.cwd()].some((folder) => !relative(path, folder).startsWith('..'));
  if (!isAround) return;
  throw new YoreError(
    'USAGE',
    `${path} holds more than yore's files: yore does not delete it. Delete them by hand.`,
  );
}

function purgeQuestion(home: Home): string {
  const { sessions, bytesOnDisk } = home.status();
  return `Delete ${home.path} with ${countOf(sessions, 'session')} (${formatBytes(bytesOnDisk)}) for good?`;
}

/** The files that agents call go when nobody calls them any more. */
function tidyUp({ scope, plans }: Survey, home: Home, isPurge: boolean): void {
  home.close();
  const isAll = scope.kind === 'user' && plans.every(({ problem }) => problem === undefined);
  const isUnused = readInstallRecord(home.path).files.size === 0;
  const doomed = isPurge ? home.path : isAll && isUnused ? join(home.path, 'bin') : undefined;
  if (doomed === undefined) return;
  try {
    rmSync(doomed, { recursive: true, force: true, maxRetries: 3 });
  } catch (error) {
    throw storageError('delete', doomed, error);
  }
}

function sayWhatWasDone(
  applied: readonly AppliedPlan[] | undefined,
  changes: boolean,
  isPurge: boolean,
  { output }: CommandContext,
  home: Home,
): void {
  const { style, symbols, columns } = output;
  if (applied === undefined) {
    output.lines('', 'Nothing was changed: this was a dry run.');
    return;
  }
  for (const { plan, changed, problem } of applied) {
    if (problem !== undefined && problem !== plan.problem) {
      const text = `${style.red(symbols.failure)} ${plan.unit.title} was left as it is. ${sanitiseLine(problem)}`;
      output.lines(...wrap(text, columns));
    } else if (changed.length > 0) {
      output.lines(`${style.green(symbols.success)} ${style.bold(plan.unit.title)} is as it was before.`);
    }
  }
  if (isPurge) output.lines(`Deleted ${sanitiseLine(shortPath(home.path))}.`);
  else if (changes) {
    const kept = `What yore knows is kept in ${sanitiseLine(shortPath(home.path))}. yore init --purge deletes it.`;
    output.lines(...wrap(kept, columns).map(style.dim));
  }
}

function asObject(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {};
}
