import { statSync } from 'node:fs';
import type { AgentName } from '../agents/agent-name.ts';
import { readHookActivity } from '../hook/activity.ts';
import { type AgentCheck, checkAgents, readInstallRecord, type Seen } from '../install/index.ts';
import type { Finding, Home } from '../project/index.ts';
import type { CommandContext } from './command.ts';
import { hookShimProblem } from './hook-shim-problem.ts';
import { machineOf, placesOf } from './machine.ts';
import { relativeTime } from './output/time.ts';

/** Looks at every agent on the machine: how yore is wired into it and what came of it lately. Changes nothing. */
export async function examineAgents(context: CommandContext, home: Home): Promise<readonly AgentCheck[]> {
  const machine = machineOf(context);
  const activity = readHookActivity(home.path);
  const newest = await newestTranscripts(context, home);
  const seen = (agent: AgentName): Seen => {
    const lately = activity.find((each) => each.agent === agent);
    const lastTranscript = newest.get(agent);
    return {
      durations: Object.values(lately?.durations ?? {}).flat(),
      ...(lately === undefined ? {} : { lastEvent: { at: lately.lastAt, type: lately.lastEvent } }),
      ...(lastTranscript === undefined ? {} : { lastTranscript }),
    };
  };
  return checkAgents({
    machine,
    record: readInstallRecord(home.path),
    seen,
    hookProblem: hookShimProblem(home.path, machine.platform),
  });
}

/** An agent as one line of `yore doctor`. */
export function agentFinding(check: AgentCheck, { now }: CommandContext): Finding {
  const { agent, problems, notes, fix } = check;
  const message = [
    ...problems,
    ...(problems.length === 0 ? [standing(check)] : []),
    lately(check, now()),
    ...notes,
  ]
    .filter((part) => part !== '')
    .join(' ');
  return {
    area: agent,
    ok: problems.length === 0,
    message,
    ...(fix === undefined ? {} : { fix }),
    ...(problems.length === 0 ? {} : { code: 'CONFIG' }),
  };
}

/** An agent in `yore doctor --json`. */
export function agentJson({ lastEvent, ...check }: AgentCheck): unknown {
  if (lastEvent === undefined) return check;
  return { ...check, lastEvent: { ...lastEvent, at: new Date(lastEvent.at).toISOString() } };
}

function standing({ hooks, mcp, notes }: AgentCheck): string {
  const wired = [hooks === 'wired' ? 'hooks' : '', mcp === 'wired' ? 'MCP' : ''].filter(
    (part) => part !== '',
  );
  if (wired.length > 0) return `${wired.join(' and ')} wired.`;
  return notes.length > 0 ? '' : 'not wired; yore init wires it.';
}

function lately({ lastEvent, hookTime, hooks }: AgentCheck, now: number): string {
  if (lastEvent === undefined) return hooks === 'wired' ? 'No event came yet.' : '';
  const time =
    hookTime === undefined
      ? ''
      : `, hooks took ${milliseconds(hookTime.p50)} (p50) and ${milliseconds(hookTime.p99)} (p99)`;
  return `Last event ${relativeTime(new Date(lastEvent.at).toISOString(), now)} (${lastEvent.type})${time}.`;
}

function milliseconds(value: number): string {
  return `${Math.round(value)} ms`;
}

async function newestTranscripts(
  context: CommandContext,
  home: Home,
): Promise<ReadonlyMap<AgentName, number>> {
  const { findSources, loadAgents } = await import('../import/index.ts');
  const newest = new Map<AgentName, number>();
  for (const { source } of findSources(await loadAgents(), placesOf(context, home))) {
    const changed = statSync(source.path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    newest.set(source.agent, Math.max(changed, newest.get(source.agent) ?? 0));
  }
  return newest;
}
