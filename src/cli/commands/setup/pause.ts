import type { Project } from '../../../project/index.ts';
import type { CommandContext, CommandRun, OptionValues } from '../../command.ts';
import { flagOption } from '../../options.ts';
import { sanitiseLine } from '../../output/sanitise.ts';

/** `yore pause`. */
export const runPause: CommandRun = async (context, _args, options) => {
  const home = await context.openHome();
  const project = flagOption(options, 'everywhere') ? undefined : home.openProject(context.cwd);
  (project ?? home).setRecording(false);
  printState(false, project, context, options);
};

/** `yore resume`. */
export const runResume: CommandRun = async (context, _args, options) => {
  const home = await context.openHome();
  const project = flagOption(options, 'everywhere') ? undefined : home.openProject(context.cwd);
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
