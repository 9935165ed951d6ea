import type { Home, Project } from '../../project/index.ts';
import type { CommandContext, OptionValues } from '../command.ts';
import { flagOption } from '../option-values.ts';
import { sanitiseLine } from '../output/sanitise.ts';

/** `yore pause`. */
export async function runPause(
  context: CommandContext,
  _args: readonly string[],
  options: OptionValues,
): Promise<void> {
  const home = await context.openHome();
  if (!flagOption(options, 'everywhere')) {
    const project = home.openProject(context.cwd);
    project.setRecording(false);
    report(context, options, { recording: false, project });
    return;
  }
  home.setRecording(false);
  report(context, options, { recording: false });
}

/** `yore resume`. */
export async function runResume(
  context: CommandContext,
  _args: readonly string[],
  options: OptionValues,
): Promise<void> {
  const home = await context.openHome();
  if (flagOption(options, 'everywhere')) {
    home.setRecording(true);
    report(context, options, { recording: true });
    const paused = allProjects(home).filter((project) => !project.isRecording());
    if (paused.length > 0) {
      const names = paused.map(({ info }) => sanitiseLine(info.displayName)).join(', ');
      context.output.warn(`Still paused on their own: ${names}. Run yore resume there.`);
    }
    return;
  }
  const project = home.openProject(context.cwd);
  project.setRecording(true);
  report(context, options, { recording: project.isRecording(), project });
}

function allProjects(home: Home): Project[] {
  return home.projects().map(({ projectHash }) => home.projectNamed(projectHash));
}

interface Change {
  readonly recording: boolean;
  /** None: everywhere. */
  readonly project?: Project;
}

function report({ output }: CommandContext, options: OptionValues, { recording, project }: Change): void {
  if (flagOption(options, 'json')) {
    output.json({ recording, scope: project ? 'project' : 'everywhere', project: project?.info.projectHash });
    return;
  }
  const place = project ? `in ${sanitiseLine(project.info.displayName)}` : 'everywhere';
  const undo = `yore ${recording ? 'pause' : 'resume'}${project ? '' : ' --everywhere'}`;
  output.lines(
    `Recording is ${recording ? 'on' : 'paused'} ${place}.`,
    output.style.dim(`${recording ? 'Stop' : 'Go on'}: ${undo}`),
  );
}
