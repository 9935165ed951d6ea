import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type DemoHome, makeDemoHome } from '../../../src/cli/demo/demo-home.ts';
import { type Home, openHome, type Project } from '../../../src/project/index.ts';
import { type Attempt, type Message, OUTCOMES } from '../../../src/record/index.ts';
import { readMemory } from '../../../src/server/methods/memory.ts';
import { temporaryFolder } from '../../temp-folder.ts';
import '../../property-seed.ts';

const NOW = Date.parse('2026-05-20T14:30:00.000Z');

interface Made extends DemoHome {
  readonly opened: Home;
  readonly project: Project;
}

async function make(folder: string): Promise<Made> {
  const made = await makeDemoHome(folder, NOW);
  const opened = openHome({ home: made.home, env: { PATH: '' }, now: () => NOW });
  return { ...made, opened, project: opened.openProject(made.cwd) };
}

function recordsOf({ opened, project }: Made): {
  readonly messages: readonly Message[];
  readonly attempts: readonly Attempt[];
} {
  const { sessions } = opened.listSessions({ projects: [project.info.projectHash], limit: 1000 });
  const records = sessions.map(({ sessionId }) => project.history.getSessionRecords(sessionId));
  return {
    messages: records.flatMap(({ messages }) => messages),
    attempts: records.flatMap(({ attempts }) => attempts),
  };
}

describe('the demo home', () => {
  let folder: string;
  let made: Made;
  let connections: number;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'yore-test-'));
    const connect = vi.spyOn(net.Socket.prototype, 'connect');
    made = await make(folder);
    connections = connect.mock.calls.length;
    connect.mockRestore();
  });
  afterAll(() => {
    made?.opened.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test('plays as its data expects, at any time', async () => {
    const times = fc.integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2040, 0, 1) });
    await fc.assert(
      fc.asyncProperty(times, async (now) => {
        const { mismatches } = await makeDemoHome(temporaryFolder(), now);
        expect(mismatches).toEqual([]);
      }),
      { numRuns: 2 },
    );
  });

  test('is the same for the same time, except for random ids', async () => {
    const again = await make(temporaryFolder());
    onTestFinished(() => again.opened.close());
    const describeHistory = (history: Made): unknown => {
      const { messages, attempts } = recordsOf(history);
      const plain = JSON.stringify([messages, attempts.map(({ id: _id, ...rest }) => rest)]);
      return JSON.parse(plain.replaceAll(history.cwd, '(folder)'));
    };
    expect(describeHistory(again)).toEqual(describeHistory(made));
  });

  test('has at least forty sessions of several agents and branches over six weeks', () => {
    const { sessions } = made.opened.listSessions({
      projects: [made.project.info.projectHash],
      limit: 1000,
    });
    expect(sessions.length).toBeGreaterThanOrEqual(40);
    const agents = new Set(sessions.map(({ agent }) => agent));
    expect([...agents].sort()).toEqual(['claude-code', 'codex', 'copilot', 'gemini']);
    expect(new Set(sessions.map(({ branch }) => branch)).size).toBeGreaterThan(5);
    const times = sessions.map(({ timestamp }) => Date.parse(timestamp));
    expect(NOW - Math.min(...times)).toBeGreaterThan(40 * 86_400_000);
    expect(Math.max(...sessions.map(({ lastActivity }) => Date.parse(lastActivity)))).toBeLessThanOrEqual(NOW);
    expect(Math.max(...sessions.map(({ messageCount }) => messageCount))).toBeGreaterThan(300);
    expect(made.opened.projects().map(({ displayName }) => displayName)).toEqual(['teahouse', 'dotfiles', 'tea-timer']);
  });

  test('has every outcome and every kind of message', () => {
    const { messages, attempts } = recordsOf(made);
    expect(new Set(attempts.map(({ outcome }) => outcome))).toEqual(new Set(OUTCOMES));
    expect(attempts.filter(({ kind }) => kind === 'commit').length).toBeGreaterThan(20);
    expect(messages.some(({ kind }) => kind === 'checkpoint')).toBe(true);
    expect(messages.some(({ parentSessionId }) => parentSessionId !== undefined)).toBe(true);
    expect(messages.some(({ model, usage }) => model !== undefined && usage !== undefined)).toBe(true);
    const said = messages.map(({ content }) => content).join('\n');
    for (const part of ['```ts', '```sql', '```python', '|---|', '1. ', '- ']) expect(said).toContain(part);
    for (const script of ['Arabic', 'Han', 'Hiragana', 'Hangul', 'Cyrillic', 'Devanagari']) {
      expect(said).toMatch(new RegExp(`\\p{Script=${script}}`, 'u'));
    }
  });

  test('has a file whose lines are from many sessions, and usage of several models on most days', () => {
    const { ranges } = made.opened.files.blame(made.project.info.projectHash, made.cwd, 'src/checkout/orders.ts');
    expect(new Set(ranges.map(({ change }) => change?.sessionId)).size).toBeGreaterThanOrEqual(4);
    expect(ranges.every(({ change }) => change !== undefined)).toBe(true);
    const { by } = made.opened.usage();
    expect(by.day.length).toBeGreaterThan(20);
    expect(by.model.length).toBeGreaterThanOrEqual(5);
  });

  test('has two PNG images', () => {
    const images = recordsOf(made).messages.flatMap(({ imageRefs = [] }) => imageRefs);
    expect(images).toHaveLength(2);
    for (const name of images) {
      const bytes = readFileSync(join(made.project.directory, 'images', name));
      expect(bytes.subarray(1, 4).toString()).toBe('PNG');
      expect(bytes.length).toBeGreaterThan(300);
    }
  });

  test('has failures with fixes, warnings with every ending, and choices', () => {
    const { project } = made;
    const memory = readMemory(project, NOW);
    const solved = memory.antiPatterns.filter(({ fix }) => fix !== undefined);
    expect(solved.length).toBeGreaterThanOrEqual(4);
    expect(new Set(memory.antiPatterns.map(({ state }) => state))).toEqual(new Set(['active', 'pinned', 'dismissed']));
    expect(new Set(memory.antiPatterns.map(({ kind }) => kind))).toEqual(new Set(['failure', 'note']));
    expect(memory.bestPractices.length).toBeGreaterThanOrEqual(3);
    expect(new Set(memory.warnings.map(({ ended }) => ended))).toEqual(
      new Set(['heeded', 'overridden-failed', 'overridden-succeeded', 'open']),
    );
    const failed = project.memory.failures({ all: true }).map(({ error }) => error);
    expect(new Set(failed).size).toBeGreaterThanOrEqual(10);
  });

  test('has a tech stack, knowledge, searchable messages and prompts', () => {
    const { opened, project } = made;
    const { stack, knowledge } = project.memory.knowledge();
    expect(stack.techStack.languages).toContain('TypeScript');
    expect(stack.commands.testCommand).toBe('pnpm test');
    expect(knowledge.summary).toContain('Fastify');
    expect(opened.search({ text: 'ioredis' }).hits.length).toBeGreaterThan(3);
    expect(opened.prompts.list(project.info.projectHash).length).toBeGreaterThan(30);
  });

  test('makes the guard warn', () => {
    const { project } = made;
    const call = { sessionId: 'new', agent: 'claude-code', tool: 'Bash' };
    const timestamp = new Date(NOW).toISOString();
    const warning = project.memory.check({ ...call, timestamp, input: { command: 'pnpm add redis-node' } });
    expect(warning?.text).toContain('pnpm add ioredis');
    expect(project.memory.check({ ...call, timestamp, input: { command: 'pnpm test' } })).toBeUndefined();
  });

  test('opens no connection and writes only into its folder', () => {
    const { home, cwd } = made;
    expect(connections).toBe(0);
    expect(readdirSync(folder).sort()).toEqual(['dotfiles', 'home', 'tea-timer', 'teahouse']);
    expect([home, cwd]).toEqual([join(folder, 'home'), join(folder, 'teahouse')]);
    expect(existsSync(join(cwd, 'package.json'))).toBe(true);
  });
});
