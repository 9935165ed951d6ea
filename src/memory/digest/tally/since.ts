/** Steps that checks come before. */
export const GOALS = ['commit', 'push'] as const;
/** Checks that come before them. */
export const CHECKS = ['test', 'lint', 'build', 'format'] as const;

/** A step that checks come before. */
export type Goal = (typeof GOALS)[number];
/** A check. */
export type Check = (typeof CHECKS)[number];

/** What happened in a session since it last reached a goal: the command of each check, and whether there was work. */
export type Since = Record<Goal, Partial<Record<Check | 'work', string>>>;
