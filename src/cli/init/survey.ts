import { AGENT_NAMES, type AgentName } from '../../agents/agent-name.ts';
import {
  type AgentPlan,
  type FoundAgent,
  findAgents,
  type InstallRecord,
  type Machine,
  planInstallation,
  planUninstallation,
  readInstallRecord,
  type Scope,
  unitsNamed,
} from '../../install/index.ts';
import type { Home } from '../../project/index.ts';
import { YoreError } from '../../record/index.ts';
import type { CommandContext, OptionValues } from '../command.ts';
import { machineOf, placesOf } from '../machine.ts';
import { flagOption, textsOption } from '../option-values.ts';

/** Transcripts of one agent that were found. */
interface FoundTranscripts {
  readonly agent: AgentName;
  readonly count: number;
  readonly bytes: number;
}

/** What `yore init` found and would do. Made without opening a transcript and without writing anything. */
export interface Survey {
  readonly machine: Machine;
  readonly scope: Scope;
  readonly record: InstallRecord;
  readonly found: readonly FoundAgent[];
  readonly plans: readonly AgentPlan[];
  /** Undefined when nothing is to be imported. */
  readonly transcripts?: readonly FoundTranscripts[];
}

/** Looks at the machine for an installation. */
export async function surveyInstallation(
  context: CommandContext,
  home: Home,
  options: OptionValues,
): Promise<Survey> {
  const base = surveyBase(context, home, options);
  const { machine, scope, record } = base;
  const names = namedAgents(options);
  const found = findAgents(machine).filter(({ unit }) => names === undefined || names.includes(unit.agent));
  // An agent that is named is wired even where it left no trace yet.
  const units = unitsNamed(names ?? found.map(({ unit }) => unit.agent));
  const plans = planInstallation(units, machine, scope, record);
  if (options.import === false) return { ...base, found, plans };
  const { findSources, loadAgents } = await import('../../import/index.ts');
  const counted = new Map<AgentName, FoundTranscripts>();
  for (const { source } of findSources(await loadAgents(names), placesOf(context, home))) {
    const { agent, size } = source;
    const { count, bytes } = counted.get(agent) ?? { count: 0, bytes: 0 };
    counted.set(agent, { agent, count: count + 1, bytes: bytes + size });
  }
  return { ...base, found, plans, transcripts: [...counted.values()] };
}

/** Looks at the machine for taking everything back. */
export function surveyUninstallation(context: CommandContext, home: Home, options: OptionValues): Survey {
  const base = surveyBase(context, home, options);
  const { machine, scope, record } = base;
  const units = unitsNamed(namedAgents(options) ?? AGENT_NAMES);
  return { ...base, found: [], plans: planUninstallation(units, machine, scope, record) };
}

/** The agents given with `--agent`; undefined when none is. Throws USAGE for a name that is none. */
export function namedAgents(options: OptionValues): readonly AgentName[] | undefined {
  const texts = textsOption(options, 'agent');
  if (texts.length === 0) return undefined;
  return texts.map((text) => {
    const name = AGENT_NAMES.find((each) => each === text);
    if (name !== undefined) return name;
    throw new YoreError('USAGE', `There is no agent "${text}". yore knows ${AGENT_NAMES.join(', ')}.`);
  });
}

function surveyBase(
  context: CommandContext,
  home: Home,
  options: OptionValues,
): Pick<Survey, 'machine' | 'scope' | 'record'> {
  const machine = machineOf(context);
  const scope: Scope = flagOption(options, 'project')
    ? { kind: 'project', root: home.checkoutOf(context.cwd) }
    : { kind: 'user' };
  return { machine, scope, record: readInstallRecord(machine.yoreHome) };
}
