import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { snapshot } from '../../install/machine.ts';
import { hasPseudoTerminal, runOnTerminal } from './pseudo-terminal.ts';
import { createPlace, environment, MAIN, type Place, type Ran, yore } from './run-yore.ts';

/** No agent of the machine the tests run on may be found. */
const ENV = { PATH: '/usr/bin:/bin', LANG: 'C.UTF-8' };

const SETTINGS = '{\n  // mine\n  "model": "large", // the best\n  "hooks": {}\n}\n';

function put(place: Place, path: string, text: string): string {
  const file = join(place.folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

/** A machine with Claude Code, of which there is a transcript, and Codex. */
function usedPlace(): Place & { readonly transcript: string } {
  const place = createPlace();
  put(place, '.claude/settings.json', SETTINGS);
  put(place, '.codex/config.toml', 'model = "o9"\n');
  const base = {
    cwd: place.cwd,
    sessionId: 'sess-one',
    version: '2.1.325',
    isSidechain: false,
    userType: 'external',
  };
  const lines = [
    {
      ...base,
      type: 'user',
      uuid: 'u1',
      parentUuid: null,
      timestamp: '2025-11-18T10:00:00.000Z',
      message: { role: 'user', content: 'Add the zebra cache' },
    },
    {
      ...base,
      type: 'assistant',
      uuid: 'a1',
      parentUuid: 'u1',
      timestamp: '2025-11-18T10:00:05.000Z',
      message: {
        id: 'msg_1',
        role: 'assistant',
        model: 'large',
        content: [{ type: 'text', text: 'The zebra cache is there.' }],
      },
    },
  ];
  const path = `.claude/projects/${place.cwd.replace(/[^a-zA-Z0-9]/g, '-')}/sess-one.jsonl`;
  const transcript = put(place, path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return { ...place, transcript };
}

function init(place: Place, ...args: readonly string[]): Ran {
  return yore(place, ['init', ...args], { env: ENV });
}

function agentsFiles(place: Place): Readonly<Record<string, string>> {
  const entries = Object.entries(snapshot(place.folder));
  return Object.fromEntries(entries.filter(([path]) => path !== 'home' && !path.startsWith('home/')));
}

/** Whether a file was read since it was marked: a reader moves its access time past the time of its last change. */
function markUnread(file: string): () => boolean {
  utimesSync(file, new Date('2020-01-01'), new Date('2021-01-01'));
  return () => statSync(file).atimeMs > Date.parse('2020-06-01');
}

function recordsAccessTimes(place: Place): boolean {
  const file = put(place, 'probe', 'x');
  const wasRead = markUnread(file);
  readFileSync(file);
  return wasRead();
}

describe('yore init', () => {
  it('only shows what it would do with --dry-run', () => {
    const place = usedPlace();
    const before = agentsFiles(place);
    const wasRead = markUnread(place.transcript);
    const { code, stdout } = init(place, '--dry-run');
    expect(code).toBe(0);
    expect(stdout).toMatch(/Claude Code +1 {2}transcript, \d+ B/);
    expect(stdout).toMatch(/edit +~\/\.claude\/settings\.json +\+ 11 hooks: SessionStart/);
    expect(stdout).toMatch(/create +~\/\.claude\.json +\+ MCP server yore/);
    expect(stdout).toMatch(/edit +~\/\.codex\/config\.toml +\+ MCP server yore/);
    expect(wasRead()).toBe(false);
    expect(existsSync(place.home)).toBe(false);
    expect(agentsFiles(place)).toEqual(before);
  });

  it('does nothing without a terminal to ask on, and says what to do', () => {
    const place = usedPlace();
    const before = agentsFiles(place);
    const wasRead = markUnread(place.transcript);
    const { code, stderr } = init(place);
    expect(code).toBe(2);
    expect(stderr).toContain('use --yes');
    expect(wasRead()).toBe(false);
    expect(existsSync(place.home)).toBe(false);
    expect(agentsFiles(place)).toEqual(before);
  });

  it('imports and installs with --yes: search finds the history, and doctor says what has to be done', () => {
    const place = usedPlace();
    const canTell = recordsAccessTimes(place);
    const wasRead = markUnread(place.transcript);
    const { code, stdout, stderr } = init(place, '--yes');
    expect(stderr).toBe('');
    expect(code).toBe(0);
    // What the tests above conclude from access times holds here.
    if (canTell) expect(wasRead()).toBe(true);
    expect(stdout).toContain('/hooks');
    expect(yore(place, ['search', 'zebra']).stdout).toContain('zebra');
    const settings = readFileSync(join(place.folder, '.claude/settings.json'), 'utf8');
    expect(settings).toContain('"model": "large", // the best\n');
    expect(settings).toContain(`${place.home}/bin/yore-hook claude-code || true`);
    const doctor = yore(place, ['doctor'], { env: ENV });
    expect(doctor.stdout).toMatch(/○ claude-code +Hooks and MCP are installed\. No hook event yet\./);
    expect(doctor.stdout).toMatch(/⚠ codex +Codex does not run its hooks until you trust them: type \/hooks/);
    expect(doctor.stdout).toContain('No problems found. 1 step left for you: see above.');
    expect(doctor.code).toBe(0);
    const { ok, findings } = JSON.parse(yore(place, ['doctor', '--json'], { env: ENV }).stdout);
    expect(ok).toBe(true);
    expect(findings).toContainEqual(expect.objectContaining({ area: 'codex', ok: true, needsAction: true }));
  });

  it.runIf(process.platform !== 'win32')(
    'installs hooks that work: doctor shows the last event and how long it took',
    () => {
      const place = usedPlace();
      init(place, '--yes', '--no-import', '--agent', 'codex');
      const { hooks } = JSON.parse(readFileSync(join(place.folder, '.codex/hooks.json'), 'utf8'));
      const event = {
        session_id: 's',
        cwd: place.cwd,
        hook_event_name: 'UserPromptSubmit',
        prompt: 'Add a giraffe',
        turn_id: 't',
      };
      const command = hooks.UserPromptSubmit[0].hooks[0].command;
      const ran = spawnSync('sh', ['-c', command], {
        input: JSON.stringify(event),
        env: environment(place, ENV),
        encoding: 'utf8',
      });
      expect(ran).toMatchObject({ status: 0, stderr: '' });
      expect(yore(place, ['search', 'giraffe']).stdout).toContain('giraffe');
      const { agents } = JSON.parse(yore(place, ['doctor', '--json'], { env: ENV }).stdout);
      const codex = agents.find((each: { agent: string }) => each.agent === 'codex');
      expect(codex).toMatchObject({
        hooks: 'installed',
        mcp: 'installed',
        lastEvent: { type: 'prompt' },
        problems: [],
      });
      expect(codex.hookTime.p50).toBeGreaterThan(0);
    },
  );

  it.runIf(process.platform !== 'win32')('installs an MCP server that serves the given home', () => {
    const place = usedPlace();
    init(place, '--yes');
    const { mcpServers } = JSON.parse(readFileSync(join(place.folder, '.claude.json'), 'utf8'));
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    };
    const messages = [
      { jsonrpc: '2.0', id: 1, method: 'initialize', params },
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      {
        jsonrpc: '2.0',
        id: 2,
        method: 'tools/call',
        params: { name: 'search', arguments: { query: 'zebra' } },
      },
    ];
    const { YORE_HOME: _, ...env } = environment(place, ENV);
    const { stdout } = spawnSync(mcpServers.yore.command, mcpServers.yore.args, {
      cwd: place.cwd,
      env,
      input: messages.map((message) => `${JSON.stringify(message)}\n`).join(''),
      encoding: 'utf8',
    });
    expect(stdout).toContain('"id":1');
    expect(stdout).toContain('zebra cache');
  });

  it.runIf(process.platform !== 'win32')('installs plugins that record: opencode and pi', async () => {
    const place = usedPlace();
    init(place, '--yes', '--no-import', '--agent', 'opencode', '--agent', 'pi');
    const load = async (path: string) => await import(pathToFileURL(join(place.folder, path)).href);
    const { YorePlugin } = await load('.config/opencode/plugin/yore.js');
    const hooks = await YorePlugin({ directory: place.cwd });
    const parts = [{ type: 'text', text: 'Feed the okapi' }];
    await hooks['chat.message']({ sessionID: 'ses_1' }, { message: { id: 'msg_1' }, parts });
    const { default: extension } = await load('.pi/agent/extensions/yore.js');
    const handlers = new Map<string, (event: unknown, context: unknown) => Promise<unknown>>();
    extension({ on: (name: string, handler: never) => handlers.set(name, handler) });
    const context = { cwd: place.cwd, sessionManager: { getSessionId: () => 'pi_1' } };
    await handlers.get('before_agent_start')?.({ prompt: 'Feed the tapir' }, context);
    expect(yore(place, ['search', 'okapi']).stdout).toContain('Feed the okapi');
    expect(yore(place, ['search', 'tapir']).stdout).toContain('Feed the tapir');
  });

  it('changes nothing the second time', () => {
    const place = usedPlace();
    init(place, '--yes');
    const once = agentsFiles(place);
    const record = readFileSync(join(place.home, 'install.json'), 'utf8');
    const { code, stdout } = init(place, '--yes');
    expect(code).toBe(0);
    expect(stdout).toContain('Hooks and MCP are already installed.');
    expect(agentsFiles(place)).toEqual(once);
    expect(readFileSync(join(place.home, 'install.json'), 'utf8')).toBe(record);
  });

  it('restores every file byte for byte with --uninstall and keeps the history; --purge deletes that too', () => {
    const place = usedPlace();
    const before = agentsFiles(place);
    init(place, '--yes');
    const { code, stdout } = init(place, '--uninstall', '--yes');
    expect(code).toBe(0);
    expect(stdout).toContain('Claude Code: uninstalled');
    expect(agentsFiles(place)).toEqual(before);
    expect(yore(place, ['search', 'zebra']).stdout).toContain('zebra');
    expect(readdirSync(place.home)).not.toContain('bin');
    expect(init(place, '--uninstall').stdout).toContain('yore is not installed in any agent here.');
    expect(init(place, '--purge').code).toBe(2);
    expect(existsSync(place.home)).toBe(true);
    expect(init(place, '--purge', '--yes').code).toBe(0);
    expect(existsSync(place.home)).toBe(false);
  });

  it('does not delete a home that contains other files', () => {
    const place = usedPlace();
    const { code, stderr } = yore(place, ['--home', place.folder, 'init', '--purge', '--yes'], { env: ENV });
    expect(code).toBe(2);
    expect(stderr).toContain('was not deleted');
    expect(existsSync(place.transcript)).toBe(true);
  });

  it('leaves an agent with invalid settings unchanged, says where, and installs the others', () => {
    const place = usedPlace();
    const file = put(place, '.claude/settings.json', '{\n  "hooks": {\n}\n');
    const { code, stdout } = init(place, '--yes');
    expect(code).toBe(5);
    expect(stdout.replace(/\s+/g, ' ')).toContain(
      'Claude Code: left unchanged. ~/.claude/settings.json cannot be changed: line 4, column 1: close brace expected.',
    );
    expect(readFileSync(file, 'utf8')).toBe('{\n  "hooks": {\n}\n');
    expect(existsSync(join(place.folder, '.claude.json'))).toBe(false);
    expect(readFileSync(join(place.folder, '.codex/hooks.json'), 'utf8')).toContain('yore-hook codex');
    const doctor = yore(place, ['doctor'], { env: ENV });
    expect(doctor.code).toBe(5);
    expect(doctor.stdout).toMatch(/✗ claude-code .*settings\.json/);
    expect(doctor.stdout).toContain('To repair: yore init --agent claude-code');
  });

  it('makes doctor report a missing hook script', () => {
    const place = usedPlace();
    init(place, '--yes', '--no-import');
    expect(yore(place, []).stdout).toMatch(/What your agents do appears here: start a session[\s\S]*yore doctor/);
    writeFileSync(join(place.home, 'bin', 'target'), '/nowhere/node\n/nowhere/main.cjs\n');
    const { code, stdout } = yore(place, ['doctor'], { env: ENV });
    expect(code).toBe(5);
    expect(stdout).toMatch(/✗ claude-code [\s\S]*\/nowhere\/main\.cjs, which does not\s+exist/);
    init(place, '--yes', '--no-import');
    expect(yore(place, ['doctor'], { env: ENV }).stdout).not.toContain('✗ claude-code');
  });

  it('installs into the files of a project with --project', () => {
    const place = usedPlace();
    const before = agentsFiles(place);
    expect(init(place, '--yes', '--no-import', '--project', '--agent', 'claude-code').code).toBe(0);
    const settings = JSON.parse(readFileSync(join(place.cwd, '.claude/settings.json'), 'utf8'));
    expect(Object.keys(settings.hooks)).toHaveLength(11);
    expect(JSON.parse(readFileSync(join(place.cwd, '.mcp.json'), 'utf8'))).toEqual({
      mcpServers: { yore: { type: 'stdio', command: 'yore', args: ['mcp'] } },
    });
    expect(init(place, '--uninstall', '--yes', '--project').code).toBe(0);
    expect(agentsFiles(place)).toEqual(before);
  });

  it('does not write through links of a project that lead out of it', () => {
    const place = usedPlace();
    const outside = join(place.folder, 'outside');
    mkdirSync(outside);
    writeFileSync(join(outside, 'profile.json'), '{}');
    symlinkSync(join(outside, 'profile.json'), join(place.cwd, '.mcp.json'));
    symlinkSync(outside, join(place.cwd, '.claude'));
    const { stdout, stderr } = init(place, '--yes', '--no-import', '--project', '--agent', 'claude-code');
    expect(`${stdout}${stderr}`.replace(/\s+/g, ' ')).toContain('a link that leads out of the checkout');
    expect(readdirSync(outside)).toEqual(['profile.json']);
    expect(readFileSync(join(outside, 'profile.json'), 'utf8')).toBe('{}');
  });

  it('prints what it would do and what it did as JSON', () => {
    const place = usedPlace();
    expect(JSON.parse(init(place, '--dry-run', '--json').stdout)).toMatchObject({
      dryRun: true,
      scope: 'user',
      agents: [
        { agent: 'claude-code', found: true, files: [{ did: 'changed' }, { did: 'created' }] },
        { agent: 'codex' },
      ],
      transcripts: [{ agent: 'claude-code', count: 1 }],
    });
    const done = JSON.parse(init(place, '--yes', '--json').stdout);
    expect(done).toMatchObject({
      dryRun: false,
      agents: [{ agent: 'claude-code', files: [{ did: 'changed' }, { did: 'created' }] }, { agent: 'codex' }],
      imported: { agents: [{ agent: 'claude-code', messages: 2 }] },
    });
    expect(JSON.parse(init(place, '--uninstall', '--yes', '--json').stdout)).toMatchObject({ purged: false });
  });

  it('lists the known agents for an unknown one', () => {
    const { code, stderr } = init(createPlace(), '--agent', 'clippy');
    expect(code).toBe(2);
    expect(stderr).toContain('claude-code');
  });

  it('says when there is no agent; an empty project points to it', () => {
    const place = createPlace();
    expect(init(place, '--yes')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('No agents or transcripts were found'),
    });
    expect(existsSync(place.home)).toBe(false);
    expect(yore(place, []).stdout).toContain('yore init');
  });

  it.each([40, 60, 100, 160])('fits into %i columns', (columns) => {
    const place = usedPlace();
    const { stdout } = yore(place, ['init', '--yes'], { env: { ...ENV, COLUMNS: String(columns) } });
    for (const line of stdout.split('\n')) expect([...line].length, line).toBeLessThanOrEqual(columns);
  });

  it.runIf(hasPseudoTerminal)('asks once on a terminal, and a no changes nothing', () => {
    const place = usedPlace();
    const before = agentsFiles(place);
    const ask = (keys: string) =>
      runOnTerminal({
        command: [process.execPath, MAIN, 'init'],
        env: environment(place, ENV),
        cwd: place.cwd,
        typed: [{ when: '[y/N]', keys }],
      });
    expect(ask('n\r').code).toBe(130);
    expect(agentsFiles(place)).toEqual(before);
    expect(existsSync(place.home)).toBe(false);
    const { code, screen } = ask('y\r');
    expect(code).toBe(0);
    expect(screen.match(/\[y\/N\]/g)).toHaveLength(1);
    expect(screen).toContain('Next');
    expect(agentsFiles(place)).not.toEqual(before);
  });
});
