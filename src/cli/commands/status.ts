import type { KnowledgeFile } from '../../memory/index.ts';
import type { HomeStatus, Project } from '../../project/index.ts';
import { projectNames } from '../choose-project.ts';
import type { CommandContext, OptionValues } from '../command.ts';
import { hintsForBeginners, nothingRecorded } from '../nothing-recorded.ts';
import { flagOption } from '../option-values.ts';
import type { Output } from '../output/output.ts';
import { avoidLines, practiceLines } from '../output/practice-list.ts';
import { countOf } from '../output/quantity.ts';
import { sanitiseLine } from '../output/sanitise.ts';
import { sessionLines } from '../output/session-list.ts';
import { relativeTime } from '../output/time.ts';
import { wrap } from '../output/width.ts';
import { reportWarnings } from '../report-warnings.ts';

const SESSIONS_SHOWN = 5;
const PATTERNS_SHOWN = 3;

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
    else output.lines(...nothingRecorded(home, context));
    return 0;
  }
  const filter = { projects: [project.info.projectHash], limit: SESSIONS_SHOWN };
  const list = await output.withProgress('Indexing', (progress) => home.listSessions(filter, progress));
  const counts = home.status(project);
  const recording = project.isRecording();
  const { knowledge } = project.memory.synthesise();
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
      summary: knowledge.summary,
      antiPatterns: knowledge.antiPatterns,
      bestPractices: knowledge.bestPractices,
      lastSessions: list.sessions,
      warnings: list.warnings,
    });
    return reportWarnings(list.warnings, output);
  }
  output.lines(
    ...headLines(project, counts, { recording, lastActivity: list.sessions[0]?.lastActivity }, context),
  );
  if (list.sessions.length === 0 && isEmpty(knowledge)) {
    output.lines('', 'Nothing is recorded here yet.', ...hintsForBeginners(home, output));
  } else {
    output.lines(...knowledgeLines(knowledge, context));
    const listed = { output, now: context.now(), projectName: projectNames(home) };
    output.lines('', output.style.bold('Last sessions'), ...sessionLines(list.sessions, listed));
    output.lines('', ...hintLines(output));
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
    style.green(`${symbols.success} ${countOf(status.successes, 'success', 'successes')}`),
    style.red(`${symbols.failure} ${countOf(status.failures, 'failure')}`),
  ];
  const state = recording ? '' : `${separator}${style.yellow('paused (go on: yore resume)')}`;
  const when = lastActivity ? `${separator}${style.dim(relativeTime(lastActivity, context.now()))}` : '';
  const line = personLine(project, output);
  return [
    ...wrap(`${style.bold(sanitiseLine(project.info.displayName))}${when}${state}`, columns),
    ...wrap(facts.join(separator), columns),
    ...(line === '' ? [] : wrap(line, columns)),
  ];
}

/** What a person is told when an agent starts, in signs that the terminal can show. */
function personLine(project: Project, { out, symbols }: Output): string {
  const { line } = project.memory.briefing();
  if (out.terminal.unicode) return line;
  return line
    .replace('📚 ', '')
    .replace('✅', symbols.success)
    .replace('⚠️', symbols.warning)
    .replaceAll('·', symbols.separator);
}

function isEmpty({ antiPatterns, bestPractices }: KnowledgeFile): boolean {
  return antiPatterns.length + bestPractices.length === 0;
}

/** The surest of what to avoid and of what works. */
function knowledgeLines(
  { antiPatterns, bestPractices }: KnowledgeFile,
  { output, now }: CommandContext,
): string[] {
  const avoid = avoidLines(antiPatterns.slice(0, PATTERNS_SHOWN), output, now());
  const works = practiceLines(bestPractices.slice(0, PATTERNS_SHOWN), output);
  return [
    ...(avoid.length === 0 ? [] : ['', output.style.bold('To avoid'), ...avoid]),
    ...(works.length === 0 ? [] : ['', output.style.bold('What works'), ...works]),
  ];
}

function hintLines({ style, symbols, columns }: Output): string[] {
  const hints = ['Read one: yore show ID', 'find: yore search QUERY', 'all that is known: yore knowledge'];
  return wrap(hints.join(` ${symbols.separator} `), columns).map(style.dim);
}
