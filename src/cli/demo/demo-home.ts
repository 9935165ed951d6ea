import { mkdirSync, realpathSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type MachineState, UNKNOWN_MACHINE } from '../../memory/index.ts';
import { type Home, openHome } from '../../project/index.ts';
import { DOTFILES, DOTFILES_FILES } from './other-projects/dotfiles.ts';
import { TEA_TIMER, TEA_TIMER_FILES } from './other-projects/tea-timer.ts';
import { playMoments } from './play-moments.ts';
import type { Moment } from './script.ts';
import type { StoryClock } from './story.ts';
import { FILES as TEAHOUSE_FILES } from './teahouse/files.ts';
import { TEAHOUSE } from './teahouse/teahouse.ts';

/** A project of the demo: its folder's name, what is in the folder, and what happened. */
interface DemoProject {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  readonly moments: readonly Moment[];
}

const MAIN: DemoProject = { name: 'teahouse', files: TEAHOUSE_FILES, moments: TEAHOUSE };
const PROJECTS: readonly DemoProject[] = [
  { name: 'dotfiles', files: DOTFILES_FILES, moments: DOTFILES },
  { name: 'tea-timer', files: TEA_TIMER_FILES, moments: TEA_TIMER },
  MAIN,
];

/** The invented laptop has everything but these programs. */
const MISSING_PROGRAMS: ReadonlySet<string> = new Set(['docker-compose', 'psql', 'python']);
const LAPTOP: MachineState = { ...UNKNOWN_MACHINE, hasProgram: (name) => !MISSING_PROGRAMS.has(name) };

/** Before the history begins: a file that is newer than a failure makes the guard doubt it. */
const WRITTEN_BEFORE_MS = 60 * 24 * 60 * 60 * 1000;

/** Where the demo is. */
export interface DemoHome {
  /** A home of yore. */
  readonly home: string;
  /** The folder of the main project. */
  readonly cwd: string;
  /** Where the story did not go as written; empty as long as it holds. */
  readonly surprises: readonly string[];
}

/**
 * Makes a home with an invented history of three projects over the six weeks before `now`, and the folders of the
 * projects, inside a folder that exists. The same for the same `now`, but for random ids of attempts and warnings.
 */
export async function makeDemoHome(folder: string, now: number): Promise<DemoHome> {
  const place = realpathSync.native(folder);
  const clock: StoryClock = { now };
  const home = openHome({ home: join(place, 'home'), env: {}, now: () => clock.now, world: () => LAPTOP });
  try {
    const surprises = PROJECTS.flatMap((project) => play(project, { home, place, clock, now }));
    return { home: home.path, cwd: join(place, MAIN.name), surprises };
  } finally {
    home.close();
  }
}

function play(
  { name, files, moments }: DemoProject,
  stage: {
    readonly home: Home;
    readonly place: string;
    readonly clock: StoryClock;
    readonly now: number;
  },
): readonly string[] {
  const { home, place, clock, now } = stage;
  const root = join(place, name);
  writeFiles(root, files, now - WRITTEN_BEFORE_MS);
  clock.now = now - WRITTEN_BEFORE_MS;
  const project = home.openProject(root);
  const { first, last, surprises } = playMoments(moments, { home, project, clock, now });
  clock.now = now;
  project.memory.synthesise();
  home.noteActivity(project, { first, last, isNew: true });
  return surprises;
}

function writeFiles(root: string, files: DemoProject['files'], writtenAt: number): void {
  const time = new Date(writtenAt);
  mkdirSync(root, { recursive: true });
  for (const [path, content] of Object.entries(files)) {
    const file = join(root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    utimesSync(file, time, time);
  }
}
