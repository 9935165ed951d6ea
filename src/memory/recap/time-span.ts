/** Which part of the history is wanted, and whose days they are. */
export interface TimeSpan {
  /** Epoch milliseconds, included. Default: from the beginning. */
  readonly since?: number;
  /** Epoch milliseconds, not included. Default: to the end. */
  readonly until?: number;
  /** IANA name of the time zone whose days are meant, e.g. `Europe/Berlin`. Default `UTC`. */
  readonly timeZone?: string;
}

/** Whether a time as records hold it is in the span. */
export function isWithin(timestamp: string, { since, until }: TimeSpan): boolean {
  const time = Date.parse(timestamp);
  if (Number.isNaN(time)) return false;
  return (since === undefined || time >= since) && (until === undefined || time < until);
}

/** A function from a time to its day (`2025-11-18`) in the time zone; an unknown zone counts as UTC. */
export function dayFinder(timeZone = 'UTC'): (timestamp: string) => string {
  if (timeZone === 'UTC') return utcDay;
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-CA', {
      timeZone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    });
  } catch {
    return utcDay;
  }
  return (timestamp) => {
    const time = Date.parse(timestamp);
    return Number.isNaN(time) ? utcDay(timestamp) : format.format(time);
  };
}

function utcDay(timestamp: string): string {
  const end = timestamp.indexOf('T');
  return end < 0 ? timestamp : timestamp.slice(0, end);
}
