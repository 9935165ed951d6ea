import type { Knowledge } from '../../../ask/knowledge.ts';
import type { HomeStatus, Project } from '../../../project/index.ts';
import { formatCount } from '../../../text/format-count.ts';
import {
  createListOptions,
  gettingStartedLines,
  nothingRecordedLines,
  resolveProjectOption,
} from '../../choose-project.ts';
import type { CommandContext, CommandRun } from '../../command.ts';
import { EXIT } from '../../exit-codes.ts';
import { flagOption } from '../../options.ts';
import { relativeTime } from '../../output/format.ts';
import { avoidLines, practiceLines } from '../../output/memory-lines.ts';
import type { Output } from '../../output/output.ts';
import { sanitiseLine } from '../../output/sanitise.ts';
import { sessionLines } from '../../output/session-list.ts';
import { reportDiagnostics } from '../../report.ts';

const MAX_SESSIONS = 5;
const MAX_PATTERNS = 3;

/** `yore` and `yore status`. */
export const runStatus: CommandRun = async (context, _args, options) => {
  const { output } = context;
  const home = await context.openHome();
  const project = resolveProjectOption(home, options, context.cwd);
  const isJson = flagOption(options, 'json');
  if (!project) {
    if (isJson) output.json({ home: home.path, project: null });
    else output.lines(...nothingRecordedLines(home, context));
    return EXIT.ok;
  }
  const filter = { projects: [project.info.projectHash], isWork: true, limit: MAX_SESSIONS };
  const { sessions, warnings } = await output.withProgress('Indexing', (progress) =>
    home.listSessions(filter, progress),
  );
  const counts = home.status(project);
  const { memory } = project;
  const { knowledge } = memory.knowledge();
  const subAgents = memory.countWork() - memory.countWork({ isStarted: true });
  const { summary, antiPatterns, bestPractices } = knowledge;
  if (isJson) {
    const { projectHash, displayName, projectPath } = project.info;
    const { messages, failures, successes, bytesOnDisk } = counts;
    output.json({
      home: home.path,
      project: { id: projectHash, name: displayName, path: projectPath },
      recording: project.isRecording(),
      sessions: counts.sessions,
      withoutWork: counts.withoutWork,
      messages,
      failures,
      successes,
      bytesOnDisk,
      summary,
      antiPatterns,
      bestPractices,
      lastSessions: sessions,
      warnings,
    });
    return reportDiagnostics(warnings, output);
  }
  output.lines(...headLines(project, { ...counts, subAgents }, sessions[0]?.lastActivity, context));
  if (sessions.length + antiPatterns.length + bestPractices.length === 0) {
    output.lines('', 'Nothing is recorded here yet.', ...gettingStartedLines(home, output));
  } else {
    const listOptions = createListOptions(home, context);
    output.lines(
      ...knowledgeLines(knowledge, context),
      '',
      output.style.bold('Latest sessions'),
      ...sessionLines(sessions, listOptions),
      '',
      ...hintLines(output),
    );
  }
  return reportDiagnostics(warnings, output);
};

function headLines(
  project: Project,
  counts: HomeStatus & { readonly subAgents: number },
  lastActivity: string | undefined,
  { output, now }: CommandContext,
): string[] {
  const { style, symbols } = output;
  const join = (facts: readonly string[]): string => facts.join(style.dim(` ${symbols.separator} `));
  const title = [
    style.bold(sanitiseLine(project.info.displayName)),
    ...(lastActivity ? [style.dim(relativeTime(lastActivity, now()))] : []),
    ...(project.isRecording() ? [] : [style.yellow('recording is paused (to resume: yore resume)')]),
  ];
  const facts = [
    formatCount(counts.sessions, 'session') +
      (counts.subAgents === 0 ? '' : ` (${formatCount(counts.subAgents, 'sub-agent')})`),
    ...(counts.withoutWork === 0 ? [] : [`${counts.withoutWork} without work`]),
    formatCount(counts.messages, 'message'),
    style.green(`${symbols.success} ${formatCount(counts.successes, 'success', 'successes')}`),
    style.red(`${symbols.failure} ${formatCount(counts.failures, 'failure')}`),
  ];
  const briefing = formatBriefing(project, output);
  return [title, facts]
    .map(join)
    .concat(briefing === '' ? [] : briefing)
    .flatMap((line) => output.wrap(line));
}

/** The line that users see when an agent starts, in signs that the terminal can show. */
function formatBriefing(project: Project, { out, symbols }: Output): string {
  const { line } = project.memory.briefing();
  if (out.terminal.unicode) return line;
  return line
    .replace('📚 ', '')
    .replace('✅', symbols.success)
    .replace('⚠️', symbols.warning)
    .replaceAll('·', symbols.separator);
}

/** The patterns of highest confidence. */
function knowledgeLines({ antiPatterns, bestPractices }: Knowledge, { output, now }: CommandContext): string[] {
  const avoid = avoidLines(antiPatterns.slice(0, MAX_PATTERNS), output, now());
  const works = practiceLines(bestPractices.slice(0, MAX_PATTERNS), output);
  return [
    ...(avoid.length === 0 ? [] : ['', output.style.bold('Avoid'), ...avoid]),
    ...(works.length === 0 ? [] : ['', output.style.bold('Best practices'), ...works]),
  ];
}

function hintLines(output: Output): string[] {
  const hints = [
    'Show a session: yore show ID',
    'search: yore search QUERY',
    'what fails: yore failures',
    'all knowledge: yore knowledge',
  ];
  return output.wrapFacts(hints).map(output.style.dim);
}
