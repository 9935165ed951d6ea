import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { handleHook } from '../../src/hook/handle-hook.ts';
import { ProjectHandle } from '../../src/recording/project-handle.ts';
import { temporaryFolder } from '../temp-folder.ts';
import { ClaudeSession } from './claude-session.ts';

const NOW = Date.parse('2026-03-02T09:00:00.000Z');
const CALLS = 2_000;

function records(directory: string): readonly string[] {
  return ['failures', 'successes']
    .map((log) => join(directory, `${log}.jsonl`))
    .filter(existsSync)
    .flatMap((path) => readFileSync(path, 'utf8').match(/"id":"id-\d+"/g) ?? []);
}

/** A session with many spooled calls that no process has drained. */
async function withBacklog(): Promise<{ readonly session: ClaudeSession; readonly directory: string }> {
  const session = new ClaudeSession(temporaryFolder(), 's', NOW);
  await session.run('make', { stdout: 'done' });
  const directory = ProjectHandle.find(session.cwd, session.machine())?.directory ?? '';
  const spool = join(directory, 'spool.jsonl');
  const call = JSON.parse(readFileSync(spool, 'utf8'));
  const lines = Array.from({ length: CALLS }, (_, number) =>
    JSON.stringify({ ...call, id: `id-${number}`, callId: `c-${number}`, command: `make target-${number}` }),
  );
  writeFileSync(spool, `${lines.join('\n')}\n`);
  return { session, directory };
}

test.each(['Stop', 'UserPromptSubmit', 'SessionEnd'])(
  'the hook for %s drains a large backlog in parts, each within the time it has, and nothing twice',
  async (event) => {
    const { session, directory } = await withBacklog();
    let drained = 0;
    for (
      let hooks = 1;
      existsSync(join(directory, 'spool.taken')) || existsSync(join(directory, 'spool.jsonl'));
      hooks++
    ) {
      let elapsed = 0;
      // Every look at the clock finds that time has passed.
      const machine = { ...session.machine(), elapsed: () => (elapsed += 300) };
      const payload = { session_id: 's', cwd: session.cwd, hook_event_name: event, prompt: 'and now the tests' };
      await handleHook({ agent: 'claude-code', payload: JSON.stringify(payload) }, machine);
      const found = records(directory).length;
      expect(found).toBeGreaterThan(drained);
      if (hooks === 1) expect(found).toBeLessThan(CALLS);
      drained = found;
    }
    expect(records(directory)).toHaveLength(CALLS);
    expect(new Set(records(directory)).size).toBe(CALLS);
    expect(existsSync(join(directory, 'spool.progress'))).toBe(false);
    expect(statSync(join(directory, 'successes.jsonl')).size).toBeGreaterThan(0);
  },
);
