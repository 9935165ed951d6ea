export { confirmFromTally, confirmStack } from './confirm-stack.ts';
export { detectStack } from './detect-stack.ts';
export { type ProjectFiles, projectFiles } from './project-files.ts';
export type { ProjectStack } from './project-stack.ts';
export {
  EMPTY_TALLY,
  type StackTally,
  tallyAttempt,
} from './stack-tally.ts';
