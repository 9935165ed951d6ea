import { statSync } from 'node:fs';
import type { AgentName } from '../agents/agent-name.ts';
import { tryReadText } from '../files/index.ts';
import { readHookActivity } from '../hook/hook-log.ts';
import { readShimTarget, shimPath, shimText } from '../hook/shim.ts';
import {
  type AgentActivity,
  type AgentCheck,
  checkAgents,
  loadInstallableAgents,
  readInstallRecord,
} from '../install/index.ts';
import type { Home } from '../project/index.ts';
import { omitUndefined } from '../record/object.ts';
import type { AgentStatus } from '../server/index.ts';
import type { CommandContext } from './command.ts';
import { getMachine, getMachinePlaces } from './machine.ts';
import { relativeTime } from './output/format.ts';

/** Checks every agent on the machine: what is installed into it, and when it was last active. Changes nothing. */
export async function examineAgents(context: CommandContext, home: Home): Promise<readonly AgentCheck[]> {
  const machine = getMachine(context);
  const activity = readHookActivity(home.path);
  const newest = await findNewestTranscripts(context, home);
  const { readUnknownParts } = await import('../import/index.ts');
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

/** When each agent's newest transcript was modified. */
async function findNewestTranscripts(context: CommandContext, home: Home): Promise<ReadonlyMap<AgentName, number>> {
  const { findSources, loadTranscripts } = await import('../import/index.ts');
  const newest = new Map<AgentName, number>();
  for (const { source } of findSources(await loadTranscripts(), getMachinePlaces(context, home))) {
    const modifiedAt = statSync(source.path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    newest.set(source.agent, Math.max(modifiedAt, newest.get(source.agent) ?? 0));
  }
  return newest;
}

/** How far an agent is recorded: what `yore doctor` and the app say. */
export function findAgentState(check: AgentCheck): AgentStatus['state'] {
  if (check.problems.length > 0) return check.fix === undefined ? 'needsAction' : 'broken';
  if (check.steps.length > 0) return 'needsAction';
  if (isRecording(check)) return 'recording';
  if (isMissing(check)) return 'notSetUp';
  if (check.unknown?.some(({ isWhole }) => isWhole)) return 'needsAction';
  return check.hooks === 'installed' ? 'waiting' : 'transcripts';
}

/** What there is to know about an agent, in sentences. */
export function describeAgent(check: AgentCheck, now: number): string {
  const { problems, steps, notes } = check;
  const isOk = problems.length + steps.length === 0;
  const sentences = [
    ...problems,
    ...steps,
    ...(isOk ? [describeInstallation(check)] : []),
    describeActivity(check, now),
    ...notes,
    ...(isOk && isMissing(check) ? ['To install: yore init'] : []),
  ];
  return sentences.filter((sentence) => sentence !== '').join(' ');
}

/** An agent as the app shows it. */
export function toAgentStatus(check: AgentCheck, now: number): AgentStatus {
  const { agent, title, version, lastEvent } = check;
  const state = findAgentState(check);
  return {
    agent,
    title,
    state,
    message: describeAgent(check, now),
    ...omitUndefined({
      version,
      fix: check.fix ?? (state === 'notSetUp' ? `yore init --agent ${agent}` : undefined),
      lastEventAt: lastEvent && new Date(lastEvent.at).toISOString(),
    }),
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
