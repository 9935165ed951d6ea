export { removeDigests } from './book/head-file.ts';
export { type BookUpdate, DigestBook } from './digest-book.ts';
export type {
  DigestCommit,
  DigestFailure,
  DigestRequest,
  DigestStep,
  SessionDigest,
} from './session-digest.ts';
