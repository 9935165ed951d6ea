import type { FailureWarning } from '../ask/guard/warning.ts';
import type { ToolCall } from '../facts/call/tool-call.ts';
import type { Recorder } from '../project/index.ts';
import { CHAT_AGENT, newMessageId } from '../record/index.ts';
import { type CommandResult, type RunOptions, runCommand } from './run-command.ts';

interface ChatCommandsOptions {
  readonly recorder: Recorder;
  /** The folder in which commands run. */
  readonly root: string;
  readonly env: RunOptions['env'];
  readonly now: () => number;
  /** The id of the session that a command belongs to. */
  readonly sessionId: () => string;
}

/** How much of an output is reported to the model. */
const MAX_REPORTED_OUTPUT = 4000;

/** Runs the commands that a reply suggests: checked by the guard, recorded, and reported to the model with the next question. */
export class ChatCommands {
  readonly #options: ChatCommandsOptions;
  #reports: string[] = [];

  constructor(options: ChatCommandsOptions) {
    this.#options = options;
  }

  /**
   * Tells the recorder what the user says, before it is written to the history: a request is the context of the commands
   * that follow, and "that worked" or "try again" is feedback on the commands before it.
   */
  followPrompt(text: string): void {
    const { recorder, now, sessionId } = this.#options;
    const timestamp = new Date(now()).toISOString();
    recorder.notePrompt({ sessionId: sessionId(), text, timestamp, agent: CHAT_AGENT });
  }

  /** The guard's warning before a command runs; undefined if there is none or it was given before. It is recorded. */
  warn(command: string): FailureWarning | undefined {
    return this.#options.recorder.warn(this.#toCall(command))?.warning;
  }

  /** Runs a command that the user has confirmed, and records its outcome. */
  async run(command: string, options: Pick<RunOptions, 'onOutput' | 'signal'> = {}): Promise<CommandResult> {
    const { root, env, recorder } = this.#options;
    const call = this.#toCall(command);
    const result = await runCommand(command, { cwd: root, env, ...options });
    recorder.record(call, result);
    this.#reports.push(formatReport(command, result));
    return result;
  }

  /** Reports on the commands that the model does not know about yet, in order. */
  pendingReports(): readonly string[] {
    return [...this.#reports];
  }

  /** Drops the first `count` reports, after the model was sent them. */
  forgetReports(count: number): void {
    this.#reports = this.#reports.slice(count);
  }

  #toCall(command: string): ToolCall {
    const { root, now, sessionId } = this.#options;
    const at = now();
    return {
      sessionId: sessionId(),
      callId: newMessageId(at),
      agent: CHAT_AGENT,
      tool: 'Bash',
      input: { command },
      timestamp: new Date(at).toISOString(),
      cwd: root,
      root,
    };
  }
}

function formatReport(command: string, { output, exitCode, status }: CommandResult): string {
  const outcome = status === 'interrupted' ? 'stopped by the user' : `exit code ${exitCode ?? 'unknown'}`;
  const text = output.trim();
  const half = MAX_REPORTED_OUTPUT / 2;
  const shown = text.length > MAX_REPORTED_OUTPUT ? `${text.slice(0, half)}\n…\n${text.slice(-half)}` : text;
  return `I ran \`${command}\`: ${outcome}.${shown === '' ? '' : `\nIt printed:\n${shown}`}`;
}
