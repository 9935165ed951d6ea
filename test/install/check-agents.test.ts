import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Machine, serverFile } from '../../src/agents/installation.ts';
import { applyInstallation } from '../../src/install/apply.ts';
import { type AgentCheck, type CheckContext, checkAgents } from '../../src/install/check-agents.ts';
import { loadInstallableAgents } from '../../src/install/find-agents.ts';
import { readInstallRecord } from '../../src/install/install-record.ts';
import { planInstallation } from '../../src/install/plan.ts';
import { writeServerShim } from '../../src/install/server-shim.ts';
import { createMachine, put } from './machine.ts';

const INSTALLED_AT = 1_763_000_000_000;
const MINUTE = 60_000;
const ALL = await loadInstallableAgents();

function used(): Machine {
  const machine = createMachine();
  mkdirSync(join(machine.userHome, '.claude'));
  mkdirSync(join(machine.userHome, '.codex'));
  return machine;
}

function install(machine: Machine, agents: readonly string[] = ['claude-code', 'codex']): void {
  const script = put(machine.userHome, 'lib/yore/main.cjs', '');
  writeServerShim(machine, { node: process.execPath, script });
  const plans = planInstallation(
    ALL.filter(({ name }) => agents.includes(name)),
    { machine, scope: { kind: 'user' }, record: readInstallRecord(machine.yoreHome) },
  );
  for (const plan of plans) applyInstallation(plan, machine.yoreHome, { kind: 'user' }, INSTALLED_AT);
}

function check(machine: Machine, more: Partial<CheckContext> = {}): readonly AgentCheck[] {
  return checkAgents({
    agents: ALL,
    machine,
    record: readInstallRecord(machine.yoreHome),
    activityOf: () => ({ durations: [] }),
    hookProblem: undefined,
    ...more,
  });
}

describe('checking agents', () => {
  it('reports no problem for agents that yore was never installed into', () => {
    expect(check(used())).toMatchObject([
      { agent: 'claude-code', hooks: 'missing', mcp: 'missing', problems: [] },
      { agent: 'codex', hooks: 'missing', mcp: 'missing', problems: [] },
    ]);
  });

  it('reports installed parts, the last event and how long hooks took', () => {
    const machine = used();
    install(machine);
    const durations = Array.from({ length: 100 }, (_, index) => index + 1);
    const activityOf = () => ({ lastEvent: { at: INSTALLED_AT + MINUTE, type: 'stop' }, durations });
    expect(check(machine, { activityOf })[0]).toEqual({
      agent: 'claude-code',
      title: 'Claude Code',
      hooks: 'installed',
      mcp: 'installed',
      lastEvent: { at: INSTALLED_AT + MINUTE, type: 'stop' },
      hookTime: { p50: 50, p99: 99 },
      problems: [],
      notes: [],
    });
  });

  it('reports hooks that are silent while transcripts grow, and what Codex needs', () => {
    const machine = used();
    install(machine);
    const silent = check(machine, {
      activityOf: () => ({ durations: [], lastTranscript: INSTALLED_AT + 20 * MINUTE }),
    });
    expect(silent[0]?.problems).toEqual([expect.stringContaining('silent')]);
    expect(silent[1]?.fix).toBeUndefined();
    expect(silent[1]).toMatchObject({
      problems: [expect.stringContaining('/hooks')],
    });
    const heard = { at: INSTALLED_AT + 19 * MINUTE, type: 'stop' };
    const alive = check(machine, {
      activityOf: () => ({ durations: [], lastEvent: heard, lastTranscript: INSTALLED_AT + 20 * MINUTE }),
    });
    expect(alive.flatMap(({ problems }) => problems)).toEqual([]);
  });

  it('reports hooks that were edited, removed, or call a missing file', () => {
    const machine = used();
    install(machine, ['claude-code']);
    const settings = join(machine.userHome, '.claude', 'settings.json');
    const whole = readFileSync(settings, 'utf8');
    const problems = (more: Partial<CheckContext> = {}) => check(machine, more)[0]?.problems;
    expect(problems({ hookProblem: 'yore-hook is missing.' })).toEqual(['yore-hook is missing.']);
    writeFileSync(settings, whole.replaceAll('.yore/bin', '.other/bin'));
    expect(problems()).toEqual(['Its hooks are not what yore init wrote.']);
    writeFileSync(settings, '{}');
    expect(problems()).toEqual(['Its hooks are missing from its settings.']);
    expect(check(machine)[0]?.fix).toBe('yore init --agent claude-code');
    writeFileSync(settings, whole.replace('{', '{ "disableAllHooks": true,'));
    expect(problems()).toEqual([expect.stringContaining('"disableAllHooks"')]);
    writeFileSync(settings, '{"hooks":');
    expect(problems()).toEqual([expect.stringContaining('settings.json cannot be read: line 1')]);
    writeFileSync(settings, whole);
    rmSync(join(machine.userHome, 'lib'), { recursive: true });
    expect(problems()).toEqual([expect.stringContaining('which does not exist')]);
    rmSync(serverFile(machine));
    expect(problems()).toEqual([expect.stringContaining('is missing')]);
  });
});
