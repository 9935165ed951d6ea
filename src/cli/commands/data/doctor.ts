import type { AgentCheck } from '../../../install/index.ts';
import { type HealthFinding, type Home, homeFolder } from '../../../project/index.ts';
import { YoreError } from '../../../record/index.ts';
import { formatCount } from '../../../text/format-count.ts';
import { describeAgent, examineAgents, findAgentState } from '../../agent-health.ts';
import type { CommandContext, CommandRun } from '../../command.ts';
import { EXIT, EXIT_CODES } from '../../exit-codes.ts';
import { getMachinePlaces } from '../../machine.ts';
import { flagOption } from '../../options.ts';
import { formatBytes } from '../../output/format.ts';
import type { Output } from '../../output/output.ts';
import { sanitise, sanitiseLine } from '../../output/sanitise.ts';
import { pad } from '../../output/width.ts';

const NO_AGENTS: HealthFinding = {
  area: 'agents',
  ok: true,
  isOff: true,
  message: 'No agent was found on this machine.',
};

/** `yore doctor`. */
export const runDoctor: CommandRun = async (context, _args, options) => {
  const { output } = context;
  const { style } = output;
  const { path, status, agents, ...examination } = await examine(context);
  const findings = [
    ...examination.findings.map((finding) =>
      finding.area === 'recording' ? checkRecording(finding, agents) : finding,
    ),
    ...(agents.length === 0 && status !== undefined ? [NO_AGENTS] : []),
    ...agents.map((agent) => toAgentFinding(agent, context.now())),
  ];
  const problems = findings.filter(({ ok }) => !ok);
  if (flagOption(options, 'json')) {
    const isOk = problems.length === 0;
    output.json({ ok: isOk, home: path, ...status, findings, agents: agents.map(toAgentJson) });
    return findExitCode(problems);
  }
  const sizes = status && [
    `${formatBytes(status.bytesOnDisk)} on disk, including ${formatBytes(status.indexBytes)} of search index`,
  ];
  output.lines(
    ...output.wrapFacts([style.bold(sanitiseLine(path)), ...(sizes ?? [])]),
    ...findings.flatMap((finding) => findingLines(finding, findings, output)),
    '',
    formatSummary(findings, output),
  );
  return findExitCode(problems);
};

/** Recording that is on records nothing as long as no agent is set up. */
function checkRecording(finding: HealthFinding, agents: readonly AgentCheck[]): HealthFinding {
  const isNothingSetUp = agents.length > 0 && agents.every((agent) => findAgentState(agent) === 'notSetUp');
  if (finding.isOff || !isNothingSetUp) return finding;
  const message = 'No agent is set up, so nothing is recorded as you work. To set them up: yore init';
  return { ...finding, needsAction: true, message };
}

function formatSummary(findings: readonly HealthFinding[], { style }: Output): string {
  const problems = findings.filter(({ ok }) => !ok);
  const steps = findings.filter(({ needsAction }) => needsAction);
  const left = steps.length === 0 ? '' : ` ${formatCount(steps.length, 'step')} left for you: see above.`;
  if (problems.length > 0) return style.red(`${formatCount(problems.length, 'problem')} found.`) + left;
  if (left !== '') return `No problems found.${style.yellow(left)}`;
  return findings.some(({ isOff }) => isOff) ? 'No problems found.' : style.green('Everything works.');
}

/** A home that cannot be opened is a finding, too. */
async function examine(context: CommandContext) {
  try {
    const home = await context.openHome();
    const findings = [
      ...home.check(),
      ...(await home.embeddings.check()),
      ...(await findForeignTranscripts(context, home)),
    ];
    return { path: home.path, findings, status: home.status(), agents: await examineAgents(context, home) };
  } catch (error) {
    if (!(error instanceof YoreError)) throw error;
    const area = error.code === 'CONFIG' ? 'settings' : 'home';
    const finding: HealthFinding = { area, ok: false, message: error.message, code: error.code };
    return { path: homeFolder(context.homeOption, context.env), findings: [finding], agents: [] };
  }
}

function findingLines(finding: HealthFinding, all: readonly HealthFinding[], output: Output): string[] {
  const { style } = output;
  const sign = findingSign(finding, output);
  const width = Math.max(...all.map(({ area }) => area.length));
  const indent = width + 6;
  return [
    ...output.clip(sanitise(finding.message), {
      indent,
      marker: `  ${sign} ${pad(finding.area, width)} `,
      maxLines: Number.POSITIVE_INFINITY,
    }),
    ...(finding.fix === undefined
      ? []
      : [`${' '.repeat(indent)}${style.yellow(`To repair: ${sanitiseLine(finding.fix)}`)}`]),
  ];
}

function findingSign({ ok, needsAction, isOff }: HealthFinding, { style, symbols }: Output): string {
  if (!ok) return style.red(symbols.failure);
  if (needsAction) return style.yellow(symbols.warning);
  return isOff ? style.dim(symbols.neutral) : style.green(symbols.success);
}

/** The code of the first problem. */
function findExitCode([first]: readonly HealthFinding[]): number {
  if (!first) return EXIT.ok;
  return first.code === undefined ? EXIT.storage : EXIT_CODES[first.code];
}

const MAX_LISTED = 5;

/** Transcripts in projects that are not imported because they are not the user's own. */
async function findForeignTranscripts(context: CommandContext, home: Home): Promise<readonly HealthFinding[]> {
  const { findForeignReason, findSources, loadTranscripts } = await import('../../../import/index.ts');
  const foreign = findSources(await loadTranscripts(), getMachinePlaces(context, home)).flatMap((found) => {
    const reason = findForeignReason(found, { environment: context.env, home: home.path });
    return reason === undefined ? [] : [`${found.source.path} (${reason})`];
  });
  if (foreign.length === 0) return [];
  const more = foreign.length > MAX_LISTED ? `, and ${foreign.length - MAX_LISTED} more` : '';
  const message = `Not imported, because others may have written it: ${foreign.slice(0, MAX_LISTED).join(', ')}${more}. To search it as foreign: yore import --file PATH`;
  return [{ area: 'transcripts', ok: true, message }];
}

function toAgentFinding(check: AgentCheck, now: number): HealthFinding {
  const { agent, problems, steps, fix } = check;
  const isOk = problems.length === 0;
  return {
    area: agent,
    ok: isOk,
    ...(isOk && findAgentState(check) !== 'recording' ? { isOff: true } : {}),
    ...(isOk && steps.length > 0 ? { needsAction: true } : {}),
    message: describeAgent(check, now),
    ...(fix === undefined ? {} : { fix }),
    ...(isOk ? {} : { code: 'CONFIG' as const }),
  };
}

function toAgentJson(check: AgentCheck): unknown {
  const { lastEvent } = check;
  const state = findAgentState(check);
  if (lastEvent === undefined) return { ...check, state };
  return { ...check, state, lastEvent: { ...lastEvent, at: new Date(lastEvent.at).toISOString() } };
}
