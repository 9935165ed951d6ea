import type { AgentName } from '../agents/agent-name.ts';
import { YoreError } from '../record/index.ts';
import type { AgentUnit } from './agent-unit.ts';
import { type FoundAgent, findAgents } from './find-agents.ts';
import type { InstallRecord } from './install-record.ts';
import type { Machine, Scope } from './machine.ts';
import { type PartState, partState, planInstallation } from './plan.ts';
import { serverShimProblem } from './server-shim.ts';
import { readSettingsText } from './settings-file.ts';

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
  const { lastEvent, durations } = examined.seen(unit.agent);
  const wiring = wiringOf(unit, examined);
  const { hooks, mcp } = wiring;
  const broken = brokenParts(unit, wiring, examined);
  const needed = hooks === 'wired' ? neededOfPerson(unit, examined) : [];
  const isNew = hooks === 'wired' && needed.length === 0 && lastEvent === undefined;
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
    problems: [...broken, ...needed],
    notes: [
      ...(wiring.note === undefined ? [] : [wiring.note]),
      ...(mcp === 'taken' ? ['Another MCP server is called "yore" in its settings.'] : []),
      ...(isNew && unit.next !== undefined ? [unit.next] : []),
    ],
    ...(broken.length === 0 ? {} : { fix: `yore init --agent ${unit.agent}` }),
  };
}

interface Wiring {
  readonly hooks?: PartState;
  readonly mcp?: PartState;
  readonly problem?: string;
  readonly note?: string;
}

function wiringOf(unit: AgentUnit, { machine, record }: Examined): Wiring {
  const [plan] = planInstallation([unit], machine, USER, record);
  const note = plan?.note === undefined ? {} : { note: plan.note };
  // Where something else wires it, its settings do not matter.
  if (plan?.note !== undefined && unit.limit === undefined) return note;
  try {
    const hooks = partState(unit, 'hooks', machine, USER, record);
    const mcp = partState(unit, 'mcp', machine, USER, record);
    return { ...note, ...(hooks === undefined ? {} : { hooks }), ...(mcp === undefined ? {} : { mcp }) };
  } catch (error) {
    if (!(error instanceof YoreError)) throw error;
    return { ...note, problem: error.message };
  }
}

/** What `yore init` repairs. */
function brokenParts(
  unit: AgentUnit,
  { hooks, mcp, problem }: Wiring,
  examined: Examined,
): readonly string[] {
  const { record, machine, hookProblem } = examined;
  const server = mcp === 'wired' ? serverShimProblem(machine) : undefined;
  return [
    ...(problem === undefined ? [] : [problem]),
    ...partProblems(hooks, mcp, firstWiring(record, unit.agent) !== undefined),
    ...(hooks === 'wired' && hookProblem !== undefined ? [`${hookProblem}.`] : []),
    ...(server === undefined ? [] : [`${server}.`]),
  ];
}

/** What wiring it again would not help. */
function neededOfPerson(unit: AgentUnit, { machine, record, seen }: Examined): readonly string[] {
  const { lastEvent, lastTranscript = 0 } = seen(unit.agent);
  const obstacle = unit.obstacle?.((path) => readSettingsText(path).text, machine);
  if (obstacle !== undefined) return [obstacle];
  const heard = lastEvent?.at ?? firstWiring(record, unit.agent);
  if (heard === undefined || lastTranscript <= heard + SILENCE_MS) return [];
  const step = unit.next ?? 'Restart it.';
  return [`It is wired but silent: it wrote a transcript after the last event came. ${step}`];
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
