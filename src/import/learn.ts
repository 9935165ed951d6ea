import { setImmediate } from 'node:timers/promises';
import type { Home } from '../project/index.ts';
import type { ImportProgress } from './import-progress.ts';
import type { ProjectPlace } from './project-places.ts';

/** Notes which projects gained something, and makes knowledge and index of it. */
export class Learner {
  readonly #home: Home;
  readonly #gained = new Map<ProjectPlace, { first: string; last: string }>();

  constructor(home: Home) {
    this.#home = home;
  }

  /** Names of the projects that gained something. */
  get names(): readonly string[] {
    return [...this.#gained.keys()].map(({ name }) => name);
  }

  /** Notes that a project gained something of that time. */
  note(place: ProjectPlace, timestamp: string): void {
    const known = this.#gained.get(place);
    if (known === undefined) this.#gained.set(place, { first: timestamp, last: timestamp });
    else if (timestamp < known.first) known.first = timestamp;
    else if (timestamp > known.last) known.last = timestamp;
  }

  /** Takes what is new into the knowledge of its projects and into the index. */
  async learn(onProgress: (progress: ImportProgress) => void): Promise<void> {
    let done = 0;
    for (const [place, { first, last }] of this.#gained) {
      onProgress({ phase: 'learning', done: done++, total: this.#gained.size });
      await setImmediate();
      if (place.project === undefined) continue;
      this.#home.noteActivity(place.project, { first, last, isNew: place.isNew });
      place.project.memory.synthesise();
    }
    if (done === 0) return;
    this.#home.catchUp((bytes, total) => onProgress({ phase: 'indexing', done: bytes, total }));
  }
}
