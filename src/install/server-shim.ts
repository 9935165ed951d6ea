import { chmodSync, readFileSync, statSync } from 'node:fs';
import { writeFileAtomic } from '../files/index.ts';
import { type Machine, serverFile } from './machine.ts';

/** What the MCP server is started with: a program of Node.js and yore's command line, both absolute. */
export interface ServerTarget {
  readonly node: string;
  readonly script: string;
}

/** Writes the file that agents start as an MCP server. Writing the same again changes nothing. */
export function writeServerShim(machine: Machine, target: ServerTarget): void {
  const path = serverFile(machine);
  const text = textOf(machine, target);
  if (readIfThere(path) === text) return;
  writeFileAtomic(path, text, { mode: 0o755 });
  chmodSync(path, 0o755);
}

/** What is wrong with the file that agents start as an MCP server; undefined when nothing is. */
export function serverShimProblem(machine: Machine): string | undefined {
  const path = serverFile(machine);
  const text = readIfThere(path);
  if (text === undefined) return `${path} is missing`;
  const script = /^(?:script='(.*)'|set "script=(.*)")\r?$/m.exec(text);
  const file = (script?.[1] ?? script?.[2] ?? '').replaceAll("'\\''", "'");
  return isFile(file) ? undefined : `${path} starts ${file || 'nothing'}, which is not there`;
}

function textOf({ platform, yoreHome }: Machine, { node, script }: ServerTarget): string {
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
    `node=${quoted(node)}`,
    `script=${quoted(script)}`,
    '[ -x "$node" ] || node=node',
    `exec "$node" "$script" mcp --home ${quoted(yoreHome)}`,
    '',
  ].join('\n');
}

function quoted(path: string): string {
  return `'${path.replaceAll("'", "'\\''")}'`;
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function isFile(path: string): boolean {
  return path !== '' && statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
