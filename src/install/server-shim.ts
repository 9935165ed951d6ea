import { chmodSync, readFileSync, statSync } from 'node:fs';
import { type Machine, serverFile } from '../agents/installation.ts';
import { writeFileAtomic } from '../files/index.ts';

/** How the MCP server is started: the `node` program and yore's command line, both absolute paths. */
export interface ServerTarget {
  readonly node: string;
  readonly script: string;
}

/** Writes the file that agents start as an MCP server. Idempotent. */
export function writeServerShim(machine: Machine, target: ServerTarget): void {
  const path = serverFile(machine);
  const text = formatShim(machine, target);
  if (readIfExists(path) === text) return;
  writeFileAtomic(path, text, { mode: 0o755 });
  chmodSync(path, 0o755);
}

/** What is wrong with the file that agents start as an MCP server; a clause, undefined when nothing is. */
export function findServerShimProblem(machine: Machine): string | undefined {
  const path = serverFile(machine);
  const text = readIfExists(path);
  if (text === undefined) return `${path} is missing`;
  const script = /^(?:script='(.*)'|set "script=(.*)")\r?$/m.exec(text);
  const file = (script?.[1] ?? script?.[2] ?? '').replaceAll("'\\''", "'");
  return isFile(file) ? undefined : `${path} starts ${file || 'nothing'}, which does not exist`;
}

function formatShim({ platform, yoreHome }: Machine, { node, script }: ServerTarget): string {
  if (platform === 'win32') {
    return [
      '@echo off',
      "rem Started by coding agents: yore's MCP server.",
      'setlocal',
      `set "node=${node}"`,
      `set "script=${script}"`,
      'if not exist "%node%" set "node=node"',
      `"%node%" "%script%" mcp --home "${yoreHome}"`,
      '',
    ].join('\r\n');
  }
  return [
    '#!/bin/sh',
    "# Started by coding agents: yore's MCP server.",
    `node=${quoteForShell(node)}`,
    `script=${quoteForShell(script)}`,
    '[ -x "$node" ] || node=node',
    `exec "$node" "$script" mcp --home ${quoteForShell(yoreHome)}`,
    '',
  ].join('\n');
}

function quoteForShell(path: string): string {
  return `'${path.replaceAll("'", "'\\''")}'`;
}

function readIfExists(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function isFile(path: string): boolean {
  return path !== '' && statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
