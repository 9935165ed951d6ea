import type { Home, Project } from '../../../project/index.ts';
import { YoreError } from '../../../record/index.ts';
import { resolveProject } from '../../choose-project.ts';
import type { CommandContext, CommandRun, OptionValues } from '../../command.ts';
import { flagOption, textOption } from '../../options.ts';
import { sanitiseLine } from '../../output/sanitise.ts';

/** `yore pause`. */
export const runPause: CommandRun = async (context, _args, options) => {
  const home = await context.openHome();
  const project = chooseProject(home, context, options);
  (project ?? home).setRecording(false);
  printState(false, project, context, options);
};

/** `yore resume`. */
export const runResume: CommandRun = async (context, _args, options) => {
  const home = await context.openHome();
  const project = chooseProject(home, context, options);
  (project ?? home).setRecording(true);
  printState(project?.isRecording() ?? true, project, context, options);
  if (project !== undefined) return;
  const paused = home
    .projects()
    .map(({ projectHash }) => home.findProjectByName(projectHash))
    .filter((each) => !each.isRecording());
  if (paused.length === 0) return;
  const names = paused.map(({ info }) => sanitiseLine(info.displayName)).join(', ');
  context.output.warn(`These projects were paused one by one and still are: ${names}. Run yore resume there.`);
};

/** The project of `--project` or of the current folder; undefined with `--everywhere`. */
function chooseProject(home: Home, { cwd }: CommandContext, options: OptionValues): Project | undefined {
  const name = textOption(options, 'project');
  if (!flagOption(options, 'everywhere'))
    return name === undefined ? home.openProject(cwd) : resolveProject(home, name, cwd);
  if (name === undefined) return undefined;
  throw new YoreError('USAGE', '--project and --everywhere exclude each other.');
}

/** Without a project, the state is that of all projects. */
function printState(
  recording: boolean,
  project: Project | undefined,
  { output }: CommandContext,
  options: OptionValues,
): void {
  if (flagOption(options, 'json')) {
    output.json({ recording, scope: project ? 'project' : 'everywhere', project: project?.info.projectHash });
    return;
  }
  const place = project ? `in ${sanitiseLine(project.info.displayName)}` : 'everywhere';
  const command = `yore ${recording ? 'pause' : 'resume'}${project ? '' : ' --everywhere'}`;
  output.lines(
    `Recording is ${recording ? 'on' : 'paused'} ${place}.`,
    output.style.dim(`To ${recording ? 'pause' : 'resume'}: ${command}`),
  );
}
