import { closeSync, fsyncSync, openSync, realpathSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { storageError } from '../../../files/index.ts';
import {
  exportHtml,
  exportJson,
  exportMarkdown,
  type Home,
  HTML_END,
  htmlStart,
  type Project,
} from '../../../project/index.ts';
import { type Diagnostic, NOTES_SESSION } from '../../../record/index.ts';
import { formatCount } from '../../../text/format-count.ts';
import { resolveProject } from '../../choose-project.ts';
import type { CommandContext, CommandRun, OptionValues } from '../../command.ts';
import { EXIT } from '../../exit-codes.ts';
import { textOption } from '../../options.ts';
import type { Output } from '../../output/output.ts';
import { toJson } from '../../output/sanitise.ts';
import { isMessage } from '../../output/session-text.ts';
import { reportDiagnostics } from '../../report.ts';

/** `yore export`. */
export const runExport: CommandRun = async (context, _args, options) => {
  const { output } = context;
  const home = await context.openHome();
  const chosen = chooseSessions(home, context, options);
  const file = textOption(options, 'output');
  const target = openTarget(file, output);
  const warnings = new Map<string, Diagnostic>();
  let readCount = 0;
  try {
    const write = WRITERS[textOption(options, 'format') ?? 'jsonl'] ?? writeJsonLines;
    await output.withProgress('Exporting', async (progress) => {
      const sessions = readSessions(chosen, (view) => {
        readCount++;
        progress(readCount, chosen.length);
        for (const warning of view.warnings) warnings.set(warning.message, warning);
      });
      await write(target, sessions);
    });
    target.commit();
  } catch (error) {
    target.discard();
    throw error;
  }
  const sessionCount = chosen.filter(({ isNotes }) => isNotes !== true).length;
  if (file !== undefined) output.notice(`Exported ${formatCount(sessionCount, 'session')} to ${file}.`);
  return reportDiagnostics([...warnings.values()], output);
};

interface ChosenSession {
  readonly project: Project;
  readonly sessionId: string;
  readonly isNotes?: boolean;
}

function chooseSessions(home: Home, { cwd }: CommandContext, options: OptionValues): readonly ChosenSession[] {
  const session = textOption(options, 'session');
  if (session !== undefined) return [home.findSession(session)];
  const name = textOption(options, 'project');
  const projects =
    name === undefined
      ? home.projects().map(({ projectHash }) => home.findProjectByName(projectHash))
      : [resolveProject(home, name, cwd)];
  return projects.flatMap((project) => [
    ...chooseNotes(project),
    ...project.history
      .listSessions()
      .map(({ sessionId }) => ({ project, sessionId }))
      .reverse(),
  ]);
}

/** Notes made outside of sessions are no session, but belong to an export. */
function chooseNotes(project: Project): readonly ChosenSession[] {
  const { messages, attempts } = project.history.getSessionRecords(NOTES_SESSION);
  if (attempts.length === 0 || messages.length > 0) return [];
  return [{ project, sessionId: NOTES_SESSION, isNotes: true }];
}

type SessionView = ReturnType<Project['session']>;

interface ExportedSession extends SessionView {
  readonly project: Project;
}

/** Reads one session at a time, so that a large history need not fit into memory. */
function* readSessions(
  chosen: readonly ChosenSession[],
  onRead: (view: SessionView) => void,
): Generator<ExportedSession> {
  for (const { project, sessionId } of chosen) {
    const view = project.session(sessionId);
    onRead(view);
    yield { ...view, project };
  }
}

type Writer = (target: Target, sessions: Iterable<ExportedSession>) => Promise<void>;

const WRITERS: Readonly<Record<string, Writer>> = {
  jsonl: writeJsonLines,
  json: writeJson,
  md: writeMarkdown,
  markdown: writeMarkdown,
  html: writeHtml,
};

async function writeJsonLines(target: Target, sessions: Iterable<ExportedSession>): Promise<void> {
  for (const { project, records } of sessions) {
    const lines = records.map((record) =>
      toJson({ type: isMessage(record) ? 'message' : 'attempt', project: project.info.projectHash, ...record }),
    );
    await target.write(`${lines.join('\n')}\n`);
  }
}

async function writeJson(target: Target, sessions: Iterable<ExportedSession>): Promise<void> {
  let separator = '';
  await target.write('{\n"sessions": [');
  for (const { project, ...view } of sessions) {
    await target.write(`${separator}\n${toJson(exportJson(project, view), 2)}`);
    separator = ',';
  }
  await target.write('\n]\n}\n');
}

async function writeMarkdown(target: Target, sessions: Iterable<ExportedSession>): Promise<void> {
  let separator = '';
  for (const { project, ...view } of sessions) {
    await target.write(separator + exportMarkdown(project, view));
    separator = '\n---\n\n';
  }
}

async function writeHtml(target: Target, sessions: Iterable<ExportedSession>): Promise<void> {
  await target.write(htmlStart('Sessions'));
  for (const { project, ...view } of sessions) await target.write(exportHtml(project, view));
  await target.write(HTML_END);
}

/** Where an export goes: standard output, or a file that appears once it is complete. */
interface Target {
  readonly write: (text: string) => Promise<void>;
  /** Moves the finished file into place. */
  readonly commit: () => void;
  /** Deletes an unfinished file; does nothing after `commit`. */
  readonly discard: () => void;
}

/** Opens a file (0600, because it holds history), or standard output if none is given. */
function openTarget(file: string | undefined, output: Output): Target {
  if (file === undefined) {
    return { write: (text) => output.write(text), commit: () => undefined, discard: () => undefined };
  }
  const { path, isReplaceable } = tryWrite(file, () => resolveTarget(file));
  const temporary = isReplaceable ? `${path}.${process.pid}.tmp` : undefined;
  const descriptor = tryWrite(file, () => openSync(temporary ?? path, temporary ? 'wx' : 'w', 0o600));
  let isOpen = true;
  const close = (): void => {
    process.off('SIGINT', onInterrupt);
    if (isOpen) closeSync(descriptor);
    isOpen = false;
  };
  const discard = (): void => {
    close();
    if (temporary) rmSync(temporary, { force: true });
  };
  const onInterrupt = (): void => {
    discard();
    process.exit(EXIT.interrupted);
  };
  process.once('SIGINT', onInterrupt);
  return {
    write: async (text) => {
      const bytes = Buffer.from(text);
      let written = 0;
      while (written < bytes.length) written += tryWrite(file, () => writeSync(descriptor, bytes, written));
      // Lets Ctrl-C be handled between two sessions.
      await new Promise(setImmediate);
    },
    commit: () => {
      if (temporary) tryWrite(file, () => fsyncSync(descriptor));
      close();
      if (temporary) tryWrite(file, () => renameSync(temporary, path));
    },
    discard,
  };
}

/** Links are followed; devices and pipes are written to, not replaced. */
function resolveTarget(file: string): { readonly path: string; readonly isReplaceable: boolean } {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats) return { path: file, isReplaceable: true };
  return { path: realpathSync(file), isReplaceable: stats.isFile() };
}

function tryWrite<T>(file: string, action: () => T): T {
  try {
    return action();
  } catch (cause) {
    throw storageError('write', file, cause);
  }
}
