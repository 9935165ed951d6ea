import type { Outcome } from '../../record/index.ts';

/** What an intake made of what it was given. */
export interface ImportCounts {
  readonly messages: number;
  /** Written, by outcome. */
  readonly attempts: Readonly<Partial<Record<Outcome, number>>>;
  readonly images: number;
  /** Messages and calls that were known already. */
  readonly duplicates: number;
  /** Parts from which nothing was made, by reason. */
  readonly skipped: ReadonlyMap<string, number>;
  /** Those among them that should have been understood. */
  readonly problems: number;
}

/** Counts up. */
export class ImportCounter implements ImportCounts {
  messages = 0;
  images = 0;
  duplicates = 0;
  problems = 0;
  readonly attempts: Partial<Record<Outcome, number>> = {};
  readonly skipped: Map<string, number> = new Map();

  addAttempt(outcome: Outcome): void {
    this.attempts[outcome] = (this.attempts[outcome] ?? 0) + 1;
  }

  skip(reason: string, isProblem = false): void {
    this.skipped.set(reason, (this.skipped.get(reason) ?? 0) + 1);
    if (isProblem) this.problems++;
  }

  /** Adds what another one counted. */
  add(other: ImportCounts): void {
    this.messages += other.messages;
    this.images += other.images;
    this.duplicates += other.duplicates;
    this.problems += other.problems;
    for (const [outcome, count] of Object.entries(other.attempts) as [Outcome, number][]) {
      this.attempts[outcome] = (this.attempts[outcome] ?? 0) + count;
    }
    for (const [reason, count] of other.skipped) {
      this.skipped.set(reason, (this.skipped.get(reason) ?? 0) + count);
    }
  }
}
