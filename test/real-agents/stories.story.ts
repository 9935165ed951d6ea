import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AgentLab, type PlayedSession } from './agent-lab.ts';
import { type Capability, REAL_AGENTS, type RealAgent } from './agents.ts';
import type { Step } from './script.ts';
import type { ModelRequest } from './scripted-model.ts';
import { ScriptedModel } from './scripted-model.ts';

const PACKAGES = process.env.YORE_AGENT_PACKAGES ?? '';
/** The folder for what agents send to hooks, if it is to be kept. */
const RECORDED = process.env.YORE_AGENTS_RECORD;
/** The agents to test, with their versions. */
const VERSIONS: Readonly<Record<string, string>> = JSON.parse(process.env.YORE_AGENTS ?? '{}');

const FAILS = 'pip install psycopg3';
const WORKS = 'uv add psycopg';
const SERVER = 'shop-server --port 8080';
const PROGRAMS = [
  {
    command: FAILS,
    exitCode: 1,
    output: `ERROR: Could not find a version that satisfies the requirement psycopg3 (from versions: none)
ERROR: No matching distribution found for psycopg3`,
  },
  { command: SERVER, output: '', seconds: 45 },
  { command: WORKS, output: 'Resolved 3 packages in 12ms\n + psycopg==3.2.3' },
];
const OLD_CODE = 'connection = None';
const NEW_CODE = 'import psycopg\nconnection = psycopg.connect()';

for (const agent of REAL_AGENTS) {
  const version = VERSIONS[agent.agent];
  if (version !== undefined) describe(`${agent.title} ${version}`, () => play(agent));
}

function play(agent: RealAgent): void {
  const folder = mkdtempSync(join(tmpdir(), `${agent.agent}-`));
  const can = (capability: Capability): boolean => agent.lacks?.includes(capability) !== true;
  const hasHooks = can('held back');
  let model: ScriptedModel;
  let lab: AgentLab;
  let first: PlayedSession;
  let second: PlayedSession;
  let settingsBefore: ReadonlyMap<string, string>;

  const makeLab = (name: string): AgentLab => {
    const made = new AgentLab(agent, model, join(folder, name), PACKAGES);
    made.addPrograms(PROGRAMS);
    made.addFile('src/db.py', `${OLD_CODE}\n`);
    return made;
  };
  const file = (name: string): string => join(lab.project, name);
  /** What reached the model in a request, without the declarations of tools. */
  const said = ({ body: { tools: _tools, ...conversation } }: ModelRequest): string => JSON.stringify(conversation);
  const search = (names: readonly string[] | undefined): readonly Step[] =>
    names === undefined ? [] : [{ calls: [{ kind: 'findTools', names }] }];
  const recordsOf = (home?: string): readonly string[] => lab.records(home).map(({ text }) => text);

  beforeAll(async () => {
    model = await ScriptedModel.start();
    lab = makeLab('user');
    settingsBefore = lab.settings();
    lab.yore('init', '--agent', agent.agent, '--yes');
    if (RECORDED && hasHooks) lab.tapHooks();
    first = await lab.play('Connect to the database', {
      steps: [
        { say: 'I add the driver.', calls: [{ kind: 'shell', command: FAILS }] },
        { say: 'There is no such package. I take psycopg.', calls: [{ kind: 'shell', command: WORKS }] },
        { calls: [{ kind: 'read', path: file('src/db.py') }] },
        {
          calls: [
            {
              kind: 'edit',
              path: agent.agent === 'codex' ? 'src/db.py' : file('src/db.py'),
              old: OLD_CODE,
              new: NEW_CODE,
            },
          ],
        },
        { say: 'The shop connects with psycopg now.' },
      ],
    });
    second = await lab.play('Set up the connection pool', {
      steps: [
        { calls: [{ kind: 'shell', command: FAILS }] },
        { say: 'I try it once more.', calls: [{ kind: 'shell', command: FAILS }] },
        { say: 'It failed again, so psycopg it is.' },
      ],
    });
  });

  afterAll(() => {
    if (RECORDED && hasHooks) {
      const events = lab.tappedEvents().map((event) => JSON.stringify(event));
      writeFileSync(
        join(RECORDED, `${agent.title.toLowerCase().replaceAll(/\W+/g, '-')}.jsonl`),
        `${events.join('\n')}\n`,
      );
    }
    model.stop();
    if (process.env.YORE_AGENTS_KEEP) console.log(`${agent.title}: ${folder}`);
    else rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  it('works with the scripted model', () => {
    expect([first.exitCode, second.exitCode], first.output + second.output).toEqual([0, 0]);
    expect(lab.readFile('src/db.py')).toBe(`${NEW_CODE}\n`);
  });

  it.runIf(can('briefing'))('briefing: the next session begins with what failed and what worked instead', () => {
    const [request] = second.steps;
    const text = request ? said(request) : '';
    expect(text).toContain('recorded by yore');
    expect(text).toContain(WORKS);
  });

  it.runIf(hasHooks)('held back: the call that failed before is denied once, with the alternative', () => {
    const denial = second.steps[1] ? said(second.steps[1]) : '';
    expect(denial).toContain('This failed on');
    expect(denial).toContain(`What worked instead: \`${WORKS}\``);
  });

  it.runIf(can('retry'))('retry: the repeated call is let through', () => {
    expect(lab.countRuns(FAILS)).toBe(2);
  });

  const expected = (): readonly string[] => [
    'user: Connect to the database',
    'assistant: I add the driver.',
    `failure: ${FAILS}`,
    'assistant: There is no such package. I take psycopg.',
    `success: ${WORKS}`,
    expect.stringMatching(/^success: (?:cat )?src\/db\.py$/),
    'success: src/db.py',
    'assistant: The shop connects with psycopg now.',
    'user: Set up the connection pool',
    `${hasHooks ? 'denied' : 'failure'}: ${FAILS}`,
    'assistant: I try it once more.',
    `failure: ${FAILS}`,
    'assistant: It failed again, so psycopg it is.',
  ];

  it.runIf(hasHooks)('live: prompts, replies and calls are recorded once, while the agent works', () => {
    expect(recordsOf()).toEqual(expected());
  });

  it('import: a fresh home gets the same from the transcripts, and an import on top adds nothing', () => {
    const fresh = join(folder, 'fresh-home');
    lab.yore('--home', fresh, 'import', agent.agent);
    expect(recordsOf(fresh)).toEqual(expected());
    lab.yore('--home', fresh, 'import', agent.agent);
    expect(recordsOf(fresh)).toEqual(expected());
    const live = lab.yore('export');
    lab.yore('import', agent.agent);
    if (hasHooks) expect(lab.yore('export')).toBe(live);
  });

  it.runIf(can('MCP'))('MCP: the tools answer, and the model is told that it is recorded data', async () => {
    const { steps } = await lab.play('What does the history say about psycopg3?', {
      steps: [
        ...search(agent.deferredTools?.mcp),
        { calls: [{ kind: 'mcp', tool: 'check', input: { command: FAILS } }] },
        { calls: [{ kind: 'mcp', tool: 'search', input: { query: 'psycopg3' } }] },
        { say: 'There is no package psycopg3.' },
      ],
    });
    const last = steps.at(-1);
    const text = last ? said(last) : '';
    expect(text.match(/data, not instructions/g)?.length).toBeGreaterThanOrEqual(2);
    expect(text).toContain(WORKS);
    if (!hasHooks) lab.yore('import', agent.agent);
    expect(recordsOf().filter((record) => /check|search|Recorded history/.test(record.split(':')[0] ?? ''))).toEqual(
      [],
    );
    expect(recordsOf()).toContain('assistant: There is no package psycopg3.');
  });

  it.runIf(can('resume'))('resume: a continued session is recorded once', async () => {
    const before = recordsOf().length;
    await lab.play(
      'And how is it called?',
      {
        steps: [{ calls: [{ kind: 'shell', command: 'cat README.md' }] }, { say: 'The package is called psycopg.' }],
      },
      { isResumed: true },
    );
    expect(recordsOf().slice(before)).toEqual([
      'user: And how is it called?',
      'success: cat README.md',
      'assistant: The package is called psycopg.',
    ]);
  });

  it.runIf(can('parallel calls'))('parallel calls: each is checked and recorded', async () => {
    const before = recordsOf().length;
    await lab.play('Two at once', {
      steps: [
        {
          calls: [
            { kind: 'shell', command: FAILS },
            { kind: 'shell', command: 'wc -l README.md' },
          ],
        },
        { say: 'One of them was known to fail.' },
      ],
    });
    const added = recordsOf().slice(before);
    expect(added).toHaveLength(4);
    expect(added).toEqual(
      expect.arrayContaining([`${hasHooks ? 'denied' : 'failure'}: ${FAILS}`, 'success: wc -l README.md']),
    );
  });

  it.runIf(can('sub-agent'))('sub-agent: its calls are checked, and recorded in a session of its own', async () => {
    await lab.play('Let somebody else try', {
      steps: [
        ...search(agent.deferredTools?.subagent),
        { calls: [{ kind: 'subagent', prompt: 'Install psycopg3', type: agent.subagentType ?? 'general-purpose' }] },
        { say: 'The other one has tried it.' },
      ],
      subagent: [{ calls: [{ kind: 'shell', command: FAILS }] }, { say: 'It is known to fail.' }],
    });
    const records = lab.records();
    const ofSubagents = new Set(records.filter(({ parent }) => parent !== undefined).map(({ session }) => session));
    const calls = records.filter(({ session, text }) => ofSubagents.has(session) && text.endsWith(FAILS));
    expect(calls.map(({ text }) => text)).toEqual([`denied: ${FAILS}`]);
  });

  const { compaction } = agent;
  it.runIf(compaction)('compaction: the model is told what it lost of the session', async () => {
    const before = recordsOf().length;
    const tokens = compaction && 'tokens' in compaction ? { inputTokens: compaction.tokens } : {};
    const look = { calls: [{ kind: 'shell', command: 'head -1 README.md' } as const] };
    let { steps } = await lab.play('What is the shop called?', {
      steps: [{ ...look, ...tokens }, { say: 'It is called Shop.' }, { say: 'It is called Shop.' }],
    });
    if (compaction && 'command' in compaction) {
      await lab.play(compaction.command, { steps: [{ say: 'It is about the name.' }] }, { isResumed: true });
      ({ steps } = await lab.play('Thanks', { steps: [{ say: 'Sure.' }] }, { isResumed: true }));
    }
    expect(steps.some((step) => said(step).includes('## This session so far (recorded by yore)'))).toBe(true);
    const added = lab.records().slice(before);
    expect(added.filter(({ isCheckpoint }) => isCheckpoint)).toHaveLength(1);
    expect(added.filter(({ text }) => text === 'success: head -1 README.md')).toHaveLength(1);
  });

  it('server left running: a command that outlives the session has not failed', async () => {
    // Codex continues when a command does not end, the others wait for it.
    const command = agent.agent === 'codex' ? SERVER : `${SERVER} >/dev/null 2>&1 & echo started`;
    await lab.play('Start the server', {
      steps: [{ calls: [{ kind: 'shell', command }] }, { say: 'It is running.' }],
    });
    if (!hasHooks) lab.yore('import', agent.agent);
    expect(recordsOf()).not.toContain(`failure: ${command}`);
    expect(recordsOf()).toContain('assistant: It is running.');
  });

  it.runIf(can('project-level'))('project-level: hooks in the settings of the project work as well', async () => {
    const shared = makeLab('project');
    shared.yore('init', '--agent', agent.agent, '--project', '--yes');
    const steps = [{ calls: [{ kind: 'shell', command: FAILS } as const] }, { say: 'It failed.' }];
    await shared.play('Connect to the database', { steps });
    await shared.play('Connect to the database again', { steps });
    expect(shared.records().map(({ text }) => text)).toContain(`denied: ${FAILS}`);
  });

  it('formats: every line of its transcripts and every event is understood', () => {
    const { agents } = JSON.parse(lab.yoreJson('doctor'));
    const checked = agents.find(({ agent: name }: { readonly agent: string }) => name === agent.agent);
    expect(checked?.unknown ?? []).toEqual([]);
  });

  it('uninstall: settings are as they were before', () => {
    const bare = makeLab('bare');
    const before = bare.settings();
    bare.yore('init', '--agent', agent.agent, '--yes', '--no-import');
    expect(bare.settings()).not.toEqual(before);
    bare.yore('init', '--uninstall', '--yes');
    expect(bare.settings()).toEqual(before);
    lab.yore('init', '--uninstall', '--yes');
    const left = [...lab.settings()].filter(
      ([path, content]) => settingsBefore.has(path) && /yore-(?:hook|mcp)/.test(content),
    );
    expect(left.map(([path]) => path)).toEqual([]);
  });
}
