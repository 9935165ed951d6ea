/** A project as its `index.json` describes it. The only record that contains its real path. */
export interface ProjectInfo {
  readonly v: number;
  readonly projectPath: string;
  /** First 8 (or more, after a collision) hexadecimal characters of SHA-256 of `identity`. */
  readonly projectHash: string;
  /** What the project is recognised by: root commit and remote, git directory, or real path. */
  readonly identity: string;
  readonly displayName: string;
  readonly firstSeen: string;
  readonly lastActiveAt: string;
  /** Incremented whenever closed log segments are rewritten, which invalidates snapshots. */
  readonly generation: number;
  /** Number of sessions when it was last updated. */
  readonly sessionCount?: number;
  readonly techStack?: TechStack;
  readonly patterns?: ProjectCommands;
}

/** Languages, frameworks and tools of a project. */
export interface TechStack {
  readonly languages: readonly string[];
  readonly frameworks: readonly string[];
  readonly tools: readonly string[];
}

/** Commands of a project, as detected. */
export interface ProjectCommands {
  readonly testCommand?: string;
  readonly buildCommand?: string;
  readonly packageManager?: string;
}
