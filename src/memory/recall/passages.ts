import type { SessionDigest } from '../digest/session-digest.ts';
import { addTags, addTerms, type Terms } from './terms.ts';

/** How well each part of a digest says what was done. What is only named in passing counts less. */
const STRENGTH = { decision: 1, request: 1, step: 0.8, branch: 0.8, file: 0.6, failure: 0.6 } as const;

/**
 * What a session can be found by: one passage for each request with what served it, in their order, and at the
 * end one for the session as a whole (commits, files, failures).
 */
export function passagesOf(digest: SessionDigest): readonly Terms[] {
  const passages = digest.requests.map((request) => {
    const terms: Terms = new Map();
    addTerms(terms, request.text, STRENGTH.request);
    addTags(terms, request.tags, STRENGTH.step);
    if (request.decision !== undefined) addTerms(terms, request.decision, STRENGTH.decision);
    for (const step of request.steps) {
      const isCommit = step.kind === 'commit';
      addTerms(terms, step.text, isCommit ? STRENGTH.decision : STRENGTH.step, isCommit);
    }
    return terms;
  });
  const whole: Terms = new Map();
  if (digest.branch !== undefined) addTerms(whole, digest.branch, STRENGTH.branch);
  for (const commit of digest.commits) addTerms(whole, commit.message, STRENGTH.decision);
  for (const file of digest.files) addTerms(whole, file, STRENGTH.file, false);
  for (const failure of digest.failures) {
    addTerms(whole, failure.what, STRENGTH.failure, false);
    if (failure.resolution !== undefined) addTerms(whole, failure.resolution, STRENGTH.failure, false);
  }
  return [...passages, whole];
}
