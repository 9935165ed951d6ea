import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type InstallScope, type Machine, serverFile } from '../../src/agents/installation.ts';
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

function install(
  machine: Machine,
  agents: readonly string[] = ['claude-code', 'codex'],
  scope: InstallScope = { kind: 'user' },
): void {
  const script = put(machine.userHome, 'lib/yore/main.cjs', '');
  writeServerShim(machine, { node: process.execPath, script });
  const plans = planInstallation(
    ALL.filter(({ name }) => agents.includes(name)),
    { machine, scope, record: readInstallRecord(machine.yoreHome) },
  );
  for (const plan of plans) applyInstallation(plan, machine.yoreHome, scope, INSTALLED_AT);
}

/** The events of Codex that yore installs hooks for, as Codex names them in the keys of its hooks. */
const CODEX_EVENTS = [
  'session_start',
  'user_prompt_submit',
  'pre_tool_use',
  'post_tool_use',
  'stop',
  'subagent_stop',
  'pre_compact',
  'post_compact',
  'session_end',
];

function trustCodexHooks(machine: Machine, folder = machine.userHome, more = ''): void {
  const tables = CODEX_EVENTS.map(
    (event) => `[hooks.state."${folder}/.codex/hooks.json:${event}:0:0"]\n${more}trusted_hash = "sha256:${event}"\n`,
  );
  const config = join(machine.userHome, '.codex', 'config.toml');
  writeFileSync(config, `${existsSync(config) ? readFileSync(config, 'utf8') : ''}\n${tables.join('\n')}`);
}

function check(machine: Machine, more: Partial<CheckContext> = {}): readonly AgentCheck[] {
  return checkAgents({
    agents: ALL,
    machine,
    record: readInstallRecord(machine.yoreHome),
    activityOf: () => ({ durations: [] }),
    hookProblem: undefined,
    checkout: join(machine.userHome, 'app'),
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
      steps: [],
      notes: [],
    });
  });

  it('reports hooks that are silent while transcripts grow, and what Codex needs', () => {
    const machine = used();
    install(machine);
    trustCodexHooks(machine);
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
    expect(problems()).toEqual([]);
    expect(check(machine)[0]?.steps).toEqual([expect.stringContaining('"disableAllHooks"')]);
    writeFileSync(settings, '{"hooks":');
    expect(problems()).toEqual([expect.stringContaining('settings.json cannot be read: line 1')]);
    writeFileSync(settings, whole);
    rmSync(join(machine.userHome, 'lib'), { recursive: true });
    expect(problems()).toEqual([expect.stringContaining('which does not exist')]);
    rmSync(serverFile(machine));
    expect(problems()).toEqual([expect.stringContaining('is missing')]);
  });
});

describe('hooks that an agent does not run', () => {
  const stepsOf = (machine: Machine) => check(machine)[0]?.steps;

  it('are those of Codex until they are trusted and turned on', () => {
    const machine = createMachine();
    mkdirSync(join(machine.userHome, '.codex'));
    install(machine, ['codex']);
    const config = join(machine.userHome, '.codex', 'config.toml');
    const untrusted = readFileSync(config, 'utf8');
    expect(stepsOf(machine)).toEqual([
      expect.stringMatching(/does not run its hooks until you trust them: type \/hooks/),
    ]);
    const heard = () => ({ durations: [], lastEvent: { at: INSTALLED_AT + MINUTE, type: 'stop' } });
    expect(check(machine, { activityOf: heard })[0]?.steps).toEqual([]);
    trustCodexHooks(machine);
    expect(stepsOf(machine)).toEqual([]);
    const trusted = readFileSync(config, 'utf8');
    writeFileSync(config, trusted.replace(':stop:0:0', ':stop:1:0'));
    expect(stepsOf(machine)).toEqual([expect.stringContaining('some of its hooks')]);
    writeFileSync(config, untrusted);
    trustCodexHooks(machine, machine.userHome, 'enabled = false\n');
    expect(stepsOf(machine)).toEqual([expect.stringContaining('turned off')]);
  });

  it('are those of a project that Codex does not trust', () => {
    const machine = createMachine();
    const root = join(machine.userHome, 'app');
    mkdirSync(join(machine.userHome, '.codex'));
    install(machine, ['codex'], { kind: 'project', root });
    trustCodexHooks(machine, root);
    expect(stepsOf(machine)).toEqual([
      `Codex does not trust ${root} and ignores its hooks: start codex there and trust the folder.`,
    ]);
    const config = join(machine.userHome, '.codex', 'config.toml');
    writeFileSync(config, `[projects."${root}"]\ntrust_level = "trusted"\n${readFileSync(config, 'utf8')}`);
    expect(stepsOf(machine)).toEqual([]);
  });

  it('are those of Gemini CLI in a folder where it is used but that it does not trust', () => {
    const machine = createMachine();
    const root = join(machine.userHome, 'code', 'app');
    put(machine.userHome, '.gemini/settings.json', '{}');
    install(machine, ['gemini']);
    const steps = () => check(machine, { checkout: root })[0]?.steps;
    expect(steps()).toEqual([]);
    put(machine.userHome, '.gemini/projects.json', JSON.stringify({ projects: { [root]: 'app' } }));
    expect(steps()).toEqual([expect.stringContaining(`does not trust ${root}`)]);
    const trust = (rules: object) => put(machine.userHome, '.gemini/trustedFolders.json', JSON.stringify(rules));
    trust({ [root]: 'TRUST_FOLDER' });
    expect(steps()).toEqual([]);
    trust({ [join(machine.userHome, 'code')]: 'TRUST_FOLDER', [root]: 'DO_NOT_TRUST' });
    expect(steps()).toEqual([expect.stringContaining('does not trust')]);
    trust({ [join(machine.userHome, 'code', 'other')]: 'TRUST_PARENT' });
    expect(steps()).toEqual([]);
    trust({});
    put(machine.userHome, '.gemini/settings.json', '{ "security": { "folderTrust": { "enabled": false } } }');
    expect(steps()).toEqual([]);
  });
});

describe('what yore does not understand', () => {
  it('is named with a file that contains it', () => {
    const machine = used();
    install(machine, ['claude-code']);
    const unknown = [
      { reason: 'unknown line: sparkle', count: 12, path: '/t/one.jsonl' },
      { reason: 'transcript without a message or call', count: 1, path: '/t/two.jsonl', isWhole: true },
    ];
    const [found] = check(machine, { activityOf: () => ({ durations: [], unknown }) });
    expect(found?.unknown).toEqual(unknown);
    expect(found?.notes).toEqual([
      'yore did not understand 13 parts of its transcripts and events: unknown line: sparkle (12, such as in /t/one.jsonl), transcript without a message or call (1, such as in /t/two.jsonl). A newer yore may.',
    ]);
  });

  it('comes with a warning if the agent is newer than the version that yore was tested with', () => {
    const machine = used();
    install(machine, ['claude-code']);
    const unknown = [{ reason: 'unknown line: sparkle', count: 1, path: '/t/one.jsonl' }];
    const notes = (version: string, parts = unknown) => {
      const folder = `versions/${version}`;
      put(machine.userHome, `${folder}/claude`, '#!/bin/sh\n');
      const env = { ...machine.env, PATH: join(machine.userHome, folder) };
      const [found] = check({ ...machine, env }, { activityOf: () => ({ durations: [], unknown: parts }) });
      return found?.notes ?? [];
    };
    const tested = ALL.find(({ name }) => name === 'claude-code')?.tested?.version ?? '';
    expect(notes('999.0.0')).toContainEqual(
      `Claude Code 999.0.0 is newer than ${tested}, the last version that yore was tested with.`,
    );
    expect(notes(tested)).toHaveLength(1);
    expect(notes('1.9.999')).toHaveLength(1);
    expect(notes('999.0.0', [])).toEqual([]);
  });
});

describe('an installation for a project', () => {
  const inProject = (machine: Machine): InstallScope => ({ kind: 'project', root: join(machine.userHome, 'app') });

  it('is reported in its checkout, with what pi needs, and named elsewhere', () => {
    const machine = createMachine();
    mkdirSync(join(machine.userHome, '.pi', 'agent'), { recursive: true });
    install(machine, ['pi'], inProject(machine));
    const root = join(machine.userHome, 'app');
    expect(check(machine)).toMatchObject([
      {
        agent: 'pi',
        project: root,
        hooks: 'installed',
        problems: [],
        notes: [expect.stringContaining('pi --approve')],
      },
    ]);
    const [elsewhere] = check(machine, { checkout: join(machine.userHome, 'other') });
    expect(elsewhere).toMatchObject({ hooks: 'missing', notes: [`Installed for other projects: ${root}.`] });
    expect(elsewhere?.project).toBeUndefined();
    rmSync(join(root, '.pi'), { recursive: true });
    expect(check(machine)[0]).toMatchObject({
      problems: ['Its hooks are missing from its settings.', 'Its MCP server is missing from its settings.'],
      fix: 'yore init --agent pi --project',
    });
  });

  it('beside one for the user is reported, because each hook runs twice', () => {
    const machine = used();
    install(machine, ['claude-code']);
    install(machine, ['claude-code'], inProject(machine));
    expect(check(machine)[0]).toMatchObject({ hooks: 'installed', notes: [expect.stringContaining('runs twice')] });
    expect(check(machine, { checkout: machine.userHome })[0]?.notes).toEqual([]);
  });
});
