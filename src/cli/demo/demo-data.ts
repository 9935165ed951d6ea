import { readFileSync } from 'node:fs';
import type { CallResult } from '../../facts/call/tool-call.ts';

/** A text, or its lines. */
export type Text = string | readonly string[];

/** When something happens: on a day before today at a UTC time, or minutes before now. */
export type When = { readonly daysAgo: number; readonly time: string } | { readonly minutesAgo: number };

/** A tool call, whatever its agent calls the tool. */
export type DemoCall =
  | {
      readonly run: string;
      readonly output?: Text;
      /** Default 0; any other means that the command failed. */
      readonly exitCode?: number;
      /** How it ended when there is no exit code, e.g. `denied`. */
      readonly status?: CallResult['status'];
      /** The guard is expected to warn; after a heeded warning the command is not run. */
      readonly warning?: 'heeded' | 'overridden';
    }
  | { readonly commit: string; readonly files: number }
  | { readonly read: string; readonly error?: Text }
  | { readonly write: string; readonly content: Text; readonly output?: Text }
  | { readonly edit: string; readonly old: Text; readonly new: Text; readonly error?: Text }
  | { readonly search: string; readonly path: string; readonly output: Text };

/** One step of a session. Images are file names in the demo's data folder. */
export type DemoStep =
  | { readonly user: Text; readonly images?: readonly string[] }
  | { readonly assistant: Text }
  | { readonly compaction: Text }
  | DemoCall;

/** A session of the demo. */
export type DemoSession = When & {
  readonly name: string;
  /** Default: a UUID derived from the name. */
  readonly id?: string;
  readonly agent: 'claude-code' | 'codex' | 'gemini' | 'copilot';
  readonly model?: string;
  readonly branch?: string;
  /** Name of the session whose agent started this one. */
  readonly parent?: string;
  readonly steps: readonly DemoStep[];
};

/** What the user does outside of sessions: notes something, or pins or dismisses a failure. */
export type DemoDecision = When &
  (
    | { readonly remember: string; readonly avoid?: boolean; readonly tags?: readonly string[] }
    | { readonly pin: string }
    | { readonly dismiss: string }
  );

/** The history of one project, and the files in its folder by path. */
export interface DemoProject {
  readonly files: Readonly<Record<string, Text>>;
  readonly sessions: readonly DemoSession[];
  readonly decisions: readonly DemoDecision[];
}

/** The story of `yore demo`: a first day, and what the agent tries again on the second. */
export interface DemoStory {
  readonly request: string;
  readonly failingCommand: string;
  readonly dayOne: DemoSession & { readonly id: string };
}

/** Reads a JSON file of the demo's data folder. */
export function readDemoData<T>(name: string): T {
  return JSON.parse(readFileSync(dataFile(name), 'utf8')) as T;
}

/** An image of the demo's data folder as a data URI. */
export function readDemoImage(name: string): string {
  return `data:image/png;base64,${readFileSync(dataFile(name)).toString('base64')}`;
}

/** A text as one string. */
export function toText(text: Text): string {
  return typeof text === 'string' ? text : text.join('\n');
}

/** The build copies the folder to `dist/demo`, which is at the same place seen from the bundle in `dist/cli`. */
function dataFile(name: string): URL {
  return new URL(`../demo/data/${name}`, import.meta.url);
}
