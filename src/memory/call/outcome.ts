import type { Outcome } from '../../record/index.ts';
import type { CallAnalysis } from './analyse-call.ts';
import type { KeptResult } from './kept-result.ts';

/** Recognises what is not a failure: rejected, interrupted, cancelled, denied, a search with no match. */
export function outcomeOf(call: CallAnalysis, { ending, looksFailed, isSilent }: KeptResult): Outcome {
  switch (ending) {
    case 'ok':
      return call.hidesExit && looksFailed === true ? 'unclear' : 'success';
    case 'failed':
      // `grep` and its kin say with exit code 1 that they found nothing.
      return isSilent === true && call.parts.at(-1)?.action === 'search' ? 'noMatch' : 'failure';
    default:
      return ending;
  }
}
