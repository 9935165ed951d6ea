import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type HookEnvironment, handleHook } from '../../src/hook/handle-hook.ts';

/** A session of Claude Code that speaks to the hook inside this process, at a time of the test's choice. */
export class ClaudeSession {
  readonly home: string;
  readonly cwd: string;
  now: number;
  readonly #folder: string;
  readonly #id: string;
  #calls = 0;

  constructor(folder: string, id: string, now: number) {
    this.#folder = folder;
    this.#id = id;
    this.now = now;
    this.home = join(folder, 'home');
    this.cwd = join(folder, 'shop');
    mkdirSync(this.cwd, { recursive: true });
  }

  machine(): HookEnvironment {
    return {
      home: this.home,
      env: { PATH: '' },
      userHome: this.#folder,
      now: () => this.now,
      elapsed: () => 0,
    };
  }

  /** The reply to an event of that name. */
  async fire(name: string, fields: object = {}): Promise<Answer> {
    const payload = JSON.stringify({
      session_id: this.#id,
      transcript_path: join(this.#folder, `${this.#id}.jsonl`),
      cwd: this.cwd,
      hook_event_name: name,
      ...fields,
    });
    this.now += 1_000;
    const text = await handleHook({ agent: 'claude-code', payload }, this.machine());
    return text === '' ? {} : JSON.parse(text);
  }

  /** A command: what was said before it and after it, the second only if it was not denied. */
  async run(command: string, result: { readonly error: string } | { readonly stdout: string }): Promise<Ran> {
    const id = `${this.#id}-${this.#calls++}`;
    const call = { tool_name: 'Bash', tool_input: { command }, tool_use_id: id };
    const before = (await this.fire('PreToolUse', call)).hookSpecificOutput ?? {};
    if (before.permissionDecision === 'deny') return { denied: before.permissionDecisionReason ?? '' };
    const after =
      'error' in result
        ? await this.fire('PostToolUseFailure', { ...call, error: result.error })
        : await this.fire('PostToolUse', { ...call, tool_response: { ...result, stderr: '' } });
    return {
      ...(before.permissionDecision === 'ask' ? { asked: before.permissionDecisionReason ?? '' } : {}),
      ...(before.additionalContext === undefined ? {} : { noted: before.additionalContext }),
      ...(after.hookSpecificOutput?.additionalContext === undefined
        ? {}
        : { after: after.hookSpecificOutput.additionalContext }),
    };
  }
}

export interface Answer {
  readonly systemMessage?: string;
  readonly hookSpecificOutput?: {
    readonly hookEventName?: string;
    readonly additionalContext?: string;
    readonly permissionDecision?: string;
    readonly permissionDecisionReason?: string;
  };
}

export interface Ran {
  readonly denied?: string;
  readonly asked?: string;
  readonly noted?: string;
  readonly after?: string;
}
