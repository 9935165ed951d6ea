import { AGENT_NAMES, type AgentName } from '../../agents/agent-name.ts';
import type { AgentReport, ImportReport } from '../../import/index.ts';
import type { Output } from './output.ts';
import { countOf, formatCount } from './quantity.ts';
import { sanitiseLine } from './sanitise.ts';
import { layoutTable } from './table.ts';
import { wrap } from './width.ts';

const MOST_LEFT = 5;
const MOST_REASONS = 12;

/** Where the transcripts of each agent are looked for. */
const PLACES: Readonly<Record<AgentName, string>> = {
  'claude-code': '~/.claude/projects',
  codex: '~/.codex/sessions',
  gemini: '~/.gemini/tmp',
  opencode: '~/.local/share/opencode',
  copilot: '~/.copilot/session-state',
  cursor: '~/.cursor/projects',
  pi: '~/.pi/agent/sessions',
  aider: '.aider.chat.history.md of known projects',
  cline: "the editors' globalStorage",
  roo: "the editors' globalStorage",
  'ac-dc': '.ac-dc of known projects',
  autohand: '~/.autohand',
  m31a: '~/.m31a',
};

/** What an import did, for a person: a table, then what was left out and why. */
export function importLines(report: ImportReport, output: Output): string[] {
  const agents = report.agents.filter(({ found }) => found > 0);
  const { style, columns } = output;
  return [
    headline(report, agents),
    '',
    ...agentTable(agents, output),
    ...skippedLines(agents, output),
    ...leftLines(agents, output),
    ...problemLines(agents, output),
    '',
    ...wrap(
      report.isDryRun
        ? 'Nothing was written. Without --dry-run it is imported.'
        : 'Find it: yore search, yore recap, yore sessions',
      columns,
    ).map(style.dim),
  ];
}

/** What is said when no agent left anything. */
export function nothingToImport(agents: readonly AgentName[], { style, columns, symbols }: Output): string[] {
  const names = AGENT_NAMES.filter((name) => agents.length === 0 || agents.includes(name));
  return [
    'No transcripts of coding agents were found. Looked at:',
    '',
    ...layoutTable(
      [{ cells: names.map((name) => `  ${name}`) }, { cells: names.map((name) => style.dim(PLACES[name])) }],
      columns,
      symbols.ellipsis,
    ),
    '',
    style.dim('A transcript from somewhere else: yore import --file PATH'),
  ];
}

function headline({ projects, prompts, isDryRun }: ImportReport, agents: readonly AgentReport[]): string {
  const records = sum(agents, ({ counts }) => counts.messages + attemptsOf(counts.attempts));
  if (records === 0) return 'Nothing new to import.';
  const verb = isDryRun ? 'There is something new:' : 'Imported';
  const from = countOf(
    sum(agents, ({ sessions }) => sessions),
    'session',
  );
  const typed = prompts === 0 ? '' : `, ${countOf(prompts, 'prompt')} into the prompt history`;
  return `${verb} ${countOf(records, 'record')} of ${from} in ${countOf(projects.length, 'project')}${typed}.`;
}

function agentTable(agents: readonly AgentReport[], { style, columns, symbols }: Output): string[] {
  const column = (title: string, value: (agent: AgentReport) => number) => ({
    cells: [style.dim(title), ...agents.map((agent) => formatCount(value(agent)))],
    align: 'right' as const,
  });
  return layoutTable(
    [
      { cells: [style.dim('agent'), ...agents.map(({ agent }) => agent)] },
      column('transcripts', ({ found }) => found),
      column('read', ({ read }) => read),
      column('unchanged', ({ unchanged }) => unchanged),
      column('lines', ({ lines }) => lines),
      column('messages', ({ counts }) => counts.messages),
      column('worked', ({ counts }) => counts.attempts.success ?? 0),
      column('failed', ({ counts }) => counts.attempts.failure ?? 0),
      column(
        'other',
        ({ counts: { attempts } }) =>
          attemptsOf(attempts) - (attempts.success ?? 0) - (attempts.failure ?? 0),
      ),
      column('known', ({ counts }) => counts.duplicates),
    ],
    columns,
    symbols.ellipsis,
  );
}

/** What nothing was made of, the most frequent reasons first. */
function skippedLines(agents: readonly AgentReport[], { style, columns }: Output): string[] {
  const reasons = new Map<string, number>();
  for (const { counts } of agents) {
    for (const [reason, count] of counts.skipped) reasons.set(reason, (reasons.get(reason) ?? 0) + count);
  }
  if (reasons.size === 0) return [];
  const sorted = [...reasons].sort(([, a], [, b]) => b - a);
  const named = sorted
    .slice(0, MOST_REASONS)
    .map(([reason, count]) => `${sanitiseLine(reason)} ${formatCount(count)}`);
  const rest = sorted.slice(MOST_REASONS).reduce((total, [, count]) => total + count, 0);
  if (rest > 0) named.push(`other ${formatCount(rest)}`);
  return ['', ...wrap(`Skipped: ${named.join(', ')}.`, columns).map(style.dim)];
}

function leftLines(agents: readonly AgentReport[], { style, columns }: Output): string[] {
  const left = agents.flatMap((agent) => agent.left);
  const older = sum(agents, (agent) => agent.older);
  const lines = left
    .slice(0, MOST_LEFT)
    .map(({ path, reason }) => `Not read: ${sanitiseLine(path)}: ${sanitiseLine(reason)}`);
  if (left.length > MOST_LEFT)
    lines.push(`Not read: ${formatCount(left.length - MOST_LEFT)} more (--json lists them)`);
  if (older > 0) lines.push(`Older than --since: ${countOf(older, 'transcript')}`);
  return lines.length === 0 ? [] : ['', ...lines.flatMap((line) => wrap(line, columns)).map(style.yellow)];
}

function problemLines(agents: readonly AgentReport[], { style, columns }: Output): string[] {
  const count = sum(agents, ({ counts }) => counts.problems);
  if (count === 0) return [];
  const problems = agents.flatMap((agent) => agent.problems);
  const shown = problems
    .slice(0, MOST_LEFT)
    .map(({ path, line, reason }) => `  ${sanitiseLine(path)}, line ${line}: ${sanitiseLine(reason)}`);
  const more =
    count > shown.length ? [`  and ${formatCount(count - shown.length)} more (--json lists them)`] : [];
  const head = `${countOf(count, 'part')} could not be understood; the rest was imported:`;
  return ['', ...[head, ...shown, ...more].flatMap((line) => wrap(line, columns)).map(style.yellow)];
}

function attemptsOf(attempts: AgentReport['counts']['attempts']): number {
  return Object.values(attempts).reduce((total, count) => total + count, 0);
}

function sum(agents: readonly AgentReport[], value: (agent: AgentReport) => number): number {
  return agents.reduce((total, agent) => total + value(agent), 0);
}
