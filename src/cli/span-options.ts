import type { TimeSpan } from '../memory/index.ts';
import type { OptionValues } from './command.ts';
import { timeOption } from './option-values.ts';

/** The time that `--since` and `--until` leave, in days of the user's time zone. */
export function spanOption(options: OptionValues, now: number): TimeSpan {
  const since = timeOption(options, 'since', now);
  const until = timeOption(options, 'until', now);
  return {
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    ...(since === undefined ? {} : { since: Date.parse(since) }),
    // What is given is included, the end of a span is not.
    ...(until === undefined ? {} : { until: Date.parse(until) + 1 }),
  };
}
