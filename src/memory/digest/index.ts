export { removeDigests } from './book/head-file.ts';
export { type BookUpdate, DigestBook } from './digest-book.ts';
export { oneLine } from './one-line.ts';
export type {
  DigestCommit,
  DigestFailure,
  DigestRequest,
  DigestStep,
  SessionDigest,
} from './session-digest.ts';
