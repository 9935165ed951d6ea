import { AGENT_NAMES, type AgentName } from '../../../agents/agent-name.ts';
import type { ImportReport } from '../../../import/index.ts';
import {
  type AgentPlan,
  type AppliedPlan,
  type FoundAgent,
  findAgents,
  type InstallContext,
  type InstallScope,
  loadInstallableAgents,
  planInstallation,
  planUninstallation,
  readInstallRecord,
} from '../../../install/index.ts';
import type { Home } from '../../../project/index.ts';
import { YoreError } from '../../../record/index.ts';
import type { CommandContext, OptionValues } from '../../command.ts';
import { getMachine, getMachinePlaces } from '../../machine.ts';
import { flagOption, textsOption } from '../../options.ts';
import { importJson } from './import.ts';

/** The transcripts of one agent. */
interface FoundTranscripts {
  readonly agent: AgentName;
  readonly count: number;
  readonly bytes: number;
}

/** What `yore init` found and would do. Making it opens no transcript and writes nothing. */
export interface Survey extends InstallContext {
  readonly found: readonly FoundAgent[];
  /** The root of the checkout in which yore was started. */
  readonly checkout: string;
  readonly plans: readonly AgentPlan[];
  /** Undefined if nothing is to be imported. */
  readonly transcripts?: readonly FoundTranscripts[];
}

/** Finds agents and transcripts, and plans the installation. */
export async function surveyInstallation(context: CommandContext, home: Home, options: OptionValues): Promise<Survey> {
  const base = surveyMachine(context, home, options);
  const names = agentOptions(options);
  const known = await loadInstallableAgents(names);
  const found = findAgents(known, base.machine);
  // An agent given by name is set up even if it has left no trace yet.
  const wanted = names === undefined ? found.map(({ agent }) => agent) : known;
  const plans = planInstallation(wanted, base);
  if (options.import === false) return { ...base, found, plans };
  const { findSources, loadTranscripts } = await import('../../../import/index.ts');
  const counted = new Map<AgentName, FoundTranscripts>();
  for (const { source } of findSources(await loadTranscripts(names), getMachinePlaces(context, home))) {
    const { agent, size } = source;
    const { count, bytes } = counted.get(agent) ?? { count: 0, bytes: 0 };
    counted.set(agent, { agent, count: count + 1, bytes: bytes + size });
  }
  return { ...base, found, plans, transcripts: [...counted.values()] };
}

/** Plans the removal of what `yore init` installed. */
export async function surveyUninstallation(
  context: CommandContext,
  home: Home,
  options: OptionValues,
): Promise<Survey> {
  const base = surveyMachine(context, home, options);
  const agents = await loadInstallableAgents(agentOptions(options));
  return { ...base, found: [], plans: planUninstallation(agents, base) };
}

/** The agents given with `--agent`, if any. Throws USAGE for an unknown name. */
export function agentOptions(options: OptionValues): readonly AgentName[] | undefined {
  const texts = textsOption(options, 'agent');
  if (texts.length === 0) return undefined;
  return texts.map((text) => {
    const name = AGENT_NAMES.find((each) => each === text);
    if (name !== undefined) return name;
    throw new YoreError('USAGE', `Unknown agent "${text}". Known agents: ${AGENT_NAMES.join(', ')}.`);
  });
}

/** What `yore init --json` prints. */
export function toInitJson(
  { scope, plans, found, transcripts }: Survey,
  isDryRun: boolean,
  applied?: readonly AppliedPlan[],
  report?: ImportReport,
): object {
  return {
    dryRun: isDryRun,
    scope: scope.kind,
    ...(scope.kind === 'project' ? { project: scope.root } : {}),
    agents: plans.map((plan) => {
      const trace = found.find(({ agent }) => agent.name === plan.agent.name);
      const done = applied?.find((each) => each.plan === plan);
      return {
        agent: plan.agent.name,
        found: trace !== undefined,
        version: trace?.version,
        files: done ? done.changed : toPlannedFiles(plan),
        problem: done ? done.problem : plan.problem,
        note: plan.note,
        next: plan.files.length > 0 ? plan.agent.nextStep?.(scope) : undefined,
      };
    }),
    transcripts,
    imported: report && importJson(report),
  };
}

function toPlannedFiles({ files }: AgentPlan): readonly unknown[] {
  return files
    .filter(({ edit }) => edit.kind !== 'none')
    .map(({ target, edit, exists }) => ({
      path: target.path,
      did: edit.kind === 'delete' ? 'deleted' : exists ? 'changed' : 'created',
    }));
}

function surveyMachine(
  context: CommandContext,
  home: Home,
  options: OptionValues,
): InstallContext & Pick<Survey, 'checkout'> {
  const machine = getMachine(context);
  const checkout = home.findCheckoutRoot(context.cwd);
  const scope: InstallScope = flagOption(options, 'project') ? { kind: 'project', root: checkout } : { kind: 'user' };
  return { machine, scope, checkout, record: readInstallRecord(machine.yoreHome) };
}
