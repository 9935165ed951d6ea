import { writeShim } from '../../hook/shim.ts';
import type { ImportReport } from '../../import/index.ts';
import { type AppliedPlan, applyInstallation, writeServerShim } from '../../install/index.ts';
import type { Home } from '../../project/index.ts';
import type { CommandContext, OptionValues } from '../command.ts';
import { confirm } from '../confirm.ts';
import { EXIT } from '../exit-codes.ts';
import { initJson } from '../init/init-json.ts';
import { changeLines, foundLines } from '../init/plan-lines.ts';
import { resultLines } from '../init/result-lines.ts';
import { namedAgents, type Survey, surveyInstallation } from '../init/survey.ts';
import { runUninstall } from '../init/uninstall.ts';
import { packageFile, placesOf, shortPath } from '../machine.ts';
import { flagOption } from '../option-values.ts';
import { wrap } from '../output/width.ts';
import { importWithProgress } from '../run-import.ts';

/** `yore init`. */
export async function runInit(
  context: CommandContext,
  _args: readonly string[],
  options: OptionValues,
): Promise<number> {
  const home = await context.openHome();
  if (flagOption(options, 'uninstall') || flagOption(options, 'purge')) {
    return await runUninstall(context, home, options);
  }
  const { output } = context;
  const isJson = flagOption(options, 'json');
  const survey = await surveyInstallation(context, home, options);
  const isDryRun = flagOption(options, 'dryRun');
  if (!isJson) sayWhatWillBeDone(survey, context);
  if (isDryRun) {
    if (isJson) output.json(initJson(survey, { isDryRun }));
    else output.lines('', 'No transcript was opened and nothing was changed: this was a dry run.');
    return exitCodeOf(survey.plans);
  }
  if (survey.plans.length + (survey.transcripts?.length ?? 0) === 0) {
    if (isJson) output.json(initJson(survey, { isDryRun }));
    return EXIT.ok;
  }
  if (!flagOption(options, 'yes') && !(await confirm('Go on?', output))) {
    output.notice('No transcript was opened and nothing was changed.');
    return EXIT.interrupted;
  }
  return await install(survey, context, home, options);
}

async function install(
  survey: Survey,
  context: CommandContext,
  home: Home,
  options: OptionValues,
): Promise<number> {
  const { output } = context;
  let report: ImportReport | undefined;
  if (survey.transcripts !== undefined && survey.transcripts.length > 0) {
    const agents = namedAgents(options);
    const places = placesOf(context, home);
    const ended = await importWithProgress(home, { places, ...(agents ? { agents } : {}) }, output);
    if (!ended.isDone) {
      output.notice('Interrupted. What was read is kept; run yore init again to go on.');
      return EXIT.interrupted;
    }
    report = ended.result;
  }
  const applied = wire(survey, context);
  if (flagOption(options, 'json')) {
    output.json(initJson(survey, { isDryRun: false, applied, ...(report ? { report } : {}) }));
  } else output.lines(...resultLines(survey, applied, report, output));
  return exitCodeOf(applied);
}

/** The files that agents call come first: a hook must not be wired to nothing. */
function wire({ machine, plans, scope }: Survey, context: CommandContext): readonly AppliedPlan[] {
  if (plans.every(({ files }) => files.length === 0)) return plans.map((plan) => applyNothing(plan));
  writeShim(machine.yoreHome, { node: process.execPath, script: packageFile('dist/hook/main.cjs') });
  writeServerShim(machine, { node: process.execPath, script: packageFile('dist/cli/main.cjs') });
  return plans.map((plan) => applyInstallation(plan, machine.yoreHome, scope, context.now()));
}

function applyNothing(plan: AppliedPlan['plan']): AppliedPlan {
  return { plan, changed: [], ...(plan.problem === undefined ? {} : { problem: plan.problem }) };
}

function sayWhatWillBeDone(survey: Survey, { output }: CommandContext): void {
  const { style, columns } = output;
  const found = foundLines(survey, output);
  if (found.length === 0) {
    output.lines(
      ...wrap('No agent was found on this machine, and no transcript of one.', columns),
      ...wrap('Name one to wire it before its first start: yore init --agent claude-code', columns),
    );
    return;
  }
  const title = survey.scope.kind === 'user' ? 'Settings that change' : 'Files of this project that change';
  output.lines(...found, ...changeLines(survey.plans, title, output));
  const changes = survey.plans.flatMap(({ files }) => files).some(({ edit }) => edit.kind !== 'none');
  const isWired = survey.plans.some(({ files }) => files.length > 0);
  if (!changes && isWired) output.lines('', 'Hooks and MCP are wired already.');
  const where = shortPath(survey.machine.yoreHome);
  const reads = survey.transcripts && survey.transcripts.length > 0 ? 'The transcripts are read once, ' : '';
  const keeps = `${reads}${reads === '' ? 'Everything' : 'everything'} is kept in ${where}, and secrets are masked first. Nothing leaves this machine.`;
  output.lines('', ...wrap(keeps, columns).map(style.dim));
}

function exitCodeOf(results: readonly { readonly problem?: string }[]): number {
  return results.some(({ problem }) => problem !== undefined) ? EXIT.config : EXIT.ok;
}
