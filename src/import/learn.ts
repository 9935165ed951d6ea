import { setImmediate } from 'node:timers/promises';
import type { Home } from '../project/index.ts';
import type { ImportProgress } from './import-progress.ts';
import type { ProjectPlace } from './project-places.ts';
import type { ProjectGain } from './source-taker.ts';

/** Notes which projects gained something, and makes knowledge and index of it. */
export class Learner {
  readonly #home: Home;
  readonly #gained = new Map<ProjectPlace, ProjectGain>();

  constructor(home: Home) {
    this.#home = home;
  }

  /** Names of the projects that gained something. */
  get names(): readonly string[] {
    return [...this.#gained.keys()].map(({ name }) => name);
  }

  /** Notes what a project gained. */
  note(place: ProjectPlace, gain: ProjectGain): void {
    const { first, last, isNew } = this.#gained.get(place) ?? gain;
    const [earliest = first] = [first, gain.first].sort();
    const [latest = last] = [last, gain.last].sort().reverse();
    this.#gained.set(place, { ...gain, first: earliest, last: latest, isNew: isNew || gain.isNew });
  }

  /** Takes what is new into the knowledge of its projects and into the index. */
  async learn(onProgress: (progress: ImportProgress) => void): Promise<void> {
    let done = 0;
    for (const [place, { first, last, isNew }] of this.#gained) {
      onProgress({ phase: 'learning', done: done++, total: this.#gained.size });
      await setImmediate();
      if (place.project === undefined) continue;
      this.#home.noteActivity(place.project, { first, last, isNew });
      place.project.memory.synthesise();
    }
    if (done === 0) return;
    this.#home.catchUp((bytes, total) => onProgress({ phase: 'indexing', done: bytes, total }));
  }
}
