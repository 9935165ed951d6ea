import type { Outcome } from '../../record/record.ts';

/** What was recorded from transcripts. */
export interface ImportCounts {
  readonly messages: number;
  /** Recorded attempts by outcome. */
  readonly attempts: Readonly<Partial<Record<Outcome, number>>>;
  readonly images: number;
  /** Messages and calls that were recorded before. */
  readonly duplicates: number;
  /** Number of skipped parts by reason. */
  readonly skipped: ReadonlyMap<string, number>;
  /** Skipped parts that should have been understood. */
  readonly problems: number;
}

/** Mutable {@link ImportCounts}. */
export class ImportCounter implements ImportCounts {
  messages = 0;
  images = 0;
  duplicates = 0;
  problems = 0;
  readonly attempts: Partial<Record<Outcome, number>> = {};
  readonly skipped: Map<string, number> = new Map();

  addAttempt(outcome: Outcome, count = 1): void {
    this.attempts[outcome] = (this.attempts[outcome] ?? 0) + count;
  }

  skip(reason: string, isProblem = false, count = 1): void {
    this.skipped.set(reason, (this.skipped.get(reason) ?? 0) + count);
    if (isProblem) this.problems += count;
  }

  /** Adds other counts. */
  add(other: ImportCounts): void {
    this.messages += other.messages;
    this.images += other.images;
    this.duplicates += other.duplicates;
    this.problems += other.problems;
    for (const [outcome, count] of Object.entries(other.attempts)) this.addAttempt(outcome as Outcome, count);
    for (const [reason, count] of other.skipped) this.skip(reason, false, count);
  }
}
