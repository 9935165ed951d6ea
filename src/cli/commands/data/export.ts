import { closeSync, fsyncSync, openSync, realpathSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { storageError } from '../../../files/index.ts';
import type { Home, Project } from '../../../project/index.ts';
import { type Attempt, type Diagnostic, type Message, NOTES_SESSION } from '../../../record/index.ts';
import { formatCount } from '../../../text/format-count.ts';
import { resolveProject } from '../../choose-project.ts';
import type { CommandContext, CommandRun, OptionValues } from '../../command.ts';
import { EXIT } from '../../exit-codes.ts';
import { textOption } from '../../options.ts';
import type { Output } from '../../output/output.ts';
import { sanitise, sanitiseLine, toJson } from '../../output/sanitise.ts';
import {
  attemptTitle,
  editWord,
  fileEdits,
  isMessage,
  type SessionEntry,
  type SessionHead,
  toSessionHead,
} from '../../output/session-text.ts';
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
  markdown: writeMarkdown,
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
  for (const { project, summary, records } of sessions) {
    const entries = records.map((record) => ({ type: isMessage(record) ? 'message' : 'attempt', ...record }));
    const session = { ...summary, projectName: project.info.displayName, entries };
    await target.write(`${separator}\n${toJson(session, 2)}`);
    separator = ',';
  }
  await target.write('\n]\n}\n');
}

async function writeMarkdown(target: Target, sessions: Iterable<ExportedSession>): Promise<void> {
  let separator = '';
  for (const { project, summary, records } of sessions) {
    await target.write(separator + sessionMarkdown(toSessionHead(summary, project.info), records));
    separator = '\n---\n\n';
  }
}

const OUTCOME_WORDS: Readonly<Record<Attempt['outcome'], string>> = {
  success: 'Worked',
  failure: 'Failed',
  rejected: 'Rejected by the user',
  denied: 'Denied',
  interrupted: 'Interrupted',
  cancelled: 'Cancelled',
  noMatch: 'No match',
  unclear: 'Unclear',
};

/** A session as Markdown. Times are in UTC, so that a session always gives the same text. */
export function sessionMarkdown(head: SessionHead, entries: readonly SessionEntry[]): string {
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['Session', `\`${sanitiseLine(head.sessionId)}\``],
    ['Project', sanitiseLine(head.project)],
    ['Agent', head.agent && sanitiseLine(head.agent)],
    ['Branch', head.branch && sanitiseLine(head.branch)],
    ['Started', head.timestamp],
  ];
  const list = facts.filter(([, value]) => value).map(([name, value]) => `- ${name}: ${value}`);
  const title = (sanitiseLine(head.title) || 'Session').replace(/[\\`*_[\]<>#]/g, '\\$&');
  const texts = entries.map((entry) => (isMessage(entry) ? messageMarkdown(entry) : attemptMarkdown(entry)));
  return `${[`# ${title}`, list.join('\n'), ...texts].join('\n\n')}\n`;
}

function messageMarkdown(message: Message): string {
  const role = message.kind === 'checkpoint' ? 'Summary' : message.role === 'user' ? 'User' : 'Assistant';
  const speaker = message.foreign ? `${role} of a foreign transcript` : role;
  const { files = [] } = message;
  const parts = [`## ${speaker} (${message.timestamp})`, sanitise(message.content).trim()];
  if (files.length > 0) parts.push(`Files: ${files.map((file) => codeSpan(sanitiseLine(file))).join(', ')}`);
  for (const edit of fileEdits(message)) {
    const word = editWord(edit);
    parts.push(`${word.charAt(0).toUpperCase()}${word.slice(1)}: ${codeSpan(sanitiseLine(edit.path))}`);
    if (edit.diff !== undefined) parts.push(codeBlock(sanitise(edit.diff), 'diff'));
  }
  return parts.filter((part) => part !== '').join('\n\n');
}

function attemptMarkdown(attempt: Attempt): string {
  const exit = attempt.exitCode ? ` (exit ${attempt.exitCode})` : '';
  const line = `**${OUTCOME_WORDS[attempt.outcome]}**${exit}: ${codeSpan(attemptTitle(attempt))}`;
  const detail = sanitise(attempt.error ?? attempt.description ?? attempt.result ?? '').trim();
  return detail === '' ? line : `${line}\n\n${codeBlock(detail)}`;
}

/** Code in backticks: more of them than any run inside it. */
function codeSpan(text: string): string {
  const fence = '`'.repeat(longestBacktickRun(text) + 1);
  return fence.length === 1 ? `\`${text}\`` : `${fence} ${text} ${fence}`;
}

function codeBlock(text: string, language = ''): string {
  const fence = '`'.repeat(Math.max(3, longestBacktickRun(text) + 1));
  return `${fence}${language}\n${text}\n${fence}`;
}

function longestBacktickRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
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
