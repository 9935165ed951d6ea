import type { JsonAddition, JsonValue } from './text/add-to-json.ts';

/** What a change is for. `frame`: what the file needs besides, such as the version of its format. */
export type Part = 'hooks' | 'mcp' | 'frame';

/** Something that is added to a JSON file of an agent. */
export interface SettingsAddition extends JsonAddition {
  readonly part: Part;
}

/** A JSON file (comments allowed) that gets additions. */
export interface JsonTarget {
  readonly kind: 'json';
  readonly path: string;
  readonly additions: readonly SettingsAddition[];
  /** Files that are used in its place when they are there. */
  readonly rivals?: readonly string[];
  /** Left alone where this folder is not there. */
  readonly onlyIn?: string;
}

/** A TOML file that gets one table, at its end. */
export interface TomlTarget {
  readonly kind: 'toml';
  readonly path: string;
  readonly part: Part;
  readonly table: readonly string[];
  readonly lines: readonly string[];
}

/** A file that is yore's as a whole. */
export interface OwnTarget {
  readonly kind: 'own';
  readonly path: string;
  readonly parts: readonly Part[];
  readonly text: string;
}

/** A file that `yore init` creates or changes. */
export type Target = JsonTarget | TomlTarget | OwnTarget;

/** Whether a target serves a part. */
export function serves(target: Target, part: Part): boolean {
  if (target.kind === 'json') return target.additions.some((addition) => addition.part === part);
  return target.kind === 'toml' ? target.part === part : target.parts.includes(part);
}

/** A hook of an event, in the list of that event under `hooks`. */
export function hookAddition(event: string, value: JsonValue): SettingsAddition {
  return { part: 'hooks', kind: 'element', path: ['hooks', event], value };
}

/** The MCP server, under the key that the agent keeps servers in. */
export function serverAddition(key: string, value: JsonValue): SettingsAddition {
  return { part: 'mcp', kind: 'member', path: [key, 'yore'], value };
}
