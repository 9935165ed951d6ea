import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { tryReadText, writeFileAtomic } from '../files/file-access.ts';

/** What the shim starts: Node.js and the hook's script, as absolute paths. */
export interface ShimTarget {
  readonly node: string;
  readonly script: string;
}

/**
 * The command in the agents' settings: a script in yore's home. Its path and content never change, because some agents
 * trust a command by its hash. What it starts is in the file `target` beside it.
 */
export function shimPath(home: string, platform: NodeJS.Platform): string {
  return join(home, 'bin', platform === 'win32' ? 'yore-hook.cmd' : 'yore-hook');
}

/**
 * The content of the shim. It always exits with 0, and prints nothing when Node.js or yore is missing, because some
 * agents take anything else as a refusal. Variables that make Node.js load more than it needs are unset.
 */
export function shimText(platform: NodeJS.Platform): string {
  return platform === 'win32' ? WINDOWS : POSIX;
}

/** Writes the shims and what they start. Idempotent. */
export function writeShim(home: string, target: ShimTarget): void {
  for (const platform of ['linux', 'win32'] as const) {
    const path = shimPath(home, platform);
    if (tryReadText(path) !== shimText(platform)) writeFileAtomic(path, shimText(platform));
    chmodSync(path, 0o755);
  }
  const text = `${target.node}\n${target.script}\n`;
  if (tryReadText(targetPath(home)) !== text) writeFileAtomic(targetPath(home), text);
}

/** What the shim of a home starts; undefined when there is none. */
export function readShimTarget(home: string): ShimTarget | undefined {
  const [node = '', script = ''] = (tryReadText(targetPath(home)) ?? '').split('\n');
  return node === '' || script === '' ? undefined : { node, script };
}

function targetPath(home: string): string {
  return join(home, 'bin', 'target');
}

const POSIX = `#!/bin/sh
# Called by coding agents. Starts yore's hook; says nothing and ends well when that is not possible.
exec 2>/dev/null
here=\${0%/*}
{ read -r node && read -r script; } < "$here/target" || exit 0
[ -x "$node" ] || node=$(command -v node) || exit 0
[ -f "$script" ] || exit 0
unset NODE_OPTIONS NODE_EXTRA_CA_CERTS
YORE_SHIM=1 YORE_HOME=\${here%/bin} "$node" "$script" "$@"
exit 0
`;

const WINDOWS = `@echo off
rem Called by coding agents. Starts yore's hook; says nothing and ends well when that is not possible.
setlocal
set "node="
set "script="
if not exist "%~dp0target" exit /b 0
for /f "usebackq delims=" %%a in ("%~dp0target") do if not defined node (set "node=%%a") else if not defined script set "script=%%a"
if not defined script exit /b 0
if not exist "%script%" exit /b 0
if not exist "%node%" set "node=node"
set "YORE_HOME=%~dp0.."
set "NODE_OPTIONS="
set "NODE_EXTRA_CA_CERTS="
"%node%" "%script%" %* 2>nul
exit /b 0
`.replaceAll('\n', '\r\n');
