import type { AgentName } from './agent-name.ts';
import type { HookEvent, HookProtocol, HookSession } from './hook-protocol.ts';
import type { AgentInstallation } from './installation.ts';
import type { AgentTranscripts } from './transcript/transcript.ts';

/**
 * A coding agent that yore knows. The descriptor itself is small data: everything that takes time to load is behind a
 * function, so that a hook can look up its agent among all of them.
 */
export interface AgentDescriptor {
  readonly name: AgentName;
  /** The name as people write it. */
  readonly title: string;
  /** Where its history is, as shown to people, e.g. `~/.claude/projects`. */
  readonly historyPath: string;
  /** Set when its history holds prompts only, without the folder they were typed in. */
  readonly hasPromptsOnly?: true;
  /** Set when one transcript holds the sessions of all projects. */
  readonly hasSharedTranscript?: true;
  /** Set when it keeps its transcripts in the folders of projects, where they may have come with a checkout. */
  readonly keepsTranscriptsInProjects?: true;
  /** The command that resumes a session in the folder of its project, before the id. Left out when it has none. */
  readonly resumeCommand?: string;
  /** Left out when it has no hooks that yore can use. */
  readonly hooks?: AgentHooks;
  readonly loadTranscripts: () => Promise<AgentTranscripts>;
  /** Left out when `yore init` does not look for it. */
  readonly loadInstallation?: () => Promise<AgentInstallation>;
}

/** How an agent reports events to yore while it works. */
export interface AgentHooks {
  readonly loadProtocol: () => Promise<HookProtocol>;
  /** Whether a hook can read its transcripts: not in a format without results. */
  readonly canReadTranscripts: boolean;
  /** Set when it may report the same event twice, through two settings files. */
  readonly mayRepeatEvents?: true;
  /**
   * For an agent whose transcripts lag behind its events, even after the last one of a session: whether the end of a
   * transcript shows that an event has begun, so that everything before the event is in it.
   */
  readonly hasReached?: (transcriptEnd: string, event: HookEvent['type']) => boolean;
  /** Where the transcript of a session is, for an agent whose events do not say so. */
  readonly findTranscript?: (
    session: HookSession,
    machine: {
      readonly userHome: string;
      readonly env: Readonly<Record<string, string | undefined>>;
    },
  ) => string | undefined;
}
