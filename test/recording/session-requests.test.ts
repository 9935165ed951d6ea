import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Attempt } from '../../src/record/index.ts';
import { ProjectHandle } from '../../src/recording/project-handle.ts';
import { Recorder } from '../../src/recording/recorder.ts';
import { temporaryFolder } from '../temp-folder.ts';

const NOW = Date.parse('2026-03-04T10:00:00.000Z');

/** A project whose every event is a process of its own; `isShortLived` false for one that stays. */
class Setup {
  readonly #cwd = join(temporaryFolder(), 'shop');
  readonly #home = join(temporaryFolder(), 'home');
  #at = NOW;

  constructor() {
    mkdirSync(this.#cwd);
  }

  get cacheFolder(): string {
    return join(this.#entered.directory, 'told');
  }

  get #entered(): ProjectHandle {
    const entered = ProjectHandle.enter(this.#cwd, { home: this.#home, env: {}, now: () => this.#at });
    if (entered === undefined) throw new Error('a project is entered');
    return entered;
  }

  #recorder(isShortLived = true): Recorder {
    return new Recorder({ ...this.#entered.recorderOptions(), isShortLived });
  }

  get #time(): string {
    this.#at += 60_000;
    return new Date(this.#at).toISOString();
  }

  ask(text: string, sessionId = 'one', isShortLived = true): void {
    this.#recorder(isShortLived).recordPrompt({ sessionId, text, timestamp: this.#time });
  }

  call(isShortLived = true): Attempt | undefined {
    const [sessionId, tool, timestamp] = ['one', 'Bash', this.#time];
    const call = { sessionId, tool, timestamp, input: { command: 'ls' }, cwd: this.#cwd };
    return this.#recorder(isShortLived).record(call, { status: 'ok', exitCode: 0 });
  }
}

const SECRET = 'ghp_Ab3dEf6hIj9kLm2nOp5qRs8tUv1wXy4zAb7c';
const REDIS = `Add a Redis cache with key ${SECRET}`;

describe('the request that a call serves', () => {
  it('is the same from the cache and from the history', () => {
    const setup = new Setup();
    setup.ask(REDIS);
    const { context, tags } = setup.call() ?? {};
    expect(context).toContain('Redis cache');
    expect(context).not.toContain(SECRET);
    expect(tags).toContain('redis');
    rmSync(setup.cacheFolder, { recursive: true });
    expect(setup.call()).toMatchObject({ context, tags });
    expect(setup.call(false)).toMatchObject({ context, tags });
  });

  it('stays the same after follow-ups and prompts of other sessions', () => {
    const setup = new Setup();
    setup.ask(REDIS);
    setup.ask('yes, go ahead');
    setup.ask('Write a press release', 'two');
    expect(setup.call()?.context).toContain('Redis cache');
  });

  it('is the newest one, also when it was recorded without a cache', () => {
    const setup = new Setup();
    setup.ask(REDIS);
    setup.ask('Write the release notes', 'one', false);
    expect(setup.call()?.context).toBe('Write the release notes');
    setup.ask('Rename the package');
    expect(setup.call()?.context).toBe('Rename the package');
  });

  it('is found in the history when the cache cannot be read', () => {
    const setup = new Setup();
    setup.ask(REDIS);
    for (const text of ['', '{"text":', 'null', '{"text":1,"tags":[]}', '{"text":"x"}']) {
      for (const name of readdirSync(setup.cacheFolder)) writeFileSync(join(setup.cacheFolder, name), text);
      expect(setup.call()?.context).toContain('Redis cache');
    }
  });
});
