import { readInstallRecord } from '../install/install-record.ts';
import { type Home, labelProjects, type Project } from '../project/index.ts';
import { YoreError } from '../record/index.ts';
import { formatCount } from '../text/format-count.ts';
import type { CommandContext, CommandRun, OptionValues } from './command.ts';
import { flagOption, textOption } from './options.ts';
import type { Output } from './output/output.ts';
import { sanitiseLine } from './output/sanitise.ts';
import type { ListOptions } from './output/session-list.ts';
import { pad } from './output/width.ts';

/** The project that `name` stands for: a name, an id, or `.` for the current folder. Throws NOT_FOUND. */
export function resolveProject(home: Home, name: string, cwd: string): Project {
  if (name !== '.') return home.findProjectByName(name);
  const project = home.findProject(cwd);
  if (project) return project;
  throw new YoreError('NOT_FOUND', `Nothing is recorded for ${cwd} yet. Recorded elsewhere: yore sessions`);
}

/**
 * The project of `--project`, else of the current folder; undefined if nothing is recorded for that folder. Throws
 * NOT_FOUND for an unknown name.
 */
export function resolveProjectOption(home: Home, options: OptionValues, cwd: string): Project | undefined {
  const name = textOption(options, 'project');
  return name === undefined ? home.findProject(cwd) : resolveProject(home, name, cwd);
}

/** As {@link resolveProjectOption}. Throws NOT_FOUND also if nothing is recorded for the current folder. */
export function requireProject(home: Home, options: OptionValues, cwd: string): Project {
  const project = resolveProjectOption(home, options, cwd);
  if (project !== undefined) return project;
  throw new YoreError(
    'NOT_FOUND',
    `Nothing is recorded for ${cwd} yet. Go to the project's folder, or name the project with --project.`,
  );
}

/** What a command reports on a project: `json` with `--json`, else `lines`. */
interface ProjectReport {
  readonly json: object;
  readonly lines: (project: Project, home: Home) => readonly string[];
}

/**
 * A command that reports on the project of `--project` or of the current folder. Without a project it says what to do next,
 * and prints the JSON of an empty report. `readsSessions`: the report is about what was recorded.
 */
export function createProjectReport(
  report: (
    project: Project | undefined,
    context: CommandContext,
    options: OptionValues,
    args: readonly string[],
  ) => ProjectReport,
  { readsSessions = true }: { readonly readsSessions?: boolean } = {},
): CommandRun {
  return async (context, args, options) => {
    const { output, cwd } = context;
    const home = await context.openHome();
    const project = resolveProjectOption(home, options, cwd);
    if (project !== undefined && readsSessions) await readSessions(home, output);
    const { json, lines } = report(project, context, options, args);
    if (flagOption(options, 'json')) output.json({ project: project?.info.projectHash ?? null, ...json });
    else output.lines(...(project === undefined ? nothingRecordedLines(home, context) : lines(project, home)));
  };
}

/** Brings what is known up to date with the logs, with a progress bar if it takes long. */
async function readSessions(home: Home, output: Output): Promise<void> {
  await output.withProgress('Reading sessions', (onProgress) => home.catchUp(onProgress), 'bytes');
}

/** What lists of sessions and hits are printed with. */
export function createListOptions(home: Home, { output, now }: Pick<CommandContext, 'output' | 'now'>): ListOptions {
  return { output, now: now(), projectName: projectNames(home), shortId: (id) => home.shortenSessionId(id) };
}

/** A lookup of what to call a project, by its id; an unknown id stands for itself. */
export function projectNames(home: Home): (id: string) => string {
  let labels: ReadonlyMap<string, string> | undefined;
  return (id) => {
    labels ??= labelProjects(home.projects());
    return sanitiseLine(labels.get(id) ?? id);
  };
}

/** Says that nothing is recorded for the current folder, and what to do next. */
export function nothingRecordedLines(home: Home, { output, cwd }: CommandContext): string[] {
  const others = home.projects().length;
  return [
    ...output.wrap(`Nothing is recorded for ${sanitiseLine(cwd)} yet.`),
    ...(others > 0 ? output.wrap(`${formatCount(others, 'other project')} with history: yore projects`) : []),
    ...gettingStartedLines(home, output),
  ];
}

/** What `yore init` does, for hints. */
export const INIT_MEANING = 'find your agents, import their history and start recording';

/** The commands to try first. Once `yore init` has been run, sessions appear by themselves. */
export function gettingStartedLines(home: Home, output: Output): string[] {
  const isInitialised = readInstallRecord(home.path).files.size > 0;
  return [
    ...(isInitialised ? output.wrap('What your agents do appears here: start a session in one of them.') : []),
    '',
    ...(isInitialised ? [] : hintLines('yore init', INIT_MEANING, output)),
    ...(isInitialised ? hintLines('yore doctor', 'check that your agents are recorded', output) : []),
    ...hintLines('yore demo', 'see what yore does', output),
    ...hintLines('yore --help', 'list all commands', output),
  ];
}

/** A command with its meaning beside it, in a column of `width`. */
export function hintLines(command: string, meaning: string, output: Output, width = 11): string[] {
  return output.clip(meaning, {
    indent: width + 4,
    marker: `  ${output.style.cyan(pad(command, width))} `,
  });
}
