import type { FailureWarning, ToolCall } from '../memory/index.ts';
import type { Recorder } from '../project/index.ts';
import { newMessageId } from '../record/index.ts';
import { type CommandResult, type RunOptions, runCommand } from './run-command.ts';
import { CHAT_AGENT } from './session-log.ts';

/** What {@link ChatCommands} needs from the chat. */
export interface ChatCommandsOptions {
  readonly recorder: Recorder;
  /** The folder commands run in. */
  readonly root: string;
  readonly env: RunOptions['env'];
  readonly now: () => number;
  /** The session that a command belongs to. */
  readonly sessionId: () => string;
}

/** What of an output is told to the model with the next question. */
const TOLD = 4000;

/** Runs the commands that a reply suggests: guarded, recorded, and told to the model with the next question. */
export class ChatCommands {
  readonly #options: ChatCommandsOptions;
  #untold: string[] = [];

  constructor(options: ChatCommandsOptions) {
    this.#options = options;
  }

  /**
   * Takes in what the user says, before it is written to the history: what they ask is what the next commands serve, and
   * "that worked" or "try again" counts for what was run before.
   */
  hear(text: string): void {
    const { recorder, now, sessionId } = this.#options;
    const timestamp = new Date(now()).toISOString();
    recorder.followPrompt({ sessionId: sessionId(), text, timestamp, agent: CHAT_AGENT });
  }

  /** What the guard has to say before a command is run; nothing when it was said before. The warning is recorded. */
  warn(command: string): FailureWarning | undefined {
    return this.#options.recorder.warn(this.#call(command))?.warning;
  }

  /** Runs a command and records how it ended. The user has said yes to it. */
  async run(command: string, options: Pick<RunOptions, 'onOutput' | 'signal'> = {}): Promise<CommandResult> {
    const { root, env, recorder } = this.#options;
    const call = this.#call(command);
    const result = await runCommand(command, { cwd: root, env, ...options });
    recorder.record(call, result);
    this.#untold.push(account(command, result));
    return result;
  }

  /** What was run since the model was last told, in its order and in words for the model. */
  accounts(): readonly string[] {
    return [...this.#untold];
  }

  /** Notes that the model was told the first `count` accounts. */
  forgetAccounts(count: number): void {
    this.#untold = this.#untold.slice(count);
  }

  close(): void {
    this.#options.recorder.close();
  }

  #call(command: string): ToolCall {
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

function account(command: string, { output, exitCode, status }: CommandResult): string {
  const ended = status === 'interrupted' ? 'stopped by the user' : `exit code ${exitCode ?? 'unknown'}`;
  const text = output.trim();
  const told = text.length > TOLD ? `${text.slice(0, TOLD / 2)}\n…\n${text.slice(-TOLD / 2)}` : text;
  return `I ran \`${command}\`: ${ended}.${told === '' ? '' : `\nIt printed:\n${told}`}`;
}
