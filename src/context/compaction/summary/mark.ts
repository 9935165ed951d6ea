/** Something that a part of a turn says, in the order in which it was written. */
export type Mark =
  /** A command; `spoken` when it is only quoted or proposed, so that what is said after it is not what it printed. */
  | { readonly type: 'command'; readonly text: string; readonly spoken?: boolean }
  /** A file was changed. */
  | { readonly type: 'edit'; readonly path: string }
  /** A file was looked at or spoken of. */
  | { readonly type: 'seen'; readonly path: string }
  /** How the command before it ended. */
  | { readonly type: 'verdict'; readonly failed: boolean }
  /** A line that something printed. */
  | { readonly type: 'output'; readonly line: string }
  /** A line that somebody wrote, or that may be either. */
  | { readonly type: 'prose'; readonly line: string };
