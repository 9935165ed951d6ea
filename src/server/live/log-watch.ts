import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { failureId } from '../../memory/index.ts';
import type { Home } from '../../project/index.ts';
import { projectById } from '../project-by-id.ts';
import type { Notifications } from '../rpc/api.ts';
import { memoryWarning } from '../views/memory-view.ts';
import { FollowedProject } from './followed-project.ts';

/** What a {@link LogWatch} needs from the server. */
export interface LogWatchOptions {
  readonly home: Home;
  readonly now: () => number;
  readonly intervalMs: number;
  readonly tell: <N extends 'history.changed' | 'warning.given'>(name: N, params: Notifications[N]) => void;
  /** Writes into the logs what hooks have left to be written down. */
  readonly drain: () => Promise<unknown>;
  readonly onError: (error: unknown) => void;
}

/** A project in which something happened this recently is looked at each time. */
const HOT_MS = 10 * 60_000;
/** So many of the others are looked at each time, in turn. */
const OTHERS_AT_A_TIME = 100;
/** All projects are listed each so many times: those that are kept in their repositories are found only so. */
const LISTED_EACH = 20;

/**
 * Looks at the logs of all projects from time to time and tells what is new. Only sizes are compared until something is:
 * watching files for changes works differently, or not at all, on each file system.
 */
export class LogWatch {
  readonly #options: LogWatchOptions;
  readonly #followed = new Map<string, FollowedProject>();
  #timer: NodeJS.Timeout | undefined;
  #round = 0;
  #isDraining = false;
  #next = 0;

  constructor(options: LogWatchOptions) {
    this.#options = options;
  }

  /** What is there now is not new. */
  start(): void {
    this.stop();
    this.#followed.clear();
    this.#safely(() => this.#list({ fromEnd: true }));
    this.#safely(() => this.#findNew({ fromEnd: true }));
    this.#timer = setInterval(() => this.#safely(() => this.#look()), this.#options.intervalMs);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #look(): void {
    this.#round += 1;
    if (this.#round % LISTED_EACH === 0) this.#list({ fromEnd: false });
    else this.#findNew({ fromEnd: false });
    const now = this.#options.now();
    const all = [...this.#followed.values()];
    const others = all.filter(({ lastChange }) => now - lastChange >= HOT_MS);
    if (this.#next >= others.length) this.#next = 0;
    const due = others.slice(this.#next, this.#next + OTHERS_AT_A_TIME);
    this.#next += due.length;
    for (const project of all) {
      if (now - project.lastChange < HOT_MS) this.#safely(() => this.#lookAt(project, now));
    }
    for (const project of due) this.#safely(() => this.#lookAt(project, now));
  }

  #lookAt(project: FollowedProject, now: number): void {
    if (project.isWaiting) {
      project.lastChange = now;
      this.#drain();
    }
    const change = project.look();
    if (change === undefined) return;
    project.lastChange = now;
    const { id } = project;
    const { sessionIds, newest, warnings } = change;
    if (sessionIds !== undefined) {
      const time = newest === undefined ? {} : { newest };
      this.#options.tell('history.changed', { project: id, sessionIds, ...time });
    }
    for (const warning of warnings) {
      const shown = memoryWarning({ warning, hazardId: failureId(warning.key) }, now);
      this.#options.tell('warning.given', { project: id, warning: shown });
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

  /** Projects that are kept in the home, from the names of their folders alone. */
  #findNew(options: { readonly fromEnd: boolean }): void {
    const folder = join(this.#options.home.path, 'projects');
    for (const name of namesIn(folder)) {
      if (/^[0-9a-f]{8,64}$/.test(name)) this.#follow(name, () => join(folder, name), options);
    }
  }

  /** All projects. */
  #list(options: { readonly fromEnd: boolean }): void {
    const { home } = this.#options;
    for (const { projectHash } of home.projects()) {
      this.#follow(projectHash, () => projectById(home, projectHash).directory, options);
    }
  }

  #follow(id: string, directory: () => string, options: { readonly fromEnd: boolean }): void {
    if (!this.#followed.has(id)) this.#followed.set(id, new FollowedProject(id, directory(), options));
  }

  /** A folder that cannot be read now can perhaps next time. */
  #safely(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#options.onError(error);
    }
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
