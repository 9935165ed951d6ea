import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { failureId } from '../../memory/index.ts';
import type { Home } from '../../project/index.ts';
import { omitUndefined } from '../../record/index.ts';
import { projectById } from '../find-project.ts';
import { toMemoryWarning } from '../methods/memory.ts';
import type { Notifications } from '../rpc/api.ts';
import { ProjectFollower } from './log-follower.ts';

/** What a {@link LogWatcher} needs from the server. */
export interface LogWatcherOptions {
  readonly home: Home;
  readonly now: () => number;
  readonly intervalMs: number;
  readonly notify: <N extends 'history.changed' | 'warning.given'>(name: N, params: Notifications[N]) => void;
  /** Drains the spools of all projects. */
  readonly drain: () => Promise<unknown>;
  readonly onError: (error: unknown) => void;
}

/** Projects in which something happened this recently are polled every time. */
const HOT_MS = 10 * 60_000;
/** How many of the other projects are polled at a time, in turn. */
const COLD_BATCH = 100;
/** Every so many polls, all projects are listed: those that keep their data in the repository are found only then. */
const POLLS_PER_LISTING = 20;

/**
 * Polls the logs of all projects and reports what is new. Polling compares only file sizes until something has changed;
 * file system events work differently, or not at all, on each platform.
 */
export class LogWatcher {
  readonly #options: LogWatcherOptions;
  readonly #projects = new Map<string, ProjectFollower>();
  #timer: NodeJS.Timeout | undefined;
  #polls = 0;
  #isDraining = false;
  /** Where the next batch of cold projects begins. */
  #nextCold = 0;

  constructor(options: LogWatcherOptions) {
    this.#options = options;
  }

  /** Starts polling. What the logs hold already is not reported. */
  start(): void {
    this.stop();
    this.#projects.clear();
    this.#try(() => this.#followAll({ fromEnd: true }));
    this.#try(() => this.#followNew({ fromEnd: true }));
    this.#timer = setInterval(() => this.#try(() => this.#poll()), this.#options.intervalMs);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #poll(): void {
    this.#polls += 1;
    if (this.#polls % POLLS_PER_LISTING === 0) this.#followAll({ fromEnd: false });
    else this.#followNew({ fromEnd: false });
    const now = this.#options.now();
    const all = [...this.#projects.values()];
    const cold = all.filter(({ lastChange }) => now - lastChange >= HOT_MS);
    if (this.#nextCold >= cold.length) this.#nextCold = 0;
    const batch = cold.slice(this.#nextCold, this.#nextCold + COLD_BATCH);
    this.#nextCold += batch.length;
    const hot = all.filter(({ lastChange }) => now - lastChange < HOT_MS);
    for (const project of [...hot, ...batch]) this.#try(() => this.#pollProject(project, now));
  }

  #pollProject(project: ProjectFollower, now: number): void {
    if (project.hasSpooledCalls) {
      project.lastChange = now;
      this.#drain();
    }
    const change = project.poll();
    if (change === undefined) return;
    project.lastChange = now;
    const { id } = project;
    const { sessionIds, newest, warnings } = change;
    if (sessionIds !== undefined) {
      this.#options.notify('history.changed', { project: id, sessionIds, ...omitUndefined({ newest }) });
    }
    for (const warning of warnings) {
      const shown = toMemoryWarning({ warning, failureId: failureId(warning.key) }, now);
      this.#options.notify('warning.given', { project: id, warning: shown });
    }
  }

  #drain(): void {
    if (this.#isDraining) return;
    this.#isDraining = true;
    const { drain, onError } = this.#options;
    void drain()
      .catch(onError)
      .finally(() => {
        this.#isDraining = false;
      });
  }

  /** Follows new projects in the home, found by the names of their folders alone. */
  #followNew(options: { readonly fromEnd: boolean }): void {
    const folder = join(this.#options.home.path, 'projects');
    for (const name of readNames(folder)) {
      if (/^[0-9a-f]{8,64}$/.test(name)) this.#follow(name, () => join(folder, name), options);
    }
  }

  /** Follows all registered projects. */
  #followAll(options: { readonly fromEnd: boolean }): void {
    const { home } = this.#options;
    for (const { projectHash } of home.projects()) {
      this.#follow(projectHash, () => projectById(home, projectHash).directory, options);
    }
  }

  #follow(id: string, directory: () => string, options: { readonly fromEnd: boolean }): void {
    if (!this.#projects.has(id)) this.#projects.set(id, new ProjectFollower(id, directory(), options));
  }

  /** What cannot be read now may be readable at the next poll. */
  #try(action: () => void): void {
    try {
      action();
    } catch (error) {
      this.#options.onError(error);
    }
  }
}

function readNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
