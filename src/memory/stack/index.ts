export { confirmFromTally, confirmStack } from './confirm-stack.ts';
export { detectStack } from './detect-stack.ts';
export { type ProjectFiles, projectFiles } from './project-files.ts';
export type { CommandFact, Fact, ProjectStack, StackEvidence } from './project-stack.ts';
export {
  EMPTY_TALLY,
  type StackTally,
  type TalliedFact,
  type TallyRow,
  tallyAttempt,
} from './stack-tally.ts';
