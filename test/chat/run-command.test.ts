import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { runCommand } from '../../src/chat/run-command.ts';
import { temporaryFolder } from '../temp-folder.ts';

const env = { PATH: process.env.PATH };

/** The state that `ps` shows: empty if the process is gone, Z for a zombie. */
function stateOf(pid: number): string {
  return spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' })
    .stdout.trim()
    .slice(0, 1);
}

describe('runCommand', () => {
  it('returns exit code and the output of both streams', async () => {
    const cwd = temporaryFolder();
    const pieces: string[] = [];
    const result = await runCommand('echo out; echo err >&2; exit 3', {
      cwd,
      env,
      onOutput: (text) => pieces.push(text),
    });
    expect(result).toMatchObject({ status: 'error', exitCode: 3 });
    expect(result.output.split('\n').sort()).toEqual(['', 'err', 'out']);
    expect(pieces.join('')).toBe(result.output);
  });

  it('runs in the given folder with only the given environment', async () => {
    const cwd = temporaryFolder();
    const result = await runCommand('pwd; echo "[$YORE_SECRET]"', { cwd, env: { ...env } });
    expect(result).toMatchObject({ status: 'ok', exitCode: 0 });
    expect(result.output).toContain(cwd);
    expect(result.output).toContain('[]');
  });

  it('gives the command an empty standard input', async () => {
    expect((await runCommand('cat; echo done', { cwd: temporaryFolder(), env })).output).toBe('done\n');
  });

  it('keeps the beginning and end of a long output and says how much is left out', async () => {
    const script = 'console.log("first");for(let i=0;i<40000;i++)console.log("line "+i);console.log("last")';
    const { output } = await runCommand(`"${process.execPath}" -e '${script}'`, {
      cwd: temporaryFolder(),
      env,
    });
    expect(output.startsWith('first\n')).toBe(true);
    expect(output.endsWith('last\n')).toBe(true);
    expect(output).toMatch(/\n\[\d+ characters left out\]\n/);
    expect(output.length).toBeLessThan(70_000);
  });

  it('returns the exit code of a shell for a killed command', async () => {
    expect(await runCommand('kill -9 $$', { cwd: temporaryFolder(), env })).toMatchObject({
      status: 'error',
      exitCode: 137,
    });
  });

  it('stops the command and its child processes, even those that ignore SIGTERM', async () => {
    const abort = new AbortController();
    const script = `trap '' TERM; sleep 60 & echo $! $$; wait; sleep 60`;
    let pids: readonly number[] = [];
    const result = await runCommand(script, {
      cwd: temporaryFolder(),
      env,
      signal: abort.signal,
      onOutput: (text) => {
        pids = text.trim().split(' ').map(Number);
        abort.abort();
      },
    });
    expect(result.status).toBe('interrupted');
    expect(pids).toHaveLength(2);
    for (const pid of pids) expect(stateOf(pid)).toMatch(/^Z?$/);
  });

  it('fails with a reason in a missing folder', async () => {
    const result = await runCommand('true', { cwd: `${temporaryFolder()}/gone`, env });
    expect(result.status).toBe('error');
    expect(result.output).not.toBe('');
  });
});
