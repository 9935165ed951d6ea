import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Attempt } from '../../src/record/index.ts';
import { ProjectHandle } from '../../src/recording/project-handle.ts';
import { Recorder } from '../../src/recording/recorder.ts';
import { temporaryFolder } from '../temp-folder.ts';

const NOW = Date.parse('2026-03-04T10:00:00.000Z');

/** A project whose every event is a process of its own; `isShortLived` false for one that stays. */
class Scene {
  readonly #cwd = join(temporaryFolder(), 'shop');
  readonly #home = join(temporaryFolder(), 'home');
  #at = NOW;

  constructor() {
    mkdirSync(this.#cwd);
  }

  get told(): string {
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
    this.#recorder(isShortLived).prompt({ sessionId, text, timestamp: this.#time });
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
  it('is the same, whether it was kept by the process before or has to be looked for', () => {
    const scene = new Scene();
    scene.ask(REDIS);
    const { context, tags } = scene.call() ?? {};
    expect(context).toContain('Redis cache');
    expect(context).not.toContain(SECRET);
    expect(tags).toContain('redis');
    rmSync(scene.told, { recursive: true });
    expect(scene.call()).toMatchObject({ context, tags });
    expect(scene.call(false)).toMatchObject({ context, tags });
  });

  it('holds while the user only agrees, and while other sessions ask', () => {
    const scene = new Scene();
    scene.ask(REDIS);
    scene.ask('yes, go ahead');
    scene.ask('Write a press release', 'two');
    expect(scene.call()?.context).toContain('Redis cache');
  });

  it('is the newer one, also when a process recorded it that kept nothing', () => {
    const scene = new Scene();
    scene.ask(REDIS);
    scene.ask('Write the release notes', 'one', false);
    expect(scene.call()?.context).toBe('Write the release notes');
    scene.ask('Rename the package');
    expect(scene.call()?.context).toBe('Rename the package');
  });

  it('is looked for when what was kept cannot be read', () => {
    const scene = new Scene();
    scene.ask(REDIS);
    for (const text of ['', '{"text":', 'null', '{"text":1,"tags":[]}', '{"text":"x"}']) {
      for (const name of readdirSync(scene.told)) writeFileSync(join(scene.told, name), text);
      expect(scene.call()?.context).toContain('Redis cache');
    }
  });
});
