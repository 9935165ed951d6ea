export { removeDigests } from './book/head-file.ts';
export { type BookUpdate, DigestStore } from './digest-book.ts';
export type {
  DigestCommit,
  DigestRequest,
  DigestStep,
  SessionDigest,
  SessionFailure,
} from './session-digest.ts';
