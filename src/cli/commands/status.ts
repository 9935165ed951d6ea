import type { Home, HomeStatus, Project } from '../../project/index.ts';
import { projectNames } from '../choose-project.ts';
import type { CommandContext, OptionValues } from '../command.ts';
import { flagOption } from '../option-values.ts';
import type { Output } from '../output/output.ts';
import { countOf } from '../output/quantity.ts';
import { sanitiseLine } from '../output/sanitise.ts';
import { sessionLines } from '../output/session-list.ts';
import { relativeTime } from '../output/time.ts';
import { wrap } from '../output/width.ts';
import { reportWarnings } from '../report-warnings.ts';

const SESSIONS_SHOWN = 5;

/** `yore` and `yore status`. */
export async function runStatus(
  context: CommandContext,
  _args: readonly string[],
  options: OptionValues,
): Promise<number> {
  const { output } = context;
  const home = await context.openHome();
  const project = home.findProject(context.cwd);
  const isJson = flagOption(options, 'json');
  if (!project) {
    if (isJson) output.json({ home: home.path, project: null });
    else printUnknown(home, context);
    return 0;
  }
  const filter = { projects: [project.info.projectHash], limit: SESSIONS_SHOWN };
  const list = await output.withProgress('Indexing', (progress) => home.listSessions(filter, progress));
  const counts = home.status(project);
  const recording = project.isRecording();
  if (isJson) {
    output.json({
      home: home.path,
      project: {
        id: project.info.projectHash,
        name: project.info.displayName,
        path: project.info.projectPath,
      },
      recording,
      sessions: counts.sessions,
      messages: counts.messages,
      failures: counts.failures,
      successes: counts.successes,
      bytesOnDisk: counts.bytesOnDisk,
      lastSessions: list.sessions,
      warnings: list.warnings,
    });
    return reportWarnings(list.warnings, output);
  }
  output.lines(
    ...headLines(project, counts, { recording, lastActivity: list.sessions[0]?.lastActivity }, context),
  );
  if (list.sessions.length === 0) {
    output.lines('', 'Nothing is recorded here yet.', ...hintsForBeginners(output));
  } else {
    const listed = { output, now: context.now(), projectName: projectNames(home) };
    output.lines('', output.style.bold('Last sessions'), ...sessionLines(list.sessions, listed));
    output.lines(
      '',
      ...wrap(
        `Read one: yore show ID ${output.symbols.separator} find: yore search QUERY`,
        output.columns,
      ).map(output.style.dim),
    );
  }
  return reportWarnings(list.warnings, output);
}

interface State {
  readonly recording: boolean;
  readonly lastActivity: string | undefined;
}

function headLines(
  project: Project,
  status: HomeStatus,
  { recording, lastActivity }: State,
  context: CommandContext,
): string[] {
  const { output } = context;
  const { style, symbols, columns } = output;
  const separator = style.dim(` ${symbols.separator} `);
  const facts = [
    countOf(status.sessions, 'session'),
    countOf(status.messages, 'message'),
    style.red(`${symbols.failure} ${countOf(status.failures, 'failure')} to avoid`),
    style.green(`${symbols.success} ${countOf(status.successes, 'successful attempt')}`),
  ];
  const state = recording ? '' : `${separator}${style.yellow('paused (go on: yore resume)')}`;
  const when = lastActivity ? `${separator}${style.dim(relativeTime(lastActivity, context.now()))}` : '';
  return [
    ...wrap(`${style.bold(sanitiseLine(project.info.displayName))}${when}${state}`, columns),
    ...wrap(facts.join(separator), columns),
  ];
}

function printUnknown(home: Home, { output, cwd }: CommandContext): void {
  const others = home.projects().length;
  output.lines(
    `Nothing is recorded for ${sanitiseLine(cwd)} yet.`,
    ...(others > 0 ? [`${countOf(others, 'other project')} with history: yore sessions`] : []),
    ...hintsForBeginners(output),
  );
}

function hintsForBeginners({ style }: Output): string[] {
  return [
    '',
    `  ${style.cyan('yore demo')}    see what it will do for you`,
    `  ${style.cyan('yore --help')}  all commands`,
  ];
}
