import { chmodSync } from 'node:fs';
import { type Machine, serverFile } from '../agents/installation.ts';
import { tryReadText, writeFileAtomic } from '../files/index.ts';
import { isFile } from './find-agents.ts';

/** How the MCP server is started: the `node` program and yore's command line, both absolute paths. */
export interface ServerTarget {
  readonly node: string;
  readonly script: string;
}

/** Writes the file that agents start as an MCP server. Idempotent. */
export function writeServerShim(machine: Machine, target: ServerTarget): void {
  const path = serverFile(machine);
  const text = formatShim(machine, target);
  if (tryReadText(path) === text) return;
  writeFileAtomic(path, text, { mode: 0o755 });
  chmodSync(path, 0o755);
}

/** What is wrong with the file that agents start as an MCP server; a sentence, undefined when nothing is. */
export function findServerShimProblem(machine: Machine): string | undefined {
  const path = serverFile(machine);
  const text = tryReadText(path);
  if (text === undefined) return `${path} is missing.`;
  const script = /^(?:script='(.*)'|set "script=(.*)")\r?$/m.exec(text);
  const file = (script?.[1] ?? script?.[2] ?? '').replaceAll("'\\''", "'");
  return isFile(file) ? undefined : `${path} starts ${file || 'nothing'}, which does not exist.`;
}

function formatShim({ platform, yoreHome }: Machine, { node, script }: ServerTarget): string {
  if (platform === 'win32') {
    const text = `@echo off
rem Started by coding agents: yore's MCP server.
setlocal
set "node=${node}"
set "script=${script}"
if not exist "%node%" set "node=node"
"%node%" "%script%" mcp --home "${yoreHome}"
`;
    return text.replaceAll('\n', '\r\n');
  }
  return `#!/bin/sh
# Started by coding agents: yore's MCP server.
node=${quoteForShell(node)}
script=${quoteForShell(script)}
[ -x "$node" ] || node=node
exec "$node" "$script" mcp --home ${quoteForShell(yoreHome)}
`;
}

function quoteForShell(path: string): string {
  return `'${path.replaceAll("'", "'\\''")}'`;
}
