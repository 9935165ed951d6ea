import type { AgentName } from '../agents/agent-name.ts';
import type { InstallScope, Machine, ObstacleContext } from '../agents/installation.ts';
import { resolveLinks } from '../files/index.ts';
import { YoreError } from '../record/index.ts';
import { omitUndefined } from '../record/object.ts';
import { formatCount } from '../text/format-count.ts';
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
  /** What yore did not understand of its transcripts and hook events. Default: nothing. */
  readonly unknown?: readonly UnknownParts[];
}

/** Parts of transcripts and hook events that were not understood for the same reason. */
interface UnknownParts {
  readonly reason: string;
  readonly count: number;
  /** A file that contains such a part. */
  readonly path: string;
  /** Set when nothing was recorded of a whole transcript or hook event. */
  readonly isWhole?: boolean;
}

/** The health of one agent's installation. */
export interface AgentCheck {
  readonly agent: AgentName;
  readonly title: string;
  readonly version?: string;
  /** The checkout that it is installed for; left out when it is installed for the user everywhere. */
  readonly project?: string;
  /** Undefined when the agent has no such part. */
  readonly hooks?: PartState;
  readonly mcp?: PartState;
  readonly lastEvent?: { readonly at: number; readonly type: string };
  /** How long its hooks took, in milliseconds. */
  readonly hookTime?: { readonly p50: number; readonly p99: number };
  /** What is broken; sentences. */
  readonly problems: readonly string[];
  /** What the user still has to do in the agent before it runs the hooks; sentences. */
  readonly steps: readonly string[];
  /** What yore did not understand of it. Left out if it understood everything. */
  readonly unknown?: readonly UnknownParts[];
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
  /** The root of the checkout in which agents would run. */
  readonly checkout: string;
  /** What is wrong with the file that agents call for hooks; a sentence. */
  readonly hookProblem: string | undefined;
}

const USER: InstallScope = { kind: 'user' };

/** An agent that has written to a transcript for this long without a hook event has silent hooks. */
const SILENCE_MS = 15 * 60_000;

/** Checks every agent on the machine and how yore is installed into it. Changes nothing. */
export function checkAgents(context: CheckContext): readonly AgentCheck[] {
  return findAgents(context.agents, context.machine).map((found) => checkAgent(found, context));
}

function checkAgent({ agent, version }: FoundAgent, context: CheckContext): AgentCheck {
  const { lastEvent, durations, unknown = [] } = context.activityOf(agent.name);
  const [installation, other] = findInstallations(agent, context);
  const { scope, hooks, mcp } = installation;
  const project = scope.kind === 'project' ? scope.root : undefined;
  const repairable = findRepairable(agent, installation, context);
  const steps = hooks === 'installed' ? findSteps(agent, scope, context) : [];
  const silence = hooks === 'installed' && steps.length === 0 ? findSilence(agent, scope, context) : [];
  const repair = `yore init --agent ${agent.name}${project === undefined ? '' : ' --project'}`;
  const fix = repairable.length === 0 ? undefined : repair;
  const nextStep = agent.nextStep?.(scope);
  const isNew = hooks === 'installed' && steps.length + silence.length === 0 && lastEvent === undefined;
  const hookTime =
    durations.length === 0 ? undefined : { p50: percentile(durations, 50), p99: percentile(durations, 99) };
  return {
    agent: agent.name,
    title: agent.title,
    ...omitUndefined({ version, project, hooks, mcp, lastEvent, hookTime }),
    problems: [...repairable, ...silence],
    steps,
    ...(unknown.length === 0 ? {} : { unknown }),
    notes: [
      ...(installation.note === undefined ? [] : [installation.note]),
      ...describeOtherInstallations(agent, installation, other, context),
      ...(mcp === 'taken' ? ['Its settings have another MCP server called "yore".'] : []),
      ...(isNew && nextStep !== undefined ? [nextStep] : []),
      ...describeUnknown(unknown),
      ...describeNewVersion(agent, version, unknown),
    ],
    ...omitUndefined({ fix }),
  };
}

interface CheckedInstallation {
  readonly scope: InstallScope;
  readonly hooks?: PartState;
  readonly mcp?: PartState;
  readonly problem?: string;
  readonly note?: string;
}

/** The installation that counts, and one that is there as well: the user's own, and that of the checkout. */
function findInstallations(
  agent: InstallableAgent,
  context: CheckContext,
): readonly [CheckedInstallation, CheckedInstallation?] {
  const { checkout, machine } = context;
  const own = checkInstallation(agent, USER, context);
  // In the home folder, the files of the project are those of the user.
  if (resolveLinks(checkout) === resolveLinks(machine.userHome)) return [own];
  const ofProject = checkInstallation(agent, { kind: 'project', root: checkout }, context);
  if (!isPresent(agent, ofProject, context)) return [own];
  return isPresent(agent, own, context) ? [own, ofProject] : [ofProject];
}

function isPresent(
  agent: InstallableAgent,
  { scope, hooks, mcp }: CheckedInstallation,
  context: CheckContext,
): boolean {
  const isThere = [hooks, mcp].some((state) => state === 'installed' || state === 'changed');
  return isThere || firstInstalledAt(context.record, agent.name, scope) !== undefined;
}

function describeOtherInstallations(
  agent: InstallableAgent,
  { scope, hooks }: CheckedInstallation,
  other: CheckedInstallation | undefined,
  { record, checkout }: CheckContext,
): readonly string[] {
  if (other?.hooks === 'installed' && hooks === 'installed') {
    const removal = `yore init --uninstall --agent ${agent.name} --project`;
    return [`It is installed for you and for this project, so that each hook runs twice. To remove one: ${removal}`];
  }
  if (scope.kind === 'project' || hooks === 'installed') return [];
  const files = [...record.files.values()].filter((file) => file.agent === agent.name);
  const projects = [...new Set(files.flatMap(({ project }) => project ?? []))].filter(
    (project) => project !== checkout,
  );
  return projects.length === 0 ? [] : [`Installed for other projects: ${projects.join(', ')}.`];
}

function checkInstallation(
  agent: InstallableAgent,
  scope: InstallScope,
  { machine, record }: CheckContext,
): CheckedInstallation {
  const context = { machine, scope, record };
  const [plan] = planInstallation([agent], context);
  const note = { scope, ...omitUndefined({ note: plan?.note }) };
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

/** How many reasons are named. */
const MAX_REASONS = 3;

function describeUnknown(unknown: readonly UnknownParts[]): readonly string[] {
  if (unknown.length === 0) return [];
  const total = unknown.reduce((sum, { count }) => sum + count, 0);
  const named = unknown
    .slice(0, MAX_REASONS)
    .map(({ reason, count, path }) => `${reason} (${count}, such as in ${path})`);
  const rest = unknown.length > MAX_REASONS ? `, and ${unknown.length - MAX_REASONS} more` : '';
  const parts = `${formatCount(total, 'part')} of its transcripts and events`;
  return [`yore did not understand ${parts}: ${named.join(', ')}${rest}. A newer yore may.`];
}

/** Warns of a version that yore was not tested with once there are signs that its formats have changed. */
function describeNewVersion(
  { title, tested }: InstallableAgent,
  version: string | undefined,
  unknown: readonly UnknownParts[],
): readonly string[] {
  if (version === undefined || tested === undefined || unknown.length === 0) return [];
  if (!isNewer(version, tested.version)) return [];
  return [`${title} ${version} is newer than ${tested.version}, the last version that yore was tested with.`];
}

/** Compares versions of numbers and dots; what follows them is ignored. */
function isNewer(version: string, than: string): boolean {
  const numbers = (text: string): readonly number[] => (/^[\d.]+/.exec(text)?.[0] ?? '').split('.').map(Number);
  const [a, b] = [numbers(version), numbers(than)];
  const at = a.findIndex((number, index) => number !== (b[index] ?? 0));
  return at >= 0 && (a[at] ?? 0) > (b[at] ?? 0);
}

/** What `yore init` repairs. */
function findRepairable(
  agent: InstallableAgent,
  { scope, hooks, mcp, problem }: CheckedInstallation,
  { record, machine, hookProblem }: CheckContext,
): readonly string[] {
  const serverProblem = mcp === 'installed' && scope.kind === 'user' ? findServerShimProblem(machine) : undefined;
  return [
    ...(problem === undefined ? [] : [problem]),
    ...describeParts(hooks, mcp, firstInstalledAt(record, agent.name, scope) !== undefined),
    ...(hooks === 'installed' && hookProblem !== undefined ? [hookProblem] : []),
    ...(serverProblem === undefined ? [] : [serverProblem]),
  ];
}

/** What only the user can do: installing again would not help. */
function findSteps(agent: InstallableAgent, scope: InstallScope, context: CheckContext): readonly string[] {
  const { lastEvent, lastTranscript = 0 } = context.activityOf(agent.name);
  const isHeard = lastEvent !== undefined && lastTranscript <= lastEvent.at + SILENCE_MS;
  const obstacle = findObstacle(agent, { ...context, scope, isHeard });
  return obstacle === undefined ? [] : [obstacle];
}

/** Whether an agent writes transcripts without any event from its hooks, for no reason that its files show. */
function findSilence(agent: InstallableAgent, scope: InstallScope, context: CheckContext): readonly string[] {
  const { lastEvent, lastTranscript = 0 } = context.activityOf(agent.name);
  // Transcripts of other projects say nothing about hooks that are installed for one.
  if (scope.kind === 'project') return [];
  const heardAt = lastEvent?.at ?? firstInstalledAt(context.record, agent.name, scope);
  if (heardAt === undefined || lastTranscript <= heardAt + SILENCE_MS) return [];
  const step = agent.nextStep?.(scope) ?? 'Restart it.';
  return [`Its hooks are installed but silent: it wrote a transcript after its last event. ${step}`];
}

/** Why an agent does not run the hooks that are installed, as far as its own files show it; a sentence. */
export function findObstacle(
  agent: InstallableAgent,
  { machine, scope, checkout, isHeard = false }: Omit<ObstacleContext, 'read'>,
): string | undefined {
  try {
    return agent.findObstacle?.({ machine, scope, checkout, isHeard, read: readSettings });
  } catch (error) {
    if (error instanceof YoreError) return undefined; // a file of the agent that cannot be read shows nothing
    throw error;
  }
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

function firstInstalledAt({ files }: InstallRecord, agent: AgentName, scope: InstallScope): number | undefined {
  const project = scope.kind === 'project' ? scope.root : undefined;
  const times = [...files.values()]
    .filter((file) => file.agent === agent && file.project === project)
    .map(({ at }) => at);
  return times.length === 0 ? undefined : Math.min(...times);
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.ceil((share / 100) * sorted.length) - 1)] ?? 0;
}
