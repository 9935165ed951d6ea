import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { AgentName } from '../agents/agent-name.ts';
import { type AgentInstallation, joinPath, type Machine } from '../agents/installation.ts';
import { AGENTS } from '../agents/registry.ts';
import { resolveLinks, tryReadText } from '../files/index.ts';
import { omitUndefined, parseObject } from '../record/object.ts';

/** An agent that `yore init` can look for, with its installation loaded. */
export interface InstallableAgent extends AgentInstallation {
  readonly name: AgentName;
  readonly title: string;
}

/** An agent that is on the machine. */
export interface FoundAgent {
  readonly agent: InstallableAgent;
  /** The file or folder that shows it. */
  readonly trace: string;
  /** Left out where its files do not say. */
  readonly version?: string;
}

/** Loads the installations of the named agents, in the order of the registry. Default: all agents that have one. */
export async function loadInstallableAgents(names?: readonly AgentName[]): Promise<readonly InstallableAgent[]> {
  const loaded = Object.values(AGENTS)
    .filter(({ name }) => names === undefined || names.includes(name))
    .map(async ({ name, title, loadInstallation }) => {
      const installation = await loadInstallation?.();
      return installation && { name, title, ...installation };
    });
  return (await Promise.all(loaded)).filter((agent) => agent !== undefined);
}

/**
 * Finds which agents are on the machine: their folder exists, or their program is on the `PATH`. Runs none of them.
 */
export function findAgents(agents: readonly InstallableAgent[], machine: Machine): readonly FoundAgent[] {
  return agents.flatMap((agent) => findAgent(agent, machine) ?? []);
}

function findAgent(agent: InstallableAgent, machine: Machine): FoundAgent | undefined {
  const program = agent.commands.flatMap((name) => findOnPath(name, machine) ?? [])[0];
  const trace = agent.traces(machine).find(existsSync) ?? (agent.hasCommonName ? undefined : program);
  if (trace === undefined) return undefined;
  const version = program === undefined ? undefined : findVersion(program);
  return { agent, trace, ...omitUndefined({ version }) };
}

function findOnPath(name: string, machine: Machine): string | undefined {
  const isWindows = machine.platform === 'win32';
  const folders = (machine.env.PATH ?? machine.env.Path ?? '').split(isWindows ? ';' : ':');
  const extensions = isWindows ? ['.exe', '.cmd'] : [''];
  return folders
    .filter((folder) => folder !== '')
    .flatMap((folder) => extensions.map((extension) => joinPath(machine, folder, name + extension)))
    .find(isFile);
}

const VERSION = /^v?(\d+\.\d+\.\d+(?:-[\w.]+)?)$/;
const MAX_LEVELS = 4;

/** The version from a folder of the program's path that is named after it, or from the package it belongs to. */
function findVersion(program: string): string | undefined {
  const real = resolveLinks(program);
  const named = real.split(/[/\\]/).flatMap((part) => VERSION.exec(part)?.[1] ?? []);
  if (named.length > 0) return named.at(-1);
  let folder = dirname(real);
  for (let level = 0; level < MAX_LEVELS; level++) {
    const version = readPackageVersion(join(folder, 'package.json'));
    if (version !== undefined) return version;
    folder = dirname(folder);
  }
  return undefined;
}

function readPackageVersion(file: string): string | undefined {
  const version = parseObject(tryReadText(file) ?? '')?.version;
  return typeof version === 'string' ? VERSION.exec(version)?.[1] : undefined;
}

/** Whether a path is a file that can be looked at. */
export function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    return false;
  }
}
