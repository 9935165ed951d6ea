import { type JsonNode, memberOf, plainValue } from './text/json-nodes.ts';
import type { ItemPlace } from './text/remove-from-json.ts';

/** The name of the file that agents call for hooks, without the ending it has on Windows. */
export const HOOK_FILE = 'yore-hook';

/** The name of the file that agents start as an MCP server. */
export const SERVER_FILE = 'yore-mcp';

/** The first words of every file that is yore's as a whole, or a key in it where comments are not allowed. */
export const SIGNATURE = 'Written by `yore init`';

/** Where the next thing is in a settings file that `yore init` put there, of this or another version and home. */
export function findOurs(root: JsonNode): ItemPlace | undefined {
  return findHook(root) ?? findServer(root, 'mcpServers') ?? findServer(root, 'mcp');
}

function findHook(root: JsonNode): ItemPlace | undefined {
  const hooks = memberOf(root, 'hooks')?.value;
  if (hooks?.kind !== 'object') return undefined;
  for (const { value: groups } of hooks.members) {
    if (groups.kind !== 'array') continue;
    for (const [index, group] of groups.elements.entries()) {
      if (isOurHandler(group)) return { container: groups, index };
      const handlers = memberOf(group, 'hooks')?.value;
      if (handlers?.kind !== 'array') continue;
      const first = handlers.elements.findIndex(isOurHandler);
      if (first < 0) continue;
      // Somebody may have put a handler of theirs beside ours.
      const isAlone = handlers.elements.every(isOurHandler);
      return isAlone ? { container: groups, index } : { container: handlers, index: first };
    }
  }
  return undefined;
}

function findServer(root: JsonNode, key: string): ItemPlace | undefined {
  const servers = memberOf(root, key)?.value;
  if (servers?.kind !== 'object') return undefined;
  const index = servers.members.findIndex(({ key: name, value }) => name === 'yore' && isOurServer(value));
  return index < 0 ? undefined : { container: servers, index };
}

const HANDLER_KEYS = ['command', 'bash', 'powershell'];
const CALLS_HOOK = new RegExp(`bin[/\\\\]${HOOK_FILE}(?:\\.cmd)?(?:['"\\\\\\s]|$)`);
const STARTS_SERVER = new RegExp(`bin[/\\\\]${SERVER_FILE}(?:\\.cmd)?$`);

/** Whether a command line, or a file with command lines in it, calls the file that yore gives to agents. */
export function callsHook(text: string): boolean {
  return CALLS_HOOK.test(text);
}

function isOurHandler(node: JsonNode): boolean {
  return HANDLER_KEYS.some((key) => {
    const value = memberOf(node, key)?.value;
    return value?.kind === 'scalar' && typeof value.value === 'string' && callsHook(value.value);
  });
}

function isOurServer(node: JsonNode): boolean {
  const words = ['command', 'args'].flatMap((key) => {
    const value = memberOf(node, key)?.value;
    return value === undefined ? [] : [plainValue(value)].flat().map(String);
  });
  return isServerCommand(words);
}

/** Whether a command starts yore's MCP server: the file in yore's home, or `yore mcp`. */
export function isServerCommand(words: readonly string[]): boolean {
  return words.some((word) => STARTS_SERVER.test(word)) || (words[0] === 'yore' && words[1] === 'mcp');
}
