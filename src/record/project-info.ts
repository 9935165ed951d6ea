/** `index.json`: what is known of a project. The only record that keeps its real path. */
export interface ProjectInfo {
  readonly v: number;
  readonly projectPath: string;
  /** First 8 (or more, after a collision) hexadecimal characters of SHA-256 of `identity`. */
  readonly projectHash: string;
  /** What makes the project itself: root commit and remote, git folder, or real path. */
  readonly identity: string;
  readonly displayName: string;
  readonly firstSeen: string;
  readonly lastActiveAt: string;
  /** Raised whenever closed log segments were rewritten; derived files compare it. */
  readonly generation: number;
  /** Sessions that were recorded, when knowledge was last synthesised. */
  readonly sessionCount?: number;
  readonly techStack?: TechStack;
  readonly patterns?: ProjectCommands;
}

/** What a project is made with. */
export interface TechStack {
  readonly languages: readonly string[];
  readonly frameworks: readonly string[];
  readonly tools: readonly string[];
}

/** How a project is worked on. */
export interface ProjectCommands {
  readonly testCommand?: string;
  readonly buildCommand?: string;
  readonly packageManager?: string;
}
