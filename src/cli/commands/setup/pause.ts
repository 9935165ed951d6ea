import type { Project } from '../../../project/index.ts';
import type { CommandContext, CommandRun, OptionValues } from '../../command.ts';
import { flagOption } from '../../options.ts';
import { sanitiseLine } from '../../output/sanitise.ts';

/** `yore pause`. */
export const runPause: CommandRun = async (context, _args, options) => {
  const home = await context.openHome();
  if (flagOption(options, 'everywhere')) {
    home.setRecording(false);
    printState(false, undefined, context, options);
    return;
  }
  const project = home.openProject(context.cwd);
  project.setRecording(false);
  printState(false, project, context, options);
};

/** `yore resume`. */
export const runResume: CommandRun = async (context, _args, options) => {
  const home = await context.openHome();
  if (!flagOption(options, 'everywhere')) {
    const project = home.openProject(context.cwd);
    project.setRecording(true);
    printState(project.isRecording(), project, context, options);
    return;
  }
  home.setRecording(true);
  printState(true, undefined, context, options);
  const paused = home
    .projects()
    .map(({ projectHash }) => home.findProjectByName(projectHash))
    .filter((project) => !project.isRecording());
  if (paused.length === 0) return;
  const names = paused.map(({ info }) => sanitiseLine(info.displayName)).join(', ');
  context.output.warn(
    `These projects were paused one by one and still are: ${names}. Run yore resume there.`,
  );
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
