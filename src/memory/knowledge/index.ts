export {
  type AntiPattern,
  type BestPractice,
  type KnowledgeFile,
  readKnowledge,
} from './knowledge-file.ts';
export { knowledgeOf } from './knowledge-of.ts';
export { type Synthesis, synthesise } from './synthesise.ts';
