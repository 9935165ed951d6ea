import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { applyInstallation } from '../../src/install/apply.ts';
import { type AgentCheck, checkAgents, type Examined } from '../../src/install/check-agents.ts';
import { readInstallRecord } from '../../src/install/install-record.ts';
import { type Machine, serverFile } from '../../src/install/machine.ts';
import { planInstallation, unitsNamed } from '../../src/install/plan.ts';
import { writeServerShim } from '../../src/install/server-shim.ts';
import { createMachine, put } from './machine.ts';

const INSTALLED_AT = 1_763_000_000_000;
const MINUTE = 60_000;

function used(): Machine {
  const machine = createMachine();
  mkdirSync(join(machine.userHome, '.claude'));
  mkdirSync(join(machine.userHome, '.codex'));
  return machine;
}

function wire(machine: Machine, agents: readonly string[] = ['claude-code', 'codex']): void {
  const script = put(machine.userHome, 'lib/yore/main.cjs', '');
  writeServerShim(machine, { node: process.execPath, script });
  const plans = planInstallation(
    unitsNamed(agents),
    machine,
    { kind: 'user' },
    readInstallRecord(machine.yoreHome),
  );
  for (const plan of plans) applyInstallation(plan, machine.yoreHome, { kind: 'user' }, INSTALLED_AT);
}

function check(machine: Machine, more: Partial<Examined> = {}): readonly AgentCheck[] {
  return checkAgents({
    machine,
    record: readInstallRecord(machine.yoreHome),
    seen: () => ({ durations: [] }),
    hookProblem: undefined,
    ...more,
  });
}

describe('checking agents', () => {
  it('finds nothing wrong with agents that were never wired', () => {
    expect(check(used())).toMatchObject([
      { agent: 'claude-code', hooks: 'missing', mcp: 'missing', problems: [] },
      { agent: 'codex', hooks: 'missing', mcp: 'missing', problems: [] },
    ]);
  });

  it('tells what is wired, when the last event came and how long hooks took', () => {
    const machine = used();
    wire(machine);
    const durations = Array.from({ length: 100 }, (_, index) => index + 1);
    const seen = () => ({ lastEvent: { at: INSTALLED_AT + MINUTE, type: 'stop' }, durations });
    expect(check(machine, { seen })[0]).toEqual({
      agent: 'claude-code',
      title: 'Claude Code',
      hooks: 'wired',
      mcp: 'wired',
      lastEvent: { at: INSTALLED_AT + MINUTE, type: 'stop' },
      hookTime: { p50: 50, p99: 99 },
      problems: [],
      notes: [],
    });
  });

  it('reports the silence of a wired agent that goes on writing transcripts, and says what Codex needs', () => {
    const machine = used();
    wire(machine);
    const silent = check(machine, {
      seen: () => ({ durations: [], lastTranscript: INSTALLED_AT + 20 * MINUTE }),
    });
    expect(silent[0]?.problems).toEqual([expect.stringContaining('silent')]);
    expect(silent[1]?.fix).toBeUndefined();
    expect(silent[1]).toMatchObject({
      problems: [expect.stringContaining('/hooks')],
    });
    const heard = { at: INSTALLED_AT + 19 * MINUTE, type: 'stop' };
    const alive = check(machine, {
      seen: () => ({ durations: [], lastEvent: heard, lastTranscript: INSTALLED_AT + 20 * MINUTE }),
    });
    expect(alive.flatMap(({ problems }) => problems)).toEqual([]);
  });

  it('sees hooks that were edited, taken out, or lead to nothing', () => {
    const machine = used();
    wire(machine, ['claude-code']);
    const settings = join(machine.userHome, '.claude', 'settings.json');
    const whole = readFileSync(settings, 'utf8');
    const problems = (more: Partial<Examined> = {}) => check(machine, more)[0]?.problems;
    expect(problems({ hookProblem: 'yore-hook is missing' })).toEqual(['yore-hook is missing.']);
    writeFileSync(settings, whole.replaceAll('.yore/bin', '.other/bin'));
    expect(problems()).toEqual(['Its hooks are not what yore init wrote.']);
    writeFileSync(settings, '{}');
    expect(problems()).toEqual(['Its hooks are gone from its settings.']);
    expect(check(machine)[0]?.fix).toBe('yore init --agent claude-code');
    writeFileSync(settings, whole.replace('{', '{ "disableAllHooks": true,'));
    expect(problems()).toEqual([expect.stringContaining('"disableAllHooks"')]);
    writeFileSync(settings, '{"hooks":');
    expect(problems()).toEqual([expect.stringContaining('settings.json cannot be read: line 1')]);
    writeFileSync(settings, whole);
    rmSync(join(machine.userHome, 'lib'), { recursive: true });
    expect(problems()).toEqual([expect.stringContaining('which is not there')]);
    rmSync(serverFile(machine));
    expect(problems()).toEqual([expect.stringContaining('is missing')]);
  });
});
