import { writeShim } from '../../../hook/shim.ts';
import type { ImportReport } from '../../../import/index.ts';
import { type AppliedPlan, applyInstallation, writeServerShim } from '../../../install/index.ts';
import type { Home } from '../../../project/index.ts';
import { omitUndefined } from '../../../record/object.ts';
import type { CommandContext, CommandRun, OptionValues } from '../../command.ts';
import { EXIT } from '../../exit-codes.ts';
import { confirm } from '../../interaction.ts';
import { getMachinePlaces, packageFile } from '../../machine.ts';
import { flagOption } from '../../options.ts';
import { importWithProgress } from './import.ts';
import { planLines, resultLines } from './init-lines.ts';
import { agentOptions, type Survey, surveyInstallation, toInitJson } from './install-survey.ts';
import { runUninstall } from './uninstall.ts';

/** `yore init`. */
export const runInit: CommandRun = async (context, _args, options) => {
  const home = await context.openHome();
  if (flagOption(options, 'uninstall') || flagOption(options, 'purge')) {
    return await runUninstall(context, home, options);
  }
  const { output } = context;
  const isJson = flagOption(options, 'json');
  const isDryRun = flagOption(options, 'dry-run');
  const survey = await surveyInstallation(context, home, options);
  const isEmpty = survey.plans.length + (survey.transcripts?.length ?? 0) === 0;
  if (!isJson) output.lines(...planLines(survey, output));
  if (isDryRun || isEmpty) {
    if (isJson) output.json(toInitJson(survey, isDryRun));
    else if (isDryRun) output.lines('', 'Dry run: no transcript was opened and nothing was changed.');
    return findExitCode(survey.plans);
  }
  if (!flagOption(options, 'yes') && !(await confirm('Continue?', output))) {
    output.notice('No transcript was opened and nothing was changed.');
    return EXIT.interrupted;
  }
  return await install(survey, context, home, options);
};

async function install(survey: Survey, context: CommandContext, home: Home, options: OptionValues): Promise<number> {
  const { output } = context;
  let report: ImportReport | undefined;
  if (survey.transcripts !== undefined && survey.transcripts.length > 0) {
    const places = getMachinePlaces(context, home);
    const agents = agentOptions(options);
    const ended = await importWithProgress(home, { places, ...omitUndefined({ agents }) }, output);
    if (!ended.isDone) {
      output.notice('Interrupted. What was imported so far is kept; run yore init again to continue.');
      return EXIT.interrupted;
    }
    report = ended.result;
  }
  const applied = applyPlans(survey, context);
  if (flagOption(options, 'json')) output.json(toInitJson(survey, false, applied, report));
  else output.lines(...resultLines(survey, applied, report, output));
  return findExitCode(applied);
}

/** Writes the shims before the settings that refer to them. */
function applyPlans({ machine, plans, scope }: Survey, context: CommandContext): readonly AppliedPlan[] {
  if (plans.every(({ files }) => files.length === 0)) {
    return plans.map((plan) => ({ plan, changed: [], ...omitUndefined({ problem: plan.problem }) }));
  }
  writeShim(machine.yoreHome, { node: process.execPath, script: packageFile('dist/hook/main.cjs') });
  writeServerShim(machine, { node: process.execPath, script: packageFile('dist/cli/main.cjs') });
  return plans.map((plan) => applyInstallation(plan, machine.yoreHome, scope, context.now()));
}

function findExitCode(results: readonly { readonly problem?: string }[]): number {
  return results.some(({ problem }) => problem !== undefined) ? EXIT.config : EXIT.ok;
}
