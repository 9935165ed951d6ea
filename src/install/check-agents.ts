import type { AgentName } from '../agents/agent-name.ts';
import { YoreError } from '../record/index.ts';
import { type FoundAgent, findAgents } from './find-agents.ts';
import type { InstallRecord } from './install-record.ts';
import type { Machine, Scope } from './machine.ts';
import { type PartState, partState, planInstallation } from './plan.ts';
import { serverShimProblem } from './server-shim.ts';

/** What was seen of an agent besides its settings. */
export interface Seen {
  /** When its last hook event came, epoch milliseconds. */
  readonly lastEvent?: { readonly at: number; readonly type: string };
  /** When its newest transcript was written to, epoch milliseconds. */
  readonly lastTranscript?: number;
  /** Milliseconds its last hooks took. */
  readonly durations: readonly number[];
}

/** How one agent stands. */
export interface AgentCheck {
  readonly agent: AgentName;
  readonly title: string;
  readonly version?: string;
  /** Undefined when the agent has no such thing. */
  readonly hooks?: PartState;
  readonly mcp?: PartState;
  readonly lastEvent?: { readonly at: number; readonly type: string };
  /** Median and 99th percentile of what its hooks took, in milliseconds. */
  readonly hookTime?: { readonly p50: number; readonly p99: number };
  /** What is broken; sentences. */
  readonly problems: readonly string[];
  /** What is worth knowing and not broken; sentences. */
  readonly notes: readonly string[];
  /** What repairs it. */
  readonly fix?: string;
}

/** What {@link checkAgents} needs to know. */
export interface Examined {
  readonly machine: Machine;
  readonly record: InstallRecord;
  readonly seen: (agent: AgentName) => Seen;
  /** What is wrong with the file that agents call for hooks; a clause. */
  readonly hookProblem: string | undefined;
}

const USER: Scope = { kind: 'user' };

/** An agent that writes a transcript for so long without a hook event is silent. */
const SILENCE_MS = 15 * 60_000;

/** Looks at every agent on the machine and at how yore is wired into it. Changes nothing. */
export function checkAgents(examined: Examined): readonly AgentCheck[] {
  return findAgents(examined.machine).map((found) => checkAgent(found, examined));
}

function checkAgent({ unit, version }: FoundAgent, examined: Examined): AgentCheck {
  const { machine, record, hookProblem } = examined;
  const { lastEvent, lastTranscript, durations } = examined.seen(unit.agent);
  const problems: string[] = [];
  const notes: string[] = [];
  let hooks: PartState | undefined;
  let mcp: PartState | undefined;
  try {
    hooks = partState(unit, 'hooks', machine, USER, record);
    mcp = partState(unit, 'mcp', machine, USER, record);
  } catch (error) {
    if (!(error instanceof YoreError)) throw error;
    problems.push(error.message);
  }
  const [plan] = planInstallation([unit], machine, USER, record);
  if (plan?.note !== undefined) notes.push(plan.note);
  const isCovered = plan?.note !== undefined && plan.files.length === 0 && unit.limit === undefined;
  const isWired = isCovered || hooks === 'wired' || mcp === 'wired';
  const wiredAt = firstWiring(record, unit.agent);
  if (!isCovered) problems.push(...partProblems(hooks, mcp, wiredAt !== undefined));
  if (isWired && hooks === 'wired' && hookProblem !== undefined) problems.push(`${hookProblem}.`);
  const server = mcp === 'wired' ? serverShimProblem(machine) : undefined;
  if (server !== undefined) problems.push(`${server}.`);
  const heard = lastEvent?.at ?? wiredAt;
  if (
    hooks === 'wired' &&
    heard !== undefined &&
    lastTranscript !== undefined &&
    lastTranscript > heard + SILENCE_MS
  ) {
    problems.push(
      `It is wired but silent: it wrote a transcript after the last event came. ${unit.next ?? 'Restart it.'}`,
    );
  } else if (hooks === 'wired' && lastEvent === undefined && unit.next !== undefined) notes.push(unit.next);
  return {
    agent: unit.agent,
    title: unit.title,
    ...(version === undefined ? {} : { version }),
    ...(hooks === undefined ? {} : { hooks }),
    ...(mcp === undefined ? {} : { mcp }),
    ...(lastEvent === undefined ? {} : { lastEvent }),
    ...(durations.length === 0
      ? {}
      : { hookTime: { p50: percentile(durations, 50), p99: percentile(durations, 99) } }),
    problems,
    notes,
    ...(problems.length === 0 ? {} : { fix: `yore init --agent ${unit.agent}` }),
  };
}

/** What was never wired is not broken. */
function partProblems(
  hooks: PartState | undefined,
  mcp: PartState | undefined,
  wasWired: boolean,
): readonly string[] {
  const parts = [
    ['Its hooks', hooks, 'are'],
    ['Its MCP server', mcp, 'is'],
  ] as const;
  return parts.flatMap(([name, state, verb]) => {
    if (state === 'changed') return [`${name} ${verb} not what yore init wrote.`];
    if (state === 'missing' && wasWired) return [`${name} ${verb} gone from its settings.`];
    return [];
  });
}

function firstWiring({ files }: InstallRecord, agent: AgentName): number | undefined {
  const times = [...files.values()]
    .filter((file) => file.agent === agent && file.project === undefined)
    .map(({ at }) => at);
  return times.length === 0 ? undefined : Math.min(...times);
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.ceil((share / 100) * sorted.length) - 1)] ?? 0;
}
