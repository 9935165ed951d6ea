import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { CallResult, ToolCall } from '../../src/facts/call/tool-call.ts';
import { readLogLines } from '../../src/log/index.ts';
import { openHome, type Project, type Recorder } from '../../src/project/index.ts';
import type { Attempt } from '../../src/record/index.ts';
import { createRepository } from '../registry/git.ts';
import { temporaryFolder } from '../temp-folder.ts';

export const MINUTE = 60_000;
export const DAY = 24 * 60 * MINUTE;

export const NO_PACKAGE = (name: string): CallResult => ({
  status: 'error',
  exitCode: 1,
  output: `npm error code E404\nnpm error 404  '${name}@*' is not in this registry.`,
});
export const OK: CallResult = { status: 'ok', exitCode: 0, output: '' };

/** A person, an agent and a project, day after day. Each session is a process of its own. */
export class RecorderSetup {
  readonly checkout = createRepository(join(temporaryFolder(), 'app'));
  readonly home: string;
  now = Date.parse('2026-03-02T09:00:00.000Z');
  sessionId = 'monday';
  branch = 'main';
  #recorder: Recorder | undefined;

  constructor(home: string = join(temporaryFolder(), 'home')) {
    this.home = home;
  }

  get project(): Project {
    return openHome({ home: this.home, now: () => this.now, env: {} }).openProject(this.checkout);
  }

  get recorder(): Recorder {
    this.#recorder ??= this.project.recorder();
    return this.#recorder;
  }

  begin(sessionId: string, after = DAY): this {
    this.#recorder = undefined;
    this.sessionId = sessionId;
    this.now += after;
    return this;
  }

  ask(text: string): ReturnType<Recorder['recordPrompt']> {
    this.now += MINUTE;
    return this.recorder.recordPrompt({
      sessionId: this.sessionId,
      text,
      timestamp: this.time,
      agent: 'claude-code',
    });
  }

  get time(): string {
    return new Date(this.now).toISOString();
  }

  call(command: string, more: Partial<ToolCall> = {}): ToolCall {
    const { sessionId, branch, checkout } = this;
    const input = { command };
    return {
      sessionId,
      branch,
      tool: 'Bash',
      agent: 'claude-code',
      input,
      cwd: checkout,
      timestamp: this.time,
      ...more,
    };
  }

  warn(command: string, more: Partial<ToolCall> = {}): ReturnType<Recorder['warn']> {
    return this.recorder.warn(this.call(command, more));
  }

  /** Makes a call whatever is said, a minute later. */
  run(command: string, result: CallResult, more: Partial<ToolCall> = {}): Attempt | undefined {
    this.now += MINUTE;
    const callId = `call-${this.now}`;
    return this.recorder.record(this.call(command, { callId, ...more }), result);
  }

  lines(log: string): readonly Record<string, unknown>[] {
    const path = join(this.project.directory, `${log}.jsonl`);
    if (!existsSync(path)) return [];
    return [...readLogLines(path)].map(({ text }) => JSON.parse(text) as Record<string, unknown>);
  }
}

/** Monday: redis-node does not exist, ioredis works. */
export function redis(): RecorderSetup {
  const setup = new RecorderSetup();
  setup.ask('Add a Redis cache to the API');
  setup.run('npm install redis-node', NO_PACKAGE('redis-node'));
  setup.run('bun add ioredis', OK);
  return setup;
}
