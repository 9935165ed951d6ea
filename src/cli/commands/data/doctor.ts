import { statSync } from 'node:fs';
import type { AgentName } from '../../../agents/agent-name.ts';
import { tryReadText } from '../../../files/index.ts';
import { readHookActivity } from '../../../hook/hook-log.ts';
import { readShimTarget, shimPath, shimText } from '../../../hook/shim.ts';
import {
  type AgentActivity,
  type AgentCheck,
  checkAgents,
  loadInstallableAgents,
  readInstallRecord,
} from '../../../install/index.ts';
import { type Finding, type Home, homeFolder } from '../../../project/index.ts';
import { YoreError } from '../../../record/index.ts';
import { omitUndefined } from '../../../record/object.ts';
import { formatCount } from '../../../text/format-count.ts';
import type { CommandContext, CommandRun } from '../../command.ts';
import { EXIT, EXIT_CODES } from '../../exit-codes.ts';
import { getMachine, getMachinePlaces } from '../../machine.ts';
import { flagOption } from '../../options.ts';
import { formatBytes, relativeTime } from '../../output/format.ts';
import type { Output } from '../../output/output.ts';
import { sanitise, sanitiseLine } from '../../output/sanitise.ts';
import { pad } from '../../output/width.ts';

/** `yore doctor`. */
export const runDoctor: CommandRun = async (context, _args, options) => {
  const { output } = context;
  const { style } = output;
  const { path, status, agents, ...examination } = await examine(context);
  const findings = [...examination.findings, ...agents.map((agent) => toAgentFinding(agent, context.now()))];
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
    ...output.wrap(output.join(style.bold(sanitiseLine(path)), ...(sizes ?? []))),
    ...findings.flatMap((finding) => findingLines(finding, findings, output)),
    '',
    formatSummary(findings, output),
  );
  return findExitCode(problems);
};

function formatSummary(findings: readonly Finding[], { style }: Output): string {
  const problems = findings.filter(({ ok }) => !ok);
  if (problems.length > 0) return style.red(`${formatCount(problems.length, 'problem')} found.`);
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
    const finding: Finding = { area, ok: false, message: error.message, code: error.code };
    return { path: homeFolder(context.homeOption, context.env), findings: [finding], agents: [] };
  }
}

function findingLines(finding: Finding, all: readonly Finding[], output: Output): string[] {
  const { style, symbols } = output;
  const working = finding.isOff ? style.dim(symbols.neutral) : style.green(symbols.success);
  const sign = finding.ok ? working : style.red(symbols.failure);
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

/** The code of the first problem. */
function findExitCode([first]: readonly Finding[]): number {
  if (!first) return EXIT.ok;
  return first.code === undefined ? EXIT.storage : EXIT_CODES[first.code];
}

/** Checks every agent on the machine: what is installed into it, and when it was last active. Changes nothing. */
async function examineAgents(context: CommandContext, home: Home): Promise<readonly AgentCheck[]> {
  const machine = getMachine(context);
  const activity = readHookActivity(home.path);
  const newest = await findNewestTranscripts(context, home);
  const { readUnknownParts } = await import('../../../import/index.ts');
  const activityOf = (agent: AgentName): AgentActivity => {
    const hooks = activity.find((each) => each.agent === agent);
    return {
      durations: Object.values(hooks?.durations ?? {}).flat(),
      unknown: readUnknownParts(home.path, agent, context.now()),
      ...omitUndefined({
        lastEvent: hooks && { at: hooks.lastAt, type: hooks.lastEvent },
        lastTranscript: newest.get(agent),
      }),
    };
  };
  return checkAgents({
    agents: await loadInstallableAgents(),
    machine,
    record: readInstallRecord(home.path),
    activityOf,
    checkout: home.findCheckoutRoot(context.cwd),
    hookProblem: findShimProblem(home.path, machine.platform),
  });
}

const MAX_LISTED = 5;

/** Transcripts in projects that are not imported because they are not the user's own. */
async function findForeignTranscripts(context: CommandContext, home: Home): Promise<readonly Finding[]> {
  const { findForeignReason, findSources, loadTranscripts } = await import('../../../import/index.ts');
  const foreign = findSources(await loadTranscripts(), getMachinePlaces(context, home)).flatMap((found) => {
    const reason = findForeignReason(found, context.env);
    return reason === undefined ? [] : [`${found.source.path} (${reason})`];
  });
  if (foreign.length === 0) return [];
  const more = foreign.length > MAX_LISTED ? `, and ${foreign.length - MAX_LISTED} more` : '';
  const message = `Not imported, because others may have written it: ${foreign.slice(0, MAX_LISTED).join(', ')}${more}. To search it as foreign: yore import --file PATH`;
  return [{ area: 'transcripts', ok: true, message }];
}

/** When each agent's newest transcript was modified. */
async function findNewestTranscripts(context: CommandContext, home: Home): Promise<ReadonlyMap<AgentName, number>> {
  const { findSources, loadTranscripts } = await import('../../../import/index.ts');
  const newest = new Map<AgentName, number>();
  for (const { source } of findSources(await loadTranscripts(), getMachinePlaces(context, home))) {
    const modifiedAt = statSync(source.path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    newest.set(source.agent, Math.max(modifiedAt, newest.get(source.agent) ?? 0));
  }
  return newest;
}

function toAgentFinding(check: AgentCheck, now: number): Finding {
  const { agent, problems, notes, fix } = check;
  const isOk = problems.length === 0;
  const sentences = [
    ...problems,
    ...(isOk ? [describeInstallation(check)] : []),
    describeActivity(check, now),
    ...notes,
    ...(isOk && isMissing(check) ? ['To install: yore init'] : []),
  ];
  return {
    area: agent,
    ok: isOk,
    ...(isOk && !isRecording(check) ? { isOff: true } : {}),
    message: sentences.filter((sentence) => sentence !== '').join(' '),
    ...omitUndefined({ fix, code: isOk ? undefined : ('CONFIG' as const) }),
  };
}

/** Whether neither part is installed although the agent has one. */
function isMissing({ hooks, mcp }: AgentCheck): boolean {
  return (hooks ?? mcp) !== undefined && hooks !== 'installed' && mcp !== 'installed';
}

/** Whether events come from the agent and are understood, or it has no hooks from which any could come. */
function isRecording({ hooks, mcp, lastEvent, unknown = [] }: AgentCheck): boolean {
  if (unknown.some(({ isWhole }) => isWhole)) return false;
  if (hooks === undefined) return mcp === 'installed' || lastEvent !== undefined;
  return hooks === 'installed' && lastEvent !== undefined;
}

function toAgentJson({ lastEvent, ...check }: AgentCheck): unknown {
  if (lastEvent === undefined) return check;
  return { ...check, lastEvent: { ...lastEvent, at: new Date(lastEvent.at).toISOString() } };
}

function describeInstallation(check: AgentCheck): string {
  const { hooks, mcp, project } = check;
  const where = project === undefined ? '' : ' for this project';
  if (hooks === 'installed' && mcp === 'installed') return `Hooks and MCP are installed${where}.`;
  if (hooks === 'installed') return `Hooks are installed${where}.`;
  if (mcp === 'installed') return `MCP is installed${where}.`;
  return isMissing(check) ? 'Not installed.' : '';
}

function describeActivity({ lastEvent, hookTime, hooks }: AgentCheck, now: number): string {
  if (lastEvent === undefined) return hooks === 'installed' ? 'No hook event yet.' : '';
  const when = relativeTime(new Date(lastEvent.at).toISOString(), now);
  const [p50, p99] = [hookTime?.p50 ?? 0, hookTime?.p99 ?? 0].map((time) => `${Math.round(time)} ms`);
  const time = hookTime === undefined ? '' : `; hooks take ${p50} (median), ${p99} (99th percentile)`;
  return `Last hook event ${when} (${lastEvent.type})${time}.`;
}

/** What is wrong with the shim that agents call for hooks; a sentence, undefined if nothing is. */
function findShimProblem(home: string, platform: NodeJS.Platform): string | undefined {
  const path = shimPath(home, platform);
  const text = tryReadText(path);
  if (text === undefined) return `${path}, which agents call, is missing.`;
  if (text !== shimText(platform)) return `${path}, which agents call, was changed.`;
  const target = readShimTarget(home);
  if (target === undefined) return `${path} does not know which script to start.`;
  return tryReadText(target.script) === undefined
    ? `${path} starts ${target.script}, which does not exist.`
    : undefined;
}
