import type { AgentName } from '../agents/agent-name.ts';
import type { Machine, Scope } from '../agents/installation.ts';
import { YoreError } from '../record/index.ts';
import { omitUndefined } from '../record/object.ts';
import { type FoundAgent, findAgents, type InstallableAgent } from './find-agents.ts';
import type { InstallRecord } from './install-record.ts';
import { checkPart, type PartState, planInstallation } from './plan.ts';
import { findServerShimProblem } from './server-shim.ts';
import { readSettings } from './settings-file.ts';

/** What an agent did lately, as far as hooks and transcripts show it. */
export interface AgentActivity {
  /** The last hook event; `at` in epoch milliseconds. */
  readonly lastEvent?: { readonly at: number; readonly type: string };
  /** When its newest transcript was written to, in epoch milliseconds. */
  readonly lastTranscript?: number;
  /** How long its last hooks took, in milliseconds. */
  readonly durations: readonly number[];
}

/** The health of one agent's installation. */
export interface AgentCheck {
  readonly agent: AgentName;
  readonly title: string;
  readonly version?: string;
  /** Undefined when the agent has no such part. */
  readonly hooks?: PartState;
  readonly mcp?: PartState;
  readonly lastEvent?: { readonly at: number; readonly type: string };
  /** How long its hooks took, in milliseconds. */
  readonly hookTime?: { readonly p50: number; readonly p99: number };
  /** What is broken; sentences. */
  readonly problems: readonly string[];
  /** What is worth knowing but not broken; sentences. */
  readonly notes: readonly string[];
  /** The command that repairs it. */
  readonly fix?: string;
}

/** What {@link checkAgents} looks at. */
export interface CheckContext {
  readonly agents: readonly InstallableAgent[];
  readonly machine: Machine;
  readonly record: InstallRecord;
  readonly activityOf: (agent: AgentName) => AgentActivity;
  /** What is wrong with the file that agents call for hooks; a sentence. */
  readonly hookProblem: string | undefined;
}

const USER: Scope = { kind: 'user' };

/** An agent that has written to a transcript for this long without a hook event has silent hooks. */
const SILENCE_MS = 15 * 60_000;

/** Checks every agent on the machine and how yore is installed into it. Changes nothing. */
export function checkAgents(context: CheckContext): readonly AgentCheck[] {
  return findAgents(context.agents, context.machine).map((found) => checkAgent(found, context));
}

function checkAgent({ agent, version }: FoundAgent, context: CheckContext): AgentCheck {
  const { lastEvent, durations } = context.activityOf(agent.name);
  const parts = checkParts(agent, context);
  const { hooks, mcp } = parts;
  const repairable = findRepairable(agent, parts, context);
  const manual = hooks === 'installed' ? findManualSteps(agent, context) : [];
  const fix = repairable.length === 0 ? undefined : `yore init --agent ${agent.name}`;
  const isNew = hooks === 'installed' && manual.length === 0 && lastEvent === undefined;
  const hookTime =
    durations.length === 0 ? undefined : { p50: percentile(durations, 50), p99: percentile(durations, 99) };
  return {
    agent: agent.name,
    title: agent.title,
    ...omitUndefined({ version, hooks, mcp, lastEvent, hookTime }),
    problems: [...repairable, ...manual],
    notes: [
      ...(parts.note === undefined ? [] : [parts.note]),
      ...(mcp === 'taken' ? ['Its settings have another MCP server called "yore".'] : []),
      ...(isNew && agent.nextStep !== undefined ? [agent.nextStep] : []),
    ],
    ...omitUndefined({ fix }),
  };
}

interface CheckedParts {
  readonly hooks?: PartState;
  readonly mcp?: PartState;
  readonly problem?: string;
  readonly note?: string;
}

function checkParts(agent: InstallableAgent, { machine, record }: CheckContext): CheckedParts {
  const context = { machine, scope: USER, record };
  const [plan] = planInstallation([agent], context);
  const note = omitUndefined({ note: plan?.note });
  // With another setup in place, the agent's settings do not matter.
  if (plan?.note !== undefined && agent.limitation === undefined) return note;
  try {
    const hooks = checkPart(agent, 'hooks', context);
    const mcp = checkPart(agent, 'mcp', context);
    return { ...note, ...omitUndefined({ hooks, mcp }) };
  } catch (error) {
    if (!(error instanceof YoreError)) throw error;
    return { ...note, problem: error.message };
  }
}

/** What `yore init` repairs. */
function findRepairable(
  agent: InstallableAgent,
  { hooks, mcp, problem }: CheckedParts,
  { record, machine, hookProblem }: CheckContext,
): readonly string[] {
  const serverProblem = mcp === 'installed' ? findServerShimProblem(machine) : undefined;
  return [
    ...(problem === undefined ? [] : [problem]),
    ...describeParts(hooks, mcp, firstInstalledAt(record, agent.name) !== undefined),
    ...(hooks === 'installed' && hookProblem !== undefined ? [hookProblem] : []),
    ...(serverProblem === undefined ? [] : [serverProblem]),
  ];
}

/** What only the user can do: installing again would not help. */
function findManualSteps(agent: InstallableAgent, { machine, record, activityOf }: CheckContext): readonly string[] {
  const { lastEvent, lastTranscript = 0 } = activityOf(agent.name);
  const switchFile = agent.hookSwitchFile?.(machine);
  if (switchFile !== undefined && readSettings(switchFile)?.disableAllHooks === true) {
    return [`"disableAllHooks" in ${switchFile} turns all hooks off. Remove it.`];
  }
  const heardAt = lastEvent?.at ?? firstInstalledAt(record, agent.name);
  if (heardAt === undefined || lastTranscript <= heardAt + SILENCE_MS) return [];
  const step = agent.nextStep ?? 'Restart it.';
  return [`Its hooks are installed but silent: it wrote a transcript after its last event. ${step}`];
}

/** A part that was never installed is not broken. */
function describeParts(
  hooks: PartState | undefined,
  mcp: PartState | undefined,
  wasInstalled: boolean,
): readonly string[] {
  const parts = [
    ['Its hooks', hooks, 'are'],
    ['Its MCP server', mcp, 'is'],
  ] as const;
  return parts.flatMap(([name, state, verb]) => {
    if (state === 'changed') return [`${name} ${verb} not what yore init wrote.`];
    if (state === 'missing' && wasInstalled) return [`${name} ${verb} missing from its settings.`];
    return [];
  });
}

function firstInstalledAt({ files }: InstallRecord, agent: AgentName): number | undefined {
  const times = [...files.values()]
    .filter((file) => file.agent === agent && file.project === undefined)
    .map(({ at }) => at);
  return times.length === 0 ? undefined : Math.min(...times);
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.ceil((share / 100) * sorted.length) - 1)] ?? 0;
}
