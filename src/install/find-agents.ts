import { readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { AgentUnit } from './agent-unit.ts';
import { AGENT_UNITS } from './agent-units.ts';
import { joinPath, type Machine } from './machine.ts';

/** An agent that is on the machine. */
export interface FoundAgent {
  readonly unit: AgentUnit;
  /** The file or folder that tells so. */
  readonly trace: string;
  /** Where its files tell it. */
  readonly version?: string;
}

/** The agents on the machine: their folder is there, or their program is on the PATH. Runs none of them. */
export function findAgents(machine: Machine): readonly FoundAgent[] {
  return AGENT_UNITS.flatMap((unit) => findAgent(unit, machine) ?? []);
}

function findAgent(unit: AgentUnit, machine: Machine): FoundAgent | undefined {
  const program = unit.commands.flatMap((name) => onPath(name, machine) ?? [])[0];
  const trace = unit.traces(machine).find(isThere) ?? (unit.hasCommonName ? undefined : program);
  if (trace === undefined) return undefined;
  const version = program === undefined ? undefined : versionOf(program);
  return { unit, trace, ...(version === undefined ? {} : { version }) };
}

function onPath(name: string, machine: Machine): string | undefined {
  const isWindows = machine.platform === 'win32';
  const folders = (machine.env.PATH ?? machine.env.Path ?? '').split(isWindows ? ';' : ':');
  const endings = isWindows ? ['.exe', '.cmd'] : [''];
  return folders
    .filter((folder) => folder !== '')
    .flatMap((folder) => endings.map((ending) => joinPath(machine, folder, name + ending)))
    .find(isFile);
}

const VERSION = /^v?(\d+\.\d+\.\d+(?:-[\w.]+)?)$/;
const LEVELS = 4;

/** From the package the program belongs to, or from a folder of its path that is named for a version. */
function versionOf(program: string): string | undefined {
  let real: string;
  try {
    real = realpathSync.native(program);
  } catch {
    return undefined;
  }
  const named = real.split(/[/\\]/).flatMap((part) => VERSION.exec(part)?.[1] ?? []);
  if (named.length > 0) return named.at(-1);
  let folder = dirname(real);
  for (let level = 0; level < LEVELS; level++) {
    const version = packageVersion(join(folder, 'package.json'));
    if (version !== undefined) return version;
    folder = dirname(folder);
  }
  return undefined;
}

function packageVersion(file: string): string | undefined {
  try {
    const fields: unknown = JSON.parse(readFileSync(file, 'utf8'));
    const version =
      typeof fields === 'object' && fields !== null && 'version' in fields ? fields.version : undefined;
    return typeof version === 'string' ? VERSION.exec(version)?.[1] : undefined;
  } catch {
    return undefined;
  }
}

function isThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    return false;
  }
}
