import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hookCommand, type InstallScope, type Machine, serverCommand } from '../../src/agents/installation.ts';
import { applyInstallation, applyUninstallation } from '../../src/install/apply.ts';
import { findAgents, loadInstallableAgents } from '../../src/install/find-agents.ts';
import { readInstallRecord } from '../../src/install/install-record.ts';
import { checkPart, planInstallation, planUninstallation } from '../../src/install/plan.ts';
import { createMachine, put, snapshot } from './machine.ts';

const USER: InstallScope = { kind: 'user' };
const ALL = await loadInstallableAgents();
const named = (names: readonly string[]) => ALL.filter(({ name }) => names.includes(name));

function install(machine: Machine, agents: readonly string[], scope: InstallScope = USER) {
  const record = readInstallRecord(machine.yoreHome);
  return planInstallation(named(agents), { machine, scope, record }).map((plan) =>
    applyInstallation(plan, machine.yoreHome, scope, 1_763_000_000_000),
  );
}

function uninstall(machine: Machine, agents: readonly string[], scope: InstallScope = USER) {
  const record = readInstallRecord(machine.yoreHome);
  return planUninstallation(named(agents), { machine, scope, record }).map((plan) =>
    applyUninstallation(plan, machine.yoreHome),
  );
}

const read = (...path: readonly string[]): string => readFileSync(join(...path), 'utf8');
const readJson = (...path: readonly string[]) => JSON.parse(read(...path));

/** Settings files that users and the agents themselves have written. */
const BEFORE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'claude-code': {
    '.claude/settings.json':
      '{\n\t"model": "large",\n\t"hooks": {\n\t\t"Stop": [\n\t\t\t{"hooks": [{"type": "command", "command": "say done"}]}\n\t\t]\n\t}\n}',
    '.claude.json': '{"numStartups":34,"projects":{"/home/ada/app":{"mcpServers":{}}}}',
  },
  codex: {
    '.codex/config.toml': '# mine\r\nmodel = "o9"\r\n\r\n[mcp_servers.docs]\r\ncommand = "docs"\r\n',
    '.codex/hooks.json': '{ "hooks": { } }\n',
  },
  gemini: { '.gemini/settings.json': '{}' },
  qwen: {
    '.qwen/settings.json': '{\n  "security": { "auth": { "selectedType": "openai" } }, // mine\n  "$version": 4\n}\n',
  },
  opencode: {
    '.config/opencode/opencode.jsonc': '\uFEFF{\n  // theme\n  "theme": "system", // dark at night\n}\n',
  },
  copilot: { '.copilot/mcp-config.json': '{\n    "mcpServers": {\n    }\n}\n' },
  cursor: { '.cursor/hooks.json': '{"version":1,"hooks":{"stop":[{"command":"./mine.sh"}]}}\n' },
  pi: {
    '.pi/agent/settings.json': '{}',
    '.pi/agent/mcp.json': '{ "mcpServers": { "docs": { "url": "https://docs.example/mcp" } } }\n',
  },
  cline: {
    '.config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json':
      '{\n  "mcpServers": {}\n}',
  },
  roo: { '.config/Code/User/globalStorage/rooveterinaryinc.roo-cline/tasks/1/x.json': '{}' },
  aider: { '.aider.conf.yml': 'dark-mode: true\n' },
};

describe.each(ALL.map((agent) => [agent.title, agent] as const))('%s', (_, agent) => {
  function used(): Machine {
    const machine = createMachine();
    for (const [path, text] of Object.entries(BEFORE[agent.name] ?? {})) put(machine.userHome, path, text);
    return machine;
  }

  it('is found by its files, and nowhere else', () => {
    expect(findAgents(ALL, used()).map((found) => found.agent.name)).toEqual([agent.name]);
    expect(findAgents(ALL, createMachine())).toEqual([]);
  });

  it('has the same bytes after install and uninstall', () => {
    const machine = used();
    const before = snapshot(machine.userHome);
    const [applied] = install(machine, [agent.name]);
    expect(applied?.problem).toBeUndefined();
    if (agent.name === 'aider') expect(applied?.changed).toEqual([]);
    else expect(snapshot(machine.userHome)).not.toEqual(before);
    uninstall(machine, [agent.name]);
    expect(snapshot(machine.userHome)).toEqual(before);
    expect(existsSync(join(machine.yoreHome, 'install.json'))).toBe(false);
  });

  it('has an empty folder again if it had no files before', () => {
    const machine = createMachine();
    const [folder = ''] = agent.traces(machine);
    mkdirSync(folder, { recursive: true });
    const before = snapshot(machine.userHome);
    install(machine, [agent.name]);
    uninstall(machine, [agent.name]);
    expect(snapshot(machine.userHome)).toEqual(before);
  });

  it('does not change when it is installed again', () => {
    const machine = used();
    install(machine, [agent.name]);
    const once = snapshot(machine.userHome);
    const record = read(machine.yoreHome, agent.name === 'aider' ? '../.aider.conf.yml' : 'install.json');
    expect(install(machine, [agent.name])[0]?.changed).toEqual([]);
    expect(snapshot(machine.userHome)).toEqual(once);
    expect(read(machine.yoreHome, agent.name === 'aider' ? '../.aider.conf.yml' : 'install.json')).toBe(record);
  });

  it('has all its parts once installed, and none before', () => {
    const machine = used();
    const state = () =>
      (['hooks', 'mcp'] as const).map((part) =>
        checkPart(agent, part, { machine, scope: USER, record: readInstallRecord(machine.yoreHome) }),
      );
    const parts = state();
    expect(parts.filter((each) => each !== undefined && each !== 'missing')).toEqual([]);
    install(machine, [agent.name]);
    expect(state()).toEqual(parts.map((each) => (each === undefined ? undefined : 'installed')));
  });

  it('is installed for one project in files that contain no user path, and uninstalled there alone', () => {
    const machine = used();
    const root = join(machine.userHome, 'app');
    mkdirSync(root);
    const scope: InstallScope = { kind: 'project', root };
    install(machine, [agent.name]);
    const before = snapshot(machine.userHome);
    install(machine, [agent.name], scope);
    for (const [path, content] of Object.entries(snapshot(root))) {
      const text = Buffer.from(content.split(' ')[1] ?? '', 'base64').toString();
      expect(text, path).not.toContain(machine.userHome);
    }
    uninstall(machine, [agent.name], scope);
    expect(snapshot(machine.userHome)).toEqual(before);
    install(machine, [agent.name], scope);
    uninstall(machine, [agent.name]);
    expect(snapshot(root)).toEqual({});
  });
});

describe('the installed settings', () => {
  it('call one file in yore home for every event, and name the event for Copilot', () => {
    const machine = createMachine();
    install(machine, ['claude-code', 'codex', 'gemini', 'copilot', 'cursor']);
    const hook = join(machine.yoreHome, 'bin', 'yore-hook');
    const { userHome } = machine;
    const claude = readJson(userHome, '.claude/settings.json').hooks;
    expect(claude.PreToolUse).toEqual([
      { hooks: [{ type: 'command', command: `${hook} claude-code || true`, timeout: 10 }] },
    ]);
    expect(Object.keys(readJson(userHome, '.codex/hooks.json'))).toEqual(['hooks']);
    expect(readJson(userHome, '.codex/hooks.json').hooks.SessionEnd[0].hooks[0].timeout).toBe(3);
    expect(readJson(userHome, '.gemini/extensions/yore/hooks/hooks.json').hooks.BeforeTool[0].hooks[0]).toMatchObject({
      command: `${hook} gemini || true`,
      timeout: 10_000,
    });
    expect(readJson(userHome, '.copilot/hooks/yore.json').hooks.preToolUse).toEqual([
      { type: 'command', bash: `${hook} copilot preToolUse || true`, timeoutSec: 10 },
    ]);
    expect(readJson(userHome, '.cursor/hooks.json')).toMatchObject({
      version: 1,
      hooks: { beforeShellExecution: [{ command: `${hook} cursor || true`, timeout: 10 }] },
    });
    expect(read(userHome, '.codex/config.toml')).toBe(
      `[mcp_servers.yore]\ncommand = ${JSON.stringify(join(machine.yoreHome, 'bin', 'yore-mcp'))}\nargs = []\n`,
    );
  });

  it('start the MCP server of pi, for the user and for a project', () => {
    const machine = createMachine();
    const root = join(machine.userHome, 'app');
    install(machine, ['pi']);
    install(machine, ['pi'], { kind: 'project', root });
    expect(readJson(machine.userHome, '.pi/agent/mcp.json')).toEqual({
      mcpServers: { yore: { command: join(machine.yoreHome, 'bin', 'yore-mcp'), args: [] } },
    });
    expect(readJson(root, '.pi/mcp.json')).toEqual({ mcpServers: { yore: { command: 'yore', args: ['mcp'] } } });
  });

  it('are where the CLI of Cline reads them, also before it was used', () => {
    const machine = createMachine();
    const yore = { command: join(machine.yoreHome, 'bin', 'yore-mcp'), args: [] };
    install(machine, ['cline']);
    expect(readJson(machine.userHome, '.cline/data/settings/cline_mcp_settings.json')).toEqual({
      mcpServers: { yore },
    });
    const folder = join(machine.userHome, 'elsewhere');
    install({ ...machine, env: { ...machine.env, CLINE_DATA_DIR: folder } }, ['cline']);
    expect(readJson(folder, 'settings/cline_mcp_settings.json').mcpServers.yore).toEqual(yore);
  });

  it('quote a home with spaces and quotes in its path', () => {
    const machine = { ...createMachine(), yoreHome: "/home/a b/it's/.yore" };
    expect(hookCommand(machine, USER, ['codex'])).toBe("'/home/a b/it'\\''s/.yore/bin/yore-hook' codex || true");
  });

  it('call the .cmd files on Windows', () => {
    const machine: Machine = {
      userHome: 'C:\\Users\\Ada L',
      yoreHome: 'C:\\Users\\Ada L\\.yore',
      env: { APPDATA: 'C:\\Users\\Ada L\\AppData\\Roaming' },
      platform: 'win32',
    };
    expect(hookCommand(machine, USER, ['claude-code'])).toBe('"C:/Users/Ada L/.yore/bin/yore-hook.cmd" claude-code');
    expect(serverCommand(machine, USER)).toEqual(['cmd', '/c', 'C:\\Users\\Ada L\\.yore\\bin\\yore-mcp.cmd']);
    const paths = ALL.flatMap((agent) => agent.targets(machine, USER)).map(({ path }) => path);
    for (const path of paths) expect(path).toMatch(/^C:\\Users\\Ada L\\/);
  });

  it('follow environment variables that move the agents', () => {
    const machine = createMachine();
    const elsewhere = join(machine.userHome, 'elsewhere');
    const moved = {
      ...machine,
      env: { CLAUDE_CONFIG_DIR: elsewhere, CODEX_HOME: elsewhere, COPILOT_HOME: elsewhere },
    };
    install(moved, ['claude-code', 'codex', 'copilot']);
    expect(Object.keys(snapshot(elsewhere))).toEqual(
      expect.arrayContaining(['.claude.json', 'settings.json', 'hooks.json', 'config.toml', 'hooks/yore.json']),
    );
    // The install record says where the files are when the variables are gone.
    uninstall(machine, ['claude-code', 'codex', 'copilot']);
    expect(existsSync(elsewhere)).toBe(false);
  });

  it('are left out for Claude Code when the plugin is enabled', () => {
    const machine = createMachine();
    put(machine.userHome, '.claude/settings.json', '{"enabledPlugins": {"yore@yore": true}}');
    const [plan] = planInstallation(named(['claude-code']), {
      machine,
      scope: USER,
      record: { files: new Map(), folders: [] },
    });
    expect(plan).toMatchObject({ files: [], note: expect.stringContaining('plugin') });
  });
});

describe('an agent whose settings cannot be changed', () => {
  it.each([
    [
      'invalid JSON',
      (file: string) => writeFileSync(file, '{"hooks": {,}}'),
      /settings\.json cannot be changed: line 1, column 12/,
    ],
    ['a folder', (file: string) => mkdirSync(file), /is not a file/],
    ['read-only', (file: string) => writeFileSync(file, '{}', { mode: 0o444 }), /read-only/],
    ['not UTF-8', (file: string) => writeFileSync(file, Buffer.from([0x7b, 0xff, 0x7d])), /not UTF-8/],
    ['a broken link', (file: string) => symlinkSync(`${file}.gone`, file), /is a link to a file that does not exist/],
  ])('is skipped as a whole with a clear message: %s', (_, damage, message) => {
    const machine = createMachine();
    put(machine.userHome, '.claude.json', '{}');
    mkdirSync(join(machine.userHome, '.claude'));
    damage(join(machine.userHome, '.claude', 'settings.json'));
    const before = snapshot(machine.userHome);
    const [claude, codex] = install(machine, ['claude-code', 'codex']);
    expect(claude).toMatchObject({ changed: [], problem: expect.stringMatching(message) });
    expect(codex?.changed).toHaveLength(2);
    uninstall(machine, ['codex']);
    expect(snapshot(machine.userHome)).toEqual(before);
  });
});

describe('a settings file that is a symbolic link', () => {
  it('stays a link: its target is changed and keeps its mode', () => {
    const machine = createMachine();
    const real = put(machine.userHome, 'dotfiles/claude.json', '{ "model": "large" }\n');
    chmodSync(real, 0o640);
    mkdirSync(join(machine.userHome, '.claude'));
    symlinkSync('../dotfiles/claude.json', join(machine.userHome, '.claude', 'settings.json'));
    const before = snapshot(machine.userHome);
    install(machine, ['claude-code']);
    expect(read(real)).toContain('yore-hook');
    expect(statSync(real).mode & 0o777).toBe(0o640);
    uninstall(machine, ['claude-code']);
    expect(snapshot(machine.userHome)).toEqual(before);
  });
});

describe('a file that was edited after the installation', () => {
  it('keeps the hooks of others, and stays even if yore created it', () => {
    const machine = createMachine();
    install(machine, ['claude-code']);
    const file = join(machine.userHome, '.claude', 'settings.json');
    const settings = readJson(file);
    settings.hooks.PreToolUse.unshift({ matcher: 'Bash', hooks: [{ type: 'command', command: 'guard' }] });
    settings.theme = 'dark';
    writeFileSync(file, JSON.stringify(settings, undefined, 4));
    expect(install(machine, ['claude-code'])[0]?.changed).toEqual([]);
    uninstall(machine, ['claude-code']);
    expect(readJson(file)).toEqual({
      hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'guard' }] }] },
      theme: 'dark',
    });
  });

  it('is reported as changed and repaired by installing again', () => {
    const machine = createMachine();
    const [claude] = named(['claude-code']);
    install(machine, ['claude-code']);
    const file = join(machine.userHome, '.claude', 'settings.json');
    const whole = read(file);
    writeFileSync(file, whole.replace('yore-hook claude-code', 'yore-hook claude-code --fast'));
    const state = () =>
      claude && checkPart(claude, 'hooks', { machine, scope: USER, record: readInstallRecord(machine.yoreHome) });
    expect(state()).toBe('changed');
    install(machine, ['claude-code']);
    expect(state()).toBe('installed');
    expect(readJson(file)).toEqual(JSON.parse(whole));
  });
});

describe('finding agents', () => {
  it('does not mistake another program for an agent of the same name', () => {
    const machine = createMachine();
    for (const name of ['pi', 'copilot', 'gemini']) put(machine.userHome, `bin/${name}`, '#!/bin/sh\n');
    const found = findAgents(ALL, { ...machine, env: { PATH: join(machine.userHome, 'bin') } });
    expect(found.map(({ agent }) => agent.name)).toEqual(['gemini']);
  });

  it("reads the version from the program's package without running it", () => {
    const machine = createMachine();
    const folder = join(machine.userHome, 'lib/node_modules/@openai/codex');
    put(folder, 'package.json', '{"name": "@openai/codex", "version": "0.166.0"}');
    const program = put(
      folder,
      'bin/codex.js',
      `require('node:fs').writeFileSync(${JSON.stringify(join(machine.userHome, 'ran'))}, '')`,
    );
    chmodSync(program, 0o755);
    mkdirSync(join(machine.userHome, 'bin'));
    symlinkSync(program, join(machine.userHome, 'bin/codex'));
    put(machine.userHome, 'share/claude/versions/2.1.325', '#!/bin/sh\n');
    symlinkSync(join(machine.userHome, 'share/claude/versions/2.1.325'), join(machine.userHome, 'bin/claude'));
    const found = findAgents(ALL, { ...machine, env: { PATH: `/nowhere:${join(machine.userHome, 'bin')}` } });
    expect(found.map(({ agent, version }) => [agent.name, version])).toEqual([
      ['claude-code', '2.1.325'],
      ['codex', '0.166.0'],
    ]);
    expect(existsSync(join(machine.userHome, 'ran'))).toBe(false);
  });
});
