import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../temp-folder.ts';
import { claudeCodeTranscript, type Session } from './published-repository.ts';

const ADAPTER = fileURLToPath(new URL('../../bench/adapters/claims.mjs', import.meta.url));

function runAdapter(args: readonly string[], input = ''): readonly Record<string, unknown>[] {
  const { status, stdout, stderr } = spawnSync(process.execPath, [ADAPTER, ...args], { encoding: 'utf8', input });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

describe('npm run adapter:claims', () => {
  it('prints the cause of each failed call, what solved it, and whether a later session hears of it', () => {
    const run = (id: string, minute: string, command: string, output: string, exit = 0) => [
      {
        ...{ type: 'call', id, session: 's1', agent: 'codex', tool: 'exec_command', input: { cmd: command } },
        ...{ ts: `2026-03-01T10:${minute}:00.000Z`, cwd: '/home/ada/lighthouse', branch: 'main' },
      },
      {
        ...{ type: 'outcome', id, ts: `2026-03-01T10:${minute}:01.000Z`, exit, output },
        status: exit === 0 ? 'ok' : 'error',
      },
    ];
    const events = [
      { type: 'project', name: 'lighthouse' },
      { type: 'prompt', session: 's1', agent: 'codex', ts: '2026-03-01T10:00:00.000Z', text: 'Cache the tides' },
      ...run('c1', '01', 'npm install redis-node', 'npm error code E404\nnpm error 404 Not Found - redis-node', 1),
      ...run('c2', '02', 'npm install redis', 'added 1 package'),
      ...run('c3', '03', 'docker compose up', 'Cannot connect to the Docker daemon. Is the docker daemon running?', 1),
      { type: 'conclude' },
    ];
    const claims = runAdapter([], events.map((event) => JSON.stringify(event)).join('\n'));
    expect(claims).toMatchObject([
      {
        ...{ claim: 'failure', id: 'c1', cause: 'npm error 404 Not Found - redis-node', active: true },
        fix: { by: 'c2', text: 'npm install redis' },
      },
      { claim: 'failure', id: 'c3', cause: expect.stringContaining('Docker daemon'), fix: null, active: true },
    ]);
  });

  it('prints the titles of the sessions in a home, and the commands of the project', () => {
    const home = temporaryFolder();
    const lamp: Session = {
      id: '5f0c1a52-0000-4000-8000-00000000000a',
      day: '2026-03-01',
      steps: [
        { at: '10:00', prompt: 'Stop the lamp when the sun is up' },
        ...['10:01', '10:02', '10:03', '10:04'].map((at) => ({ at, run: 'cargo test', output: 'test result: ok.' })),
      ],
    };
    const file = join(home, '.claude', 'projects', '-home-ada-lighthouse', `${lamp.id}.jsonl`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, claudeCodeTranscript(lamp));
    expect(runAdapter(['--home', home, '--project', 'lighthouse'])).toEqual([
      { claim: 'title', session: lamp.id, text: 'Stop the lamp when the sun is up' },
      { claim: 'command', action: 'test', text: 'cargo test' },
    ]);
  });
});
