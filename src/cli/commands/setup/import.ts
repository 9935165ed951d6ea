import { resolve } from 'node:path';
import { AGENT_NAMES, type AgentName } from '../../../agents/agent-name.ts';
import { AGENTS } from '../../../agents/registry.ts';
import {
  type AgentReport,
  type ImportOptions,
  type ImportReport,
  importTranscripts,
  type TranscriptProblem,
  type UnreadSource,
} from '../../../import/index.ts';
import type { Home } from '../../../project/index.ts';
import { omitUndefined } from '../../../record/object.ts';
import { formatCount, formatNumber } from '../../../text/format-count.ts';
import type { CommandRun } from '../../command.ts';
import { EXIT } from '../../exit-codes.ts';
import { type Ended, interruptible } from '../../interaction.ts';
import { getMachinePlaces } from '../../machine.ts';
import { flagOption, timeOption } from '../../options.ts';
import type { Output } from '../../output/output.ts';
import { sanitiseLine } from '../../output/sanitise.ts';

const MAX_LISTED = 5;
const MAX_REASONS = 12;
const PHASES = { reading: 'Importing', learning: 'Learning', indexing: 'Indexing' } as const;

/** `yore import`. */
export const runImport: CommandRun = async (context, args, options) => {
  const { output, cwd, now } = context;
  const home = await context.openHome();
  const agents = AGENT_NAMES.filter((name) => args.includes(name));
  const paths = Array.isArray(options.file) ? options.file.map((path) => resolve(cwd, String(path))) : [];
  const since = timeOption(options, 'since', now());
  const ended = await importWithProgress(
    home,
    {
      places: getMachinePlaces(context, home),
      now,
      dryRun: flagOption(options, 'dry-run'),
      ...omitUndefined({
        agents: agents.length === 0 ? undefined : agents,
        paths: paths.length === 0 ? undefined : paths,
        since: since === undefined ? undefined : Date.parse(since),
      }),
    },
    output,
  );
  if (!ended.isDone) {
    output.notice('Interrupted. What was imported so far is kept; the next import continues from there.');
    return EXIT.interrupted;
  }
  if (flagOption(options, 'json')) output.json(importJson(ended.result));
  else if (ended.result.agents.length === 0) output.lines(...nothingToImportLines(agents, output));
  else output.lines(...importLines(ended.result, output));
  return EXIT.ok;
};

/** Imports with a progress bar. Ctrl-C ends it; what was imported by then is kept. */
export async function importWithProgress(
  home: Home,
  options: ImportOptions,
  output: Output,
): Promise<Ended<ImportReport>> {
  return await output.withProgress(
    PHASES.reading,
    (progress) =>
      interruptible(progress, (report) =>
        importTranscripts(home, {
          ...options,
          onProgress: ({ phase, done, total }) => report(done, total, PHASES[phase]),
        }),
      ),
    'bytes',
  );
}

/** An import report as JSON, with objects instead of maps. */
export function importJson(report: ImportReport): unknown {
  return {
    ...report,
    agents: report.agents.map(({ counts, ...agent }) => ({
      ...agent,
      ...counts,
      skipped: Object.fromEntries(counts.skipped),
      problems: agent.problems,
      problemCount: counts.problems,
    })),
  };
}

/** What to do with transcripts that are not the user's own. */
const HOW_TO_IMPORT_FOREIGN =
  'What others may have written is not your history. To be able to search it all the same, marked as foreign: yore import --file PATH';

/** What an import did, in one sentence, and which transcripts it left out because they are not the user's own. */
export function importSummaryLines({ agents, projects }: ImportReport, output: Output): string[] {
  const messages = sum(agents, ({ counts }) => counts.messages);
  const attempts = sum(agents, countAttempts);
  const records = `${formatCount(messages, 'message')} and ${formatCount(attempts, 'attempt')}`;
  const isEmpty = messages + attempts === 0;
  const text = isEmpty ? 'Nothing new to import' : `Imported ${records} from ${formatOrigin(agents, projects)}`;
  const marker = output.style.green(output.symbols.success);
  const foreign = agents.flatMap(({ unread }) => unread.filter(({ isForeign }) => isForeign));
  return [...output.clip(text, { indent: 2, marker, maxLines: 3 }), ...warnLines(unreadLines(foreign), output)];
}

/** What an import did: totals, a table by agent, then what was skipped and why. */
function importLines(report: ImportReport, output: Output): string[] {
  const agents = report.agents.filter(({ found }) => found > 0);
  const next = report.isDryRun
    ? 'Dry run: nothing was written.'
    : 'To look at it: yore search, yore recap, yore sessions';
  return [
    formatTotals(report, agents),
    '',
    ...agentTable(agents, output),
    ...skippedLines(agents, output),
    ...notReadLines(agents, output),
    ...problemLines(agents, output),
    '',
    ...output.wrap(next).map(output.style.dim),
  ];
}

function nothingToImportLines(agents: readonly AgentName[], output: Output): string[] {
  const names = AGENT_NAMES.filter((name) => agents.length === 0 || agents.includes(name));
  return [
    'No transcripts found. Places searched:',
    '',
    ...output.table([{ cells: names }, { cells: names.map((name) => output.style.dim(AGENTS[name].historyPath)) }], 2),
    '',
    output.style.dim('To import a transcript from another place: yore import --file PATH'),
  ];
}

function formatTotals({ projects, prompts, isDryRun }: ImportReport, agents: readonly AgentReport[]): string {
  const records = sum(agents, (agent) => agent.counts.messages + countAttempts(agent));
  if (records === 0) return 'Nothing new to import.';
  const typed = prompts === 0 ? '' : `, and ${formatCount(prompts, 'prompt')} for the prompt history`;
  const from = formatOrigin(agents, projects);
  return `${isDryRun ? 'New:' : 'Imported'} ${formatCount(records, 'record')} from ${from}${typed}.`;
}

function formatOrigin(agents: readonly AgentReport[], projects: readonly string[]): string {
  const sessions = sum(agents, (agent) => agent.sessions);
  return `${formatCount(sessions, 'session')} in ${formatCount(projects.length, 'project')}`;
}

function agentTable(agents: readonly AgentReport[], output: Output): string[] {
  const { style } = output;
  const column = (title: string, value: (agent: AgentReport) => number) => ({
    cells: [style.dim(title), ...agents.map((agent) => formatNumber(value(agent)))],
    align: 'right' as const,
  });
  const successes = ({ counts }: AgentReport): number => counts.attempts.success ?? 0;
  const failures = ({ counts }: AgentReport): number => counts.attempts.failure ?? 0;
  return output.table([
    { cells: [style.dim('agent'), ...agents.map(({ agent }) => agent)] },
    column('transcripts', ({ found }) => found),
    column('read', ({ read }) => read),
    column('unchanged', ({ unchanged }) => unchanged),
    column('lines', ({ lines }) => lines),
    column('messages', ({ counts }) => counts.messages),
    column('worked', successes),
    column('failed', failures),
    column('other', (agent) => countAttempts(agent) - successes(agent) - failures(agent)),
    column('known', ({ counts }) => counts.duplicates),
  ]);
}

/** Skipped parts by reason, the most frequent first. */
function skippedLines(agents: readonly AgentReport[], output: Output): string[] {
  const reasons = new Map<string, number>();
  for (const { counts } of agents) {
    for (const [reason, count] of counts.skipped) reasons.set(reason, (reasons.get(reason) ?? 0) + count);
  }
  if (reasons.size === 0) return [];
  const sorted = [...reasons].sort(([, a], [, b]) => b - a);
  const rest = sorted.slice(MAX_REASONS).reduce((total, [, count]) => total + count, 0);
  const parts = [
    ...sorted.slice(0, MAX_REASONS).map(([reason, count]) => `${sanitiseLine(reason)} ${formatNumber(count)}`),
    ...(rest > 0 ? [`other ${formatNumber(rest)}`] : []),
  ];
  return ['', ...output.wrap(`Skipped: ${parts.join(', ')}.`).map(output.style.dim)];
}

function notReadLines(agents: readonly AgentReport[], output: Output): string[] {
  const older = sum(agents, (agent) => agent.older);
  const lines = [
    ...unreadLines(agents.flatMap((agent) => agent.unread)),
    ...(older > 0 ? [`Older than --since: ${formatCount(older, 'transcript')}`] : []),
  ];
  return lines.length === 0 ? [] : ['', ...warnLines(lines, output)];
}

function unreadLines(unread: readonly UnreadSource[]): readonly string[] {
  return [
    ...unread
      .slice(0, MAX_LISTED)
      .map(({ path, reason }) => `Not read: ${sanitiseLine(path)}: ${sanitiseLine(reason)}`),
    ...(unread.length > MAX_LISTED
      ? [`Not read: ${formatNumber(unread.length - MAX_LISTED)} more (listed with --json)`]
      : []),
    ...(unread.some(({ isForeign }) => isForeign) ? [HOW_TO_IMPORT_FOREIGN] : []),
  ];
}

function problemLines(agents: readonly AgentReport[], output: Output): string[] {
  const count = sum(agents, ({ counts }) => counts.problems);
  if (count === 0) return [];
  const problems = agents.flatMap((agent) => agent.problems);
  const lines = [
    `${formatCount(count, 'part')} could not be parsed; the rest was imported:`,
    ...problems.slice(0, MAX_LISTED).map(formatProblem),
    ...(problems.length > MAX_LISTED
      ? [`  and ${formatCount(problems.length - MAX_LISTED, 'other reason')} (listed with --json)`]
      : []),
  ];
  return ['', ...warnLines(lines, output)];
}

function formatProblem({ path, line, reason, count }: TranscriptProblem): string {
  const times = count === 1 ? '' : ` (${formatNumber(count)} times in all)`;
  return `  ${sanitiseLine(path)}, line ${line}: ${sanitiseLine(reason)}${times}`;
}

function warnLines(lines: readonly string[], output: Output): string[] {
  return lines.flatMap((line) => output.wrap(line)).map(output.style.yellow);
}

function countAttempts({ counts }: AgentReport): number {
  return Object.values(counts.attempts).reduce((total, count) => total + count, 0);
}

function sum(agents: readonly AgentReport[], value: (agent: AgentReport) => number): number {
  return agents.reduce((total, agent) => total + value(agent), 0);
}
