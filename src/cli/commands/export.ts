import type { Home, Project } from '../../project/index.ts';
import { NOTES_SESSION, type Warning } from '../../record/index.ts';
import { chooseProject } from '../choose-project.ts';
import type { CommandContext, OptionValues } from '../command.ts';
import { textOption } from '../option-values.ts';
import { toJson } from '../output/json.ts';
import { sessionMarkdown } from '../output/markdown.ts';
import { countOf } from '../output/quantity.ts';
import { isMessage } from '../output/session-text.ts';
import { reportWarnings } from '../report-warnings.ts';
import { sessionHead } from '../session-head.ts';
import { openTarget, type Target } from '../write-target.ts';

type View = ReturnType<Project['session']>;

interface Chosen {
  readonly project: Project;
  readonly sessionId: string;
  readonly isNotes?: boolean;
}

/** `yore export`. */
export async function runExport(
  context: CommandContext,
  _args: readonly string[],
  options: OptionValues,
): Promise<number> {
  const { output } = context;
  const home = await context.openHome();
  const chosen = chooseSessions(home, context, options);
  const file = textOption(options, 'output');
  const target = openTarget(file, output);
  const warnings = new Map<string, Warning>();
  let read = 0;
  try {
    const write = WRITERS[textOption(options, 'format') ?? 'jsonl'] ?? writeJsonLines;
    await output.withProgress('Exporting', async (progress) => {
      await write(
        target,
        readAll(chosen, (view) => {
          read++;
          progress(read, chosen.length);
          for (const warning of view.warnings) warnings.set(warning.message, warning);
        }),
      );
    });
    target.commit();
  } catch (error) {
    target.discard();
    throw error;
  }
  const sessions = chosen.filter(({ isNotes }) => isNotes !== true).length;
  if (file !== undefined) output.notice(`Wrote ${countOf(sessions, 'session')} to ${file}.`);
  return reportWarnings([...warnings.values()], output);
}

function chooseSessions(home: Home, context: CommandContext, options: OptionValues): readonly Chosen[] {
  const session = textOption(options, 'session');
  if (session !== undefined) return [home.findSession(session)];
  const name = textOption(options, 'project');
  const projects =
    name === undefined
      ? home.projects().map(({ projectHash }) => home.projectNamed(projectHash))
      : [chooseProject(home, name, context.cwd)];
  return projects.flatMap((project) => [
    ...notesOf(project),
    ...project.history
      .listSessions()
      .map(({ sessionId }) => ({ project, sessionId }))
      .reverse(),
  ]);
}

/** What was noted outside of sessions is no session, but belongs to what is exported. */
function notesOf(project: Project): readonly Chosen[] {
  const { messages, attempts } = project.history.getSessionRecords(NOTES_SESSION);
  if (attempts.length === 0 || messages.length > 0) return [];
  return [{ project, sessionId: NOTES_SESSION, isNotes: true }];
}

interface Exported extends View {
  readonly project: Project;
}

/** One session at a time, so that a large history does not have to fit into memory. */
function* readAll(chosen: readonly Chosen[], onRead: (view: View) => void): Generator<Exported> {
  for (const { project, sessionId } of chosen) {
    const view = project.session(sessionId);
    onRead(view);
    yield { ...view, project };
  }
}

type Writer = (target: Target, sessions: Iterable<Exported>) => Promise<void>;

const WRITERS: Readonly<Record<string, Writer>> = {
  jsonl: writeJsonLines,
  json: writeJson,
  markdown: writeMarkdown,
};

async function writeJsonLines(target: Target, sessions: Iterable<Exported>): Promise<void> {
  for (const { project, entries } of sessions) {
    const lines = entries.map((entry) =>
      toJson({ type: isMessage(entry) ? 'message' : 'attempt', project: project.info.projectHash, ...entry }),
    );
    await target.write(`${lines.join('\n')}\n`);
  }
}

async function writeJson(target: Target, sessions: Iterable<Exported>): Promise<void> {
  let separator = '';
  await target.write('{\n"sessions": [');
  for (const { project, summary, entries } of sessions) {
    const records = entries.map((entry) => ({ type: isMessage(entry) ? 'message' : 'attempt', ...entry }));
    const session = { ...summary, projectName: project.info.displayName, entries: records };
    await target.write(`${separator}\n${toJson(session, 2)}`);
    separator = ',';
  }
  await target.write('\n]\n}\n');
}

async function writeMarkdown(target: Target, sessions: Iterable<Exported>): Promise<void> {
  let separator = '';
  for (const { project, summary, entries } of sessions) {
    await target.write(separator + sessionMarkdown(sessionHead(summary, project.info), entries));
    separator = '\n---\n\n';
  }
}
