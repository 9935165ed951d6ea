import { AGENT_NAMES } from '../../agents/agent-name.ts';
import type { AgentPlan, FilePlan, Target } from '../../install/index.ts';
import { shortPath } from '../machine.ts';
import { clipped, indented } from '../output/indented.ts';
import type { Output } from '../output/output.ts';
import { countOf, formatBytes, formatCount } from '../output/quantity.ts';
import { sanitiseLine } from '../output/sanitise.ts';
import { layoutTable } from '../output/table.ts';
import type { Survey } from './survey.ts';

/** Below this width, what is done to a file stands below its name. */
const NARROW = 72;

/** The agents that were found and what they left. */
export function foundLines({ found, plans, transcripts = [] }: Survey, output: Output): string[] {
  const { style, symbols, columns } = output;
  const left = new Map(transcripts.map((each) => [each.agent, each]));
  const wired = new Map(plans.map((plan) => [plan.unit.agent, plan]));
  const rows = AGENT_NAMES.filter((agent) => left.has(agent) || wired.has(agent)).map((agent) => {
    const trace = found.find(({ unit }) => unit.agent === agent);
    const { count = 0, bytes = 0 } = left.get(agent) ?? {};
    return {
      title: wired.get(agent)?.unit.title ?? agent,
      version: trace?.version ?? '',
      count: count === 0 ? '' : formatCount(count),
      history: count === 0 ? '' : `transcript${count === 1 ? '' : 's'}, ${formatBytes(bytes)}`,
      isThere: trace !== undefined || count > 0,
    };
  });
  if (rows.length === 0) return [];
  const table = layoutTable(
    [
      { cells: rows.map((row) => (row.isThere ? style.green(symbols.success) : style.dim(symbols.neutral))) },
      { cells: rows.map((row) => style.bold(row.title)) },
      { cells: rows.map((row) => style.dim(sanitiseLine(row.version))) },
      { cells: rows.map((row) => row.count), align: 'right' },
      { cells: rows.map((row) => row.history) },
    ],
    columns - 2,
    symbols.ellipsis,
  );
  return [style.bold('Agents'), ...table.map((line) => `  ${line}`)];
}

/** The files that are created, changed or deleted, and what stays as it is and why. */
export function changeLines(plans: readonly AgentPlan[], title: string, output: Output): string[] {
  const { style, columns } = output;
  const files = plans.flatMap(({ files: each }) => each.filter(({ edit }) => edit.kind !== 'none'));
  const asides = plans.flatMap((plan) => asideLines(plan, output));
  const rows = columns < NARROW ? narrowRows(files, output) : wideRows(files, output);
  return [
    ...(rows.length === 0 ? [] : ['', style.bold(title), ...rows]),
    ...(asides.length === 0 ? [] : ['', ...asides]),
  ];
}

function wideRows(files: readonly FilePlan[], output: Output): string[] {
  const { style, symbols, columns } = output;
  const table = layoutTable(
    [
      { cells: files.map((file) => style.yellow(verbOf(file))) },
      { cells: files.map(({ target }) => sanitiseLine(shortPath(target.path))), atMost: columns - 30 },
      { cells: files.map((file) => paintedDetail(file, output)) },
    ],
    columns - 2,
    symbols.ellipsis,
  );
  return table.map((line) => `  ${line}`);
}

function narrowRows(files: readonly FilePlan[], output: Output): string[] {
  const { style, symbols, columns } = output;
  return files.flatMap((file) => [
    ...indented(sanitiseLine(`${verbOf(file)} ${shortPath(file.target.path)}`), 2, columns),
    ...clipped(`${signOf(file)} ${detailOf(file.target)}`, {
      by: 4,
      columns,
      ellipsis: symbols.ellipsis,
      paint: file.edit.kind === 'write' && signOf(file) === '+' ? style.green : style.red,
    }),
  ]);
}

function paintedDetail(file: FilePlan, { style }: Output): string {
  const text = `${signOf(file)} ${detailOf(file.target)}`;
  return signOf(file) === '+' ? style.green(text) : style.red(text);
}

function verbOf({ edit, isThere }: FilePlan): string {
  if (edit.kind === 'delete') return 'delete';
  return isThere ? 'edit' : 'new';
}

/** What is written without a fingerprint is what is left after a removal. */
function signOf({ edit }: FilePlan): '+' | '-' {
  return edit.kind === 'write' && edit.footprint.hash !== '' ? '+' : '-';
}

function detailOf(target: Target): string {
  if (target.kind === 'json') {
    const events = target.additions.filter(({ part }) => part === 'hooks').map(({ path }) => path.at(-1));
    const hooks = events.length === 0 ? '' : `${countOf(events.length, 'hook')}: ${events.join(', ')}`;
    const hasServer = target.additions.some(({ part }) => part === 'mcp') || target.additions.length === 0;
    return [hasServer ? 'MCP server yore' : '', hooks].filter((part) => part !== '').join('; ');
  }
  if (target.kind === 'toml') return 'MCP server yore';
  return target.parts.map((part) => (part === 'mcp' ? 'MCP server yore' : 'hooks')).join('; ') || 'hooks';
}

function asideLines(plan: AgentPlan, output: Output): string[] {
  const { style, symbols, columns } = output;
  const { title } = plan.unit;
  const line = (sign: string, text: string): string[] =>
    clipped(sanitiseLine(text), { by: 4, columns, ellipsis: symbols.ellipsis, sign: `  ${sign}`, lines: 4 });
  if (plan.problem !== undefined) {
    return line(style.red(symbols.failure), `${title} is left as it is. ${shortened(plan.problem)}`);
  }
  if (plan.note !== undefined) return line(style.dim(symbols.neutral), plan.note);
  const taken = plan.files.some(({ edit }) => edit.kind !== 'delete' && edit.taken.includes('mcp'));
  if (taken) {
    const text = `${title} has another MCP server called "yore", which stays. Rename it to get this one.`;
    return line(style.yellow(symbols.warning), text);
  }
  return [];
}

/** Messages name whole paths; here the user's home is `~`. */
function shortened(text: string): string {
  return text.split(' ').map(shortPath).join(' ');
}
