export {
  type AntiPattern,
  type BestPractice,
  type Conventions,
  type KnowledgeFile,
  type RecurringTask,
  readKnowledge,
  type WorkflowStep,
} from './knowledge-file.ts';
export { type KnowledgeInput, knowledgeOf } from './knowledge-of.ts';
export { type Synthesis, type SynthesisOptions, synthesise } from './synthesise.ts';
