import type { ImportReport } from '../../import/index.ts';
import type { AppliedPlan } from '../../install/index.ts';
import { shortPath } from '../machine.ts';
import { clipped } from '../output/indented.ts';
import type { Output } from '../output/output.ts';
import { countOf } from '../output/quantity.ts';
import { sanitiseLine } from '../output/sanitise.ts';
import { pad } from '../output/width.ts';
import { importReportLines } from '../run-import.ts';
import type { Survey } from './survey.ts';

/** What was done, and what happens next. */
export function resultLines(
  survey: Survey,
  applied: readonly AppliedPlan[],
  report: ImportReport | undefined,
  output: Output,
): string[] {
  return [
    '',
    ...(report === undefined ? [] : importReportLines(report, output)),
    ...applied.flatMap((each) => agentLines(each, output)),
    ...nextLines(survey, applied, output),
  ];
}

function agentLines({ plan, changed, problem }: AppliedPlan, output: Output): string[] {
  const { style, symbols, columns } = output;
  const { title } = plan.unit;
  const line = (sign: string, text: string): string[] =>
    clipped(text, { by: 2, columns, ellipsis: symbols.ellipsis, sign, lines: 4 });
  if (problem !== undefined) {
    const text = sanitiseLine(problem).split(' ').map(shortPath).join(' ');
    return line(style.red(symbols.failure), `${style.bold(title)} was left as it is. ${text}`);
  }
  if (plan.files.length === 0) return [];
  const did = changed.length === 0 ? 'was wired already' : `is wired: ${countOf(changed.length, 'file')}`;
  return line(style.green(symbols.success), `${style.bold(title)} ${did}`);
}

function nextLines({ scope, machine }: Survey, applied: readonly AppliedPlan[], output: Output): string[] {
  const { style, symbols, columns } = output;
  const wired = applied.filter(({ plan, problem }) => problem === undefined && plan.files.length > 0);
  const isFromCache = /[/\\]_npx[/\\]/.test(process.argv[1] ?? '');
  const steps = [
    ...(wired.length === 0
      ? []
      : [
          'Start a new session in your agent: it is recorded from now on, briefed at its start and warned before it repeats a failure.',
        ]),
    ...wired.flatMap(({ plan, changed }) =>
      plan.unit.next !== undefined && changed.length > 0 ? [plan.unit.next] : [],
    ),
    ...(scope.kind === 'project' && wired.length > 0
      ? ['Commit the files if your team wants them: without yore on a machine they do nothing.']
      : []),
    ...(isFromCache
      ? ['yore runs from the cache of npx, which may be cleared: npm install -g yore keeps it.']
      : []),
  ];
  const hint = (command: string, meaning: string): string[] =>
    clipped(meaning, {
      by: 25,
      columns,
      ellipsis: symbols.ellipsis,
      sign: `  ${style.cyan(pad(command, 21))} `,
    });
  return [
    '',
    style.bold('Next'),
    ...steps.flatMap((step) =>
      clipped(step, { by: 4, columns, ellipsis: symbols.ellipsis, sign: `  ${symbols.pointer}`, lines: 4 }),
    ),
    ...hint('yore', 'what is known of the project you are in'),
    ...hint('yore search QUERY', 'find anything in all sessions'),
    ...hint('yore doctor', 'whether everything works'),
    ...hint('yore init --uninstall', `take all of this back; ${shortPath(machine.yoreHome)} stays`),
  ];
}
