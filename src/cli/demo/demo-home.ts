import { mkdirSync, realpathSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type MachineState, UNKNOWN_MACHINE } from '../../ask/guard/candidates.ts';
import { openHome } from '../../project/index.ts';
import { type DemoProject, readDemoData, toText } from './demo-data.ts';
import { type DemoClock, playHistory } from './player.ts';

const MAIN_PROJECT = 'teahouse';
/** Each project's folder and its data files. */
const PROJECTS: Readonly<Record<string, readonly string[]>> = {
  dotfiles: ['dotfiles.json'],
  'tea-timer': ['tea-timer.json'],
  [MAIN_PROJECT]: ['teahouse.json', 'teahouse-catalogue-texts.json'],
};

/** The demo's machine has every program but these. */
const MISSING_PROGRAMS: ReadonlySet<string> = new Set(['docker-compose', 'psql', 'python']);
const MACHINE: MachineState = { ...UNKNOWN_MACHINE, hasProgram: (name) => !MISSING_PROGRAMS.has(name) };

/** Age of the projects' files. A file that is newer than a failure would make the guard doubt the failure. */
const FILE_AGE_MS = 60 * 24 * 60 * 60 * 1000;

/** Where the demo is. */
export interface DemoHome {
  /** A home of yore. */
  readonly home: string;
  /** The folder of the main project. */
  readonly cwd: string;
  /** Where yore did not do what the demo's data expects; empty as long as all goes as written. */
  readonly mismatches: readonly string[];
}

/**
 * Makes a home with an invented history of three projects over the six weeks before `now`, and the projects' folders,
 * inside an existing folder. The same `now` gives the same history, but for random ids of attempts and warnings.
 */
export async function makeDemoHome(folder: string, now: number): Promise<DemoHome> {
  const place = realpathSync.native(folder);
  const clock: DemoClock = { now };
  const home = openHome({ home: join(place, 'home'), env: {}, now: () => clock.now, machine: () => MACHINE });
  try {
    const mismatches = Object.entries(PROJECTS).flatMap(([name, dataFiles]) => {
      const root = join(place, name);
      const { files, ...history } = readProject(dataFiles);
      writeFiles(root, files, now - FILE_AGE_MS);
      clock.now = now - FILE_AGE_MS;
      const project = home.openProject(root);
      const played = playHistory(history, { home, project, clock, now });
      writeFiles(root, workedOn(files, history.sessions), now - FILE_AGE_MS);
      project.maintain();
      home.noteActivity(project, { first: played.first, last: played.last, isNew: true });
      return played.mismatches;
    });
    return { home: home.path, cwd: join(place, MAIN_PROJECT), mismatches };
  } finally {
    home.close();
  }
}

function readProject(dataFiles: readonly string[]): DemoProject {
  const parts = dataFiles.map((name) => readDemoData<Partial<DemoProject>>(name));
  return {
    files: Object.assign({}, ...parts.map(({ files = {} }) => files)),
    sessions: parts.flatMap(({ sessions = [] }) => sessions),
    decisions: parts.flatMap(({ decisions = [] }) => decisions),
  };
}

/** The files as the sessions left them, of those that they wrote or changed. Theirs is the text that is not given. */
function workedOn(files: DemoProject['files'], sessions: DemoProject['sessions']): DemoProject['files'] {
  const texts = new Map<string, string>();
  for (const step of sessions.flatMap(({ steps }) => steps)) {
    if ('write' in step && files[step.write] === undefined) texts.set(step.write, toText(step.content));
    if ('edit' in step && step.error === undefined) {
      const before = texts.get(step.edit) ?? '';
      if (before.includes(toText(step.old)))
        texts.set(
          step.edit,
          before.replace(toText(step.old), () => toText(step.new)),
        );
    }
  }
  return Object.fromEntries(texts);
}

function writeFiles(root: string, files: DemoProject['files'], writtenAt: number): void {
  const time = new Date(writtenAt);
  mkdirSync(root, { recursive: true });
  for (const [path, content] of Object.entries(files)) {
    const file = join(root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${toText(content)}\n`);
    utimesSync(file, time, time);
  }
}
