import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { UNKNOWN_MACHINE } from '../../../src/ask/guard/candidates.ts';
import type { FailureWarning } from '../../../src/ask/guard/warning.ts';
import { ChatCommands } from '../../../src/chat/chat-commands.ts';
import type { CommandContext } from '../../../src/cli/command.ts';
import { runCheck } from '../../../src/cli/commands/memory/check.ts';
import type { ToolCall } from '../../../src/facts/call/tool-call.ts';
import { handleHook } from '../../../src/hook/handle-hook.ts';
import { type Home, openHome, type Project } from '../../../src/project/index.ts';
import { QUOTE_NOTICE } from '../../../src/text/recorded-text.ts';
import { connect } from '../../mcp/serve.ts';
import { temporaryFolder } from '../../temp-folder.ts';

const START = Date.parse('2026-03-03T09:00:00.000Z');
const DAY = 86_400_000;
const NOW = START + 2 * DAY;
const COMMAND = 'npm install redis-node';

/** A home with two projects, with the command having failed in one of them. The question is always asked in `shop`. */
class Setup {
  readonly folder: string = temporaryFolder();
  readonly home: string = join(this.folder, 'home');
  readonly cwd: string = join(this.folder, 'shop');
  readonly opened: Home;
  readonly project: Project;

  constructor(settings: object, failedIn: 'shop' | 'other') {
    const other = join(this.folder, 'other');
    for (const folder of [this.cwd, other]) mkdirSync(folder);
    const before = openHome({ home: this.home, now: () => START });
    for (const folder of [this.cwd, other]) before.openProject(folder);
    this.#fail(before.openProject(failedIn === 'shop' ? this.cwd : other));
    before.close();
    writeFileSync(join(this.home, 'config.json'), JSON.stringify(settings));
    this.opened = openHome({ home: this.home, now: () => NOW, machine: () => UNKNOWN_MACHINE });
    this.project = this.opened.openProject(this.cwd);
  }

  #fail(project: Project): void {
    const recorder = project.recorder();
    const call = { sessionId: 'earlier', tool: 'Bash', input: { command: COMMAND } };
    recorder.record(
      { ...call, timestamp: new Date(START).toISOString() },
      { status: 'error', exitCode: 1, output: 'npm error code E404\nnpm error 404 Not Found' },
    );
  }

  call(sessionId: string): ToolCall {
    const timestamp = new Date(NOW).toISOString();
    return { sessionId, tool: 'Bash', input: { command: COMMAND }, timestamp, cwd: this.cwd };
  }
}

async function askHook({ home, cwd }: Setup): Promise<string | undefined> {
  const payload = JSON.stringify({
    session_id: 'hook',
    cwd,
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command: COMMAND },
    tool_use_id: 'one',
  });
  const machine = { home, env: { PATH: '' }, userHome: home, now: () => NOW, elapsed: () => 0 };
  const text = await handleHook({ agent: 'claude-code', payload }, machine);
  if (text === '') return undefined;
  const { permissionDecisionReason, additionalContext } = JSON.parse(text).hookSpecificOutput;
  const said: string = permissionDecisionReason ?? additionalContext;
  return said
    .replace(/^yore: /, '')
    .replace(/\n(?:Proceed anyway\? )?This warning is given once: .*$/, '')
    .replace(`\n${QUOTE_NOTICE}`, '');
}

function askRecorder(setup: Setup): string | undefined {
  const recorder = setup.project.recorder();
  const given = recorder.warn(setup.call('recorder'));
  return given?.warning.text;
}

async function askMcp(setup: Setup): Promise<string | undefined> {
  const { call } = await connect(setup, { now: () => NOW });
  const { text, data } = await call('check', { command: COMMAND });
  if (data?.warns !== true) return undefined;
  return text.split('\n').slice(1, -2).join('\n');
}

async function askCommandLine({ opened, cwd }: Setup): Promise<string | undefined> {
  const printed: { readonly warning?: FailureWarning }[] = [];
  const output = { json: (value: object) => void printed.push(value) };
  const context = {
    output,
    env: {},
    cwd,
    now: () => NOW,
    homeOption: undefined,
    openHome: async () => opened,
  };
  await runCheck(context as unknown as CommandContext, [COMMAND], { json: true });
  return printed[0]?.warning?.text;
}

function askChat({ project, cwd }: Setup): string | undefined {
  const commands = new ChatCommands({
    recorder: project.recorder(),
    root: cwd,
    env: {},
    now: () => NOW,
    sessionId: () => 'chat',
  });
  const warning = commands.warn(COMMAND);
  return warning?.text;
}

const CASES: readonly (readonly [name: string, settings: object, failedIn: 'shop' | 'other', warns: boolean])[] = [
  ['the default settings', {}, 'shop', true],
  ['retrieval.enabled off', { retrieval: { enabled: false } }, 'shop', false],
  ['retrieval.warnOnDuplicateFailure off', { retrieval: { warnOnDuplicateFailure: false } }, 'shop', false],
  ['a higher retrieval.minConfidence', { retrieval: { minConfidence: 0.99 } }, 'shop', false],
  ['a shorter retrieval.failureLookbackDays', { retrieval: { failureLookbackDays: 1 } }, 'shop', false],
  ['retrieval.onDuplicate ask', { retrieval: { onDuplicate: 'ask' } }, 'shop', true],
  ['retrieval.onDuplicate note', { retrieval: { onDuplicate: 'note' } }, 'shop', true],
  ['a failure in another project', {}, 'other', false],
  ['retrieval.crossProject on', { retrieval: { crossProject: true } }, 'other', true],
  ['recording off', { recording: { enabled: false } }, 'shop', false],
];

describe('hook, recorder, memory, chat, MCP server and command line give the same answer', () => {
  it.each(CASES)('with %s', async (_name, settings, failedIn, warns) => {
    const setup = new Setup(settings, failedIn);
    const answers = {
      memory: setup.project.memory.check(setup.call('memory'))?.text,
      recorder: askRecorder(setup),
      commandLine: await askCommandLine(setup),
      mcp: await askMcp(setup),
      chat: askChat(setup),
      hook: await askHook(setup),
    };
    const expected = warns ? answers.memory : undefined;
    if (warns) expect(expected).toContain(`This failed${failedIn === 'other' ? ' in other' : ''} on`);
    expect(answers).toEqual({
      memory: expected,
      recorder: expected,
      commandLine: expected,
      mcp: expected,
      chat: expected,
      hook: expected,
    });
    setup.opened.close();
  });
});

describe('in a folder in which nothing is recorded', () => {
  function inNewFolder(settings: object): Setup {
    const setup = new Setup(settings, 'other');
    const cwd = join(setup.folder, 'new');
    mkdirSync(cwd);
    return Object.assign(setup, { cwd });
  }

  const projects = ({ home }: Setup): readonly string[] => readdirSync(join(home, 'projects'));

  it('command line, MCP server and hook warn of failures in other projects with retrieval.crossProject', async () => {
    const setup = inNewFolder({ retrieval: { crossProject: true } });
    const before = projects(setup);
    const commandLine = await askCommandLine(setup);
    expect(commandLine).toContain('This failed in other on');
    expect(await askMcp(setup)).toBe(commandLine);
    expect(projects(setup)).toEqual(before);
    expect(await askHook(setup)).toBe(commandLine);
    expect(setup.opened.findProject(setup.cwd)?.memory.warnings()).toHaveLength(1);
    expect(await askHook(setup)).toBeUndefined();
    setup.opened.close();
  });

  it('a check that finds nothing registers no project', async () => {
    for (const settings of [{}, { retrieval: { crossProject: true, minConfidence: 0.99 } }]) {
      const setup = inNewFolder(settings);
      const before = projects(setup);
      expect([await askCommandLine(setup), await askMcp(setup), await askHook(setup)]).toEqual(
        Array(3).fill(undefined),
      );
      expect(projects(setup)).toEqual(before);
      setup.opened.close();
    }
  });

  it('does not warn where recording is off', async () => {
    const setup = inNewFolder({ retrieval: { crossProject: true }, recording: { enabled: false } });
    expect([await askCommandLine(setup), await askMcp(setup), await askHook(setup)]).toEqual(Array(3).fill(undefined));
    setup.opened.close();
  });
});
