import { YoreError } from '../record/index.ts';

/** What went wrong with a reply; what is no error of ours becomes MODEL. */
export function replyError(thrown: unknown): YoreError {
  if (thrown instanceof YoreError) return thrown;
  const detail = thrown instanceof Error ? thrown.message : String(thrown);
  return new YoreError('MODEL', `The reply failed: ${detail}`, { cause: thrown });
}
