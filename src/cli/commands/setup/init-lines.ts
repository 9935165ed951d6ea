import { AGENT_NAMES } from '../../../agents/agent-name.ts';
import { AGENTS } from '../../../agents/registry.ts';
import type { ImportReport } from '../../../import/index.ts';
import { type AgentPlan, type AppliedPlan, type FilePlan, findObstacle, type Target } from '../../../install/index.ts';
import { formatCount, formatNumber } from '../../../text/format-count.ts';
import { hintLines } from '../../choose-project.ts';
import { shortenPath } from '../../machine.ts';
import { formatBytes } from '../../output/format.ts';
import type { Output } from '../../output/output.ts';
import { sanitiseLine } from '../../output/sanitise.ts';
import type { Paint } from '../../output/terminal.ts';
import { importSummaryLines } from './import.ts';
import type { Survey } from './install-survey.ts';

/** A narrower terminal shows what is done to a file below its name. */
const MIN_TABLE_COLUMNS = 72;
const HINT_WIDTH = 21;

/** The agents that were found, and what `yore init` would do. */
export function planLines(survey: Survey, output: Output): string[] {
  const { machine, scope, plans, transcripts = [] } = survey;
  const found = foundLines(survey, output);
  if (found.length === 0) {
    return [
      ...output.wrap('No agents or transcripts were found on this machine.'),
      ...output.wrap('To set up an agent before its first start: yore init --agent claude-code'),
      ...output.wrap('To see what yore does: yore demo'),
    ];
  }
  const files = plans.flatMap((plan) => plan.files);
  const isInstalled = files.length > 0 && files.every(({ edit }) => edit.kind === 'none');
  const read = transcripts.length > 0 ? 'Transcripts are read, not changed. ' : '';
  const privacy = `${read}Everything stays on this machine, in ${shortenPath(machine.yoreHome)}, with secrets masked.`;
  return [
    ...found,
    ...changeLines(plans, scope.kind === 'user' ? 'Settings to change' : 'Project files to change', output),
    ...(isInstalled ? ['', 'Hooks and MCP are already installed.'] : []),
    '',
    ...output.wrap(privacy).map(output.style.dim),
  ];
}

function foundLines({ found, plans, transcripts = [] }: Survey, output: Output): string[] {
  const { style, symbols } = output;
  const transcriptsOf = new Map(transcripts.map((each) => [each.agent, each]));
  const planned = new Set(plans.map(({ agent }) => agent.name));
  const rows = AGENT_NAMES.filter((agent) => transcriptsOf.has(agent) || planned.has(agent)).map((agent) => {
    const trace = found.find((each) => each.agent.name === agent);
    const { count = 0, bytes = 0 } = transcriptsOf.get(agent) ?? {};
    const isFound = trace !== undefined || count > 0;
    return {
      sign: isFound ? style.green(symbols.success) : style.dim(symbols.neutral),
      title: AGENTS[agent].title,
      version: trace?.version ?? '',
      count: count === 0 ? '' : formatNumber(count),
      history: count === 0 ? '' : `transcript${count === 1 ? '' : 's'}, ${formatBytes(bytes)}`,
    };
  });
  if (rows.length === 0) return [];
  const table = output.table(
    [
      { cells: rows.map(({ sign }) => sign) },
      { cells: rows.map(({ title }) => style.bold(title)) },
      { cells: rows.map(({ version }) => style.dim(sanitiseLine(version))) },
      { cells: rows.map(({ count }) => count), align: 'right' },
      { cells: rows.map(({ history }) => history) },
    ],
    2,
  );
  return [style.bold('Agents'), ...table];
}

/** The files to create, change or delete; then agents that are left alone, and why. */
export function changeLines(plans: readonly AgentPlan[], title: string, output: Output): string[] {
  const files = plans.flatMap((plan) => plan.files).filter(({ edit }) => edit.kind !== 'none');
  const rows = output.columns < MIN_TABLE_COLUMNS ? narrowRows(files, output) : wideRows(files, output);
  const notes = plans.flatMap((plan) => noteLines(plan, output));
  return [
    ...(rows.length === 0 ? [] : ['', output.style.bold(title), ...rows]),
    ...(notes.length === 0 ? [] : ['', ...notes]),
  ];
}

function wideRows(files: readonly FilePlan[], output: Output): string[] {
  const { style, columns } = output;
  return output.table(
    [
      { cells: files.map((file) => style.yellow(formatVerb(file))) },
      { cells: files.map(({ target }) => sanitiseLine(shortenPath(target.path))), maxWidth: columns - 30 },
      { cells: files.map(formatDetail).map((detail) => detailPaint(detail, output)(detail)) },
    ],
    2,
  );
}

function narrowRows(files: readonly FilePlan[], output: Output): string[] {
  return files.flatMap((file) => {
    const detail = formatDetail(file);
    return [
      ...output.wrap(sanitiseLine(`${formatVerb(file)} ${shortenPath(file.target.path)}`), 2),
      ...output.clip(detail, { indent: 4, paint: detailPaint(detail, output) }),
    ];
  });
}

function detailPaint(detail: string, { style }: Output): Paint {
  return detail.startsWith('+') ? style.green : style.red;
}

function formatVerb({ edit, exists }: FilePlan): string {
  if (edit.kind === 'delete') return 'delete';
  return exists ? 'edit' : 'create';
}

/** What is added to a file, or removed from it. A write without a recorded hash is what remains after a removal. */
function formatDetail({ edit, target }: FilePlan): string {
  const isAddition = edit.kind === 'write' && edit.record.hash !== '';
  return `${isAddition ? '+' : '-'} ${formatParts(target)}`;
}

function formatParts(target: Target): string {
  if (target.kind === 'json') {
    const events = target.additions.filter(({ part }) => part === 'hooks').map(({ path }) => path.at(-1));
    const hasServer = target.additions.some(({ part }) => part === 'mcp') || target.additions.length === 0;
    const parts = [
      ...(hasServer ? ['MCP server yore'] : []),
      ...(events.length === 0 ? [] : [`${formatCount(events.length, 'hook')}: ${events.join(', ')}`]),
    ];
    return parts.join('; ');
  }
  if (target.kind === 'toml') return 'MCP server yore';
  return target.parts.map((part) => (part === 'mcp' ? 'MCP server yore' : 'hooks')).join('; ') || 'hooks';
}

function noteLines({ agent, problem, note, files }: AgentPlan, output: Output): string[] {
  const { style, symbols } = output;
  const toLines = (sign: string, text: string): string[] =>
    output.clip(sanitiseLine(text), { indent: 4, marker: `  ${sign}`, maxLines: 4 });
  if (problem !== undefined) {
    return toLines(style.red(symbols.failure), `${agent.title} is left unchanged. ${shortenPaths(problem)}`);
  }
  if (note !== undefined) return toLines(style.dim(symbols.neutral), note);
  const isTaken = files.some(({ edit }) => edit.kind !== 'delete' && edit.conflicts.includes('mcp'));
  if (!isTaken) return [];
  const text = `${agent.title} already has another MCP server called "yore". Rename it to install this one.`;
  return toLines(style.yellow(symbols.warning), text);
}

/** Shortens the paths in a message. */
function shortenPaths(text: string): string {
  return text.split(' ').map(shortenPath).join(' ');
}

/** What was done, and what to do next. */
export function resultLines(
  survey: Survey,
  applied: readonly AppliedPlan[],
  report: ImportReport | undefined,
  output: Output,
): string[] {
  return [
    '',
    ...(report === undefined ? [] : importSummaryLines(report, output)),
    ...applied.flatMap((each) => agentLines(each, output)),
    ...nextLines(survey, applied, output),
  ];
}

function agentLines({ plan, changed, problem }: AppliedPlan, output: Output): string[] {
  const { style, symbols } = output;
  const title = style.bold(plan.agent.title);
  const toLines = (marker: string, text: string): string[] =>
    output.clip(`${title}: ${text}`, { indent: 2, marker, maxLines: 4 });
  if (problem !== undefined) {
    const text = `left unchanged. ${shortenPaths(sanitiseLine(problem))}`;
    return toLines(style.red(symbols.failure), text);
  }
  if (plan.files.length === 0) return [];
  const done = changed.length === 0 ? 'already installed' : `installed (${formatCount(changed.length, 'file')})`;
  return toLines(style.green(symbols.success), done);
}

function nextLines(survey: Survey, applied: readonly AppliedPlan[], output: Output): string[] {
  const { scope, machine } = survey;
  const installed = applied.filter(({ plan, problem }) => problem === undefined && plan.files.length > 0);
  const isFromNpxCache = /[/\\]_npx[/\\]/.test(process.argv[1] ?? '');
  const agentSteps = installed.flatMap((each) => findNextStep(each, survey) ?? []);
  const [start, when] = agentSteps.length === 0 ? ['Start', 'now'] : ['Then start', 'then'];
  const steps = [
    ...agentSteps,
    ...(installed.length === 0
      ? []
      : [
          `${start} a new session in your agent. From ${when} on sessions are recorded, and your agents are briefed when they start and warned before they repeat a failure.`,
        ]),
    ...(scope.kind === 'project' && installed.length > 0
      ? ['Commit the files if your team wants them. They have no effect on machines without yore.']
      : []),
    ...(isFromNpxCache
      ? ["yore is running from npx's cache, which may be cleared. To keep it: npm install -g yore"]
      : []),
  ];
  const uninstall = `undo all of this; ${shortenPath(machine.yoreHome)} is kept`;
  return [
    '',
    output.style.bold('Next'),
    ...steps.flatMap((step) => output.clip(step, { indent: 4, marker: `  ${output.symbols.pointer}`, maxLines: 4 })),
    ...hintLines('yore', 'what yore knows about the current project', output, HINT_WIDTH),
    ...hintLines('yore search QUERY', 'search all sessions', output, HINT_WIDTH),
    ...hintLines('yore doctor', 'check that everything works', output, HINT_WIDTH),
    ...hintLines('yore init --uninstall', uninstall, output, HINT_WIDTH),
  ];
}

/** What the user has to do before an agent runs its hooks; a sentence. */
function findNextStep({ plan: { agent }, changed }: AppliedPlan, survey: Survey): string | undefined {
  return findObstacle(agent, survey) ?? (changed.length > 0 ? agent.nextStep?.(survey.scope) : undefined);
}
