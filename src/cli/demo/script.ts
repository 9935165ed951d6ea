import type { CallResult } from '../../memory/index.ts';

/** The agents of the demo's history. */
export type DemoAgent = 'claude-code' | 'codex' | 'gemini' | 'copilot';

/** When something happens: on a day before today, at a time of the day (UTC), or minutes before now. */
export type When = { readonly daysAgo: number; readonly time: string } | { readonly minutesAgo: number };

/** What an agent does, whatever it calls the tool. */
export type Deed =
  | { readonly does: 'run'; readonly command: string }
  | { readonly does: 'read'; readonly path: string }
  | { readonly does: 'write'; readonly path: string; readonly content: string }
  | { readonly does: 'edit'; readonly path: string; readonly from: string; readonly to: string }
  | { readonly does: 'search'; readonly pattern: string; readonly path: string };

/** A step of a session. */
export type Step =
  | { readonly type: 'asks'; readonly text: string; readonly images: readonly string[] }
  | { readonly type: 'says'; readonly text: string }
  | { readonly type: 'calls'; readonly deed: Deed; readonly result: CallResult; readonly isWarned: boolean }
  /** The guard warns, and the agent leaves it at that. */
  | { readonly type: 'heeds'; readonly deed: Deed }
  | { readonly type: 'compacts'; readonly summary: string };

/** A session, as it is played. */
export interface DemoSession {
  readonly type: 'session';
  /** Tells it from the others; its id is made from it. */
  readonly name: string;
  readonly when: When;
  readonly agent: DemoAgent;
  readonly model?: string;
  readonly branch?: string;
  /** Name of the session whose agent started this one. */
  readonly parent?: string;
  readonly steps: readonly Step[];
}

/** What the person does beside the sessions: notes something, or decides about a failure. */
export type DemoDecision =
  | {
      readonly type: 'remembers';
      readonly when: When;
      readonly text: string;
      readonly avoid: boolean;
      readonly tags: readonly string[];
    }
  | { readonly type: 'pin' | 'dismiss'; readonly when: When; readonly what: string };

/** Anything that happens in a project of the demo. */
export type Moment = DemoSession | DemoDecision;

/** On a day before today. */
export function day(daysAgo: number, time: string): When {
  return { daysAgo, time };
}

/** A short while ago. */
export function ago(minutesAgo: number): When {
  return { minutesAgo };
}

/** A session. */
export function session(head: Omit<DemoSession, 'type' | 'steps'>, ...steps: readonly Step[]): DemoSession {
  return { type: 'session', ...head, steps };
}

/** The person asks for something; `images` are data URIs. */
export function asks(text: string, ...images: readonly string[]): Step {
  return { type: 'asks', text, images };
}

/** The agent answers. */
export function says(text: string): Step {
  return { type: 'says', text: text.trim() };
}

/** A command that works. */
export function runs(command: string, output = ''): Step {
  return done({ does: 'run', command }, { status: 'ok', exitCode: 0, output });
}

/** A command that fails. */
export function fails(command: string, output: string, exitCode = 1): Step {
  return done({ does: 'run', command }, { status: 'error', exitCode, output });
}

/** A command that ends in another way than well or badly, or whose end nobody sees. */
export function ends(command: string, status: CallResult['status'], output: string, exitCode?: number): Step {
  return done({ does: 'run', command }, { status, output, ...(exitCode === undefined ? {} : { exitCode }) });
}

/** A file is read; with `error`, it is not. */
export function reads(path: string, error?: string): Step {
  const result: CallResult =
    error === undefined ? { status: 'ok', output: `(${path})` } : { status: 'error', output: error };
  return done({ does: 'read', path }, result);
}

/** A file is made. */
export function writes(path: string, content: string): Step {
  const lines = content.split('\n').length;
  return done({ does: 'write', path, content }, { status: 'ok', output: `Wrote ${lines} lines to ${path}` });
}

/** A piece of a file is replaced; with `error`, it is not. */
export function edits(path: string, from: string, to: string, error?: string): Step {
  const result: CallResult =
    error === undefined ? { status: 'ok', output: `Edited ${path}` } : { status: 'error', output: error };
  return done({ does: 'edit', path, from, to }, result);
}

/** Files are searched. */
export function searches(pattern: string, path: string, found: string): Step {
  return done({ does: 'search', pattern, path }, { status: 'ok', output: found });
}

/** What was done is committed. */
export function commits(message: string, branch: string, files = 3): Step {
  const hash = (message.length * 2_654_435_761).toString(16).slice(0, 7).padStart(7, 'a');
  const output = `[${branch} ${hash}] ${message}\n ${files} files changed, ${files * 17} insertions(+), ${files * 5} deletions(-)`;
  return runs(`git commit -am ${JSON.stringify(message)}`, output);
}

/** A command that the guard warns about, and that is not run then. */
export function heeds(command: string): Step {
  return { type: 'heeds', deed: { does: 'run', command } };
}

/** A command that the guard warns about, and that is run nevertheless. */
export function insists(command: string, result: CallResult): Step {
  return { type: 'calls', deed: { does: 'run', command }, result, isWarned: true };
}

/** What was said so far is replaced by a summary. */
export function compacts(summary: string): Step {
  return { type: 'compacts', summary: summary.trim() };
}

/** The person notes something by hand. */
export function remembers(
  when: When,
  text: string,
  options: { readonly avoid?: boolean; readonly tags?: readonly string[] } = {},
): DemoDecision {
  return { type: 'remembers', when, text, avoid: options.avoid === true, tags: options.tags ?? [] };
}

/** The person keeps a failure past its time. */
export function pins(when: When, what: string): DemoDecision {
  return { type: 'pin', when, what };
}

/** The person does not want to hear of a failure again. */
export function dismisses(when: When, what: string): DemoDecision {
  return { type: 'dismiss', when, what };
}

function done(deed: Deed, result: CallResult): Step {
  return { type: 'calls', deed, result, isWarned: false };
}
