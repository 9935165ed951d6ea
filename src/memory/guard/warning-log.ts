import { RECORD_VERSION } from '../../record/index.ts';
import { isKnownFailure, type KnownFailure } from './hazard.ts';

/** A warning that was given. */
export interface RecordedWarning {
  readonly v: number;
  readonly kind: 'warning';
  readonly id: string;
  readonly timestamp: string;
  readonly sessionId: string;
  readonly agent?: string;
  /** What was expected to be missing. */
  readonly key: string;
  readonly signature: string;
  /** The failure it rested on. */
  readonly attemptId: string;
  readonly confidence: number;
  /** The command or path of the call. */
  readonly what: string;
  readonly text: string;
}

/** How a call went that was made in spite of a warning. */
export interface WarningOverride {
  readonly v: number;
  readonly kind: 'override';
  readonly id: string;
  readonly timestamp: string;
  readonly sessionId: string;
  readonly warningId: string;
  readonly key: string;
  readonly succeeded: boolean;
}

/** What the user decided about a hazard: never warn again, keep warning, or neither. */
interface WarningChoice {
  readonly v: number;
  readonly kind: 'dismiss' | 'pin' | 'reset';
  readonly id: string;
  readonly timestamp: string;
  readonly sessionId: string;
  readonly key: string;
  /** What is pinned, as it was then. */
  readonly hazard?: KnownFailure;
}

/** A line of the warnings log. */
export type WarningRecord = RecordedWarning | WarningOverride | WarningChoice;

const NEEDED: Readonly<Record<WarningRecord['kind'], readonly string[]>> = {
  warning: ['signature', 'attemptId', 'what', 'text'],
  override: ['warningId'],
  dismiss: [],
  pin: [],
  reset: [],
};

/** Reads a line of the warnings log that was parsed as JSON; undefined when it is none. */
export function parseWarningRecord(value: unknown): WarningRecord | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const fields = value as Readonly<Record<string, unknown>>;
  if (typeof fields.v !== 'number' || fields.v > RECORD_VERSION) return undefined;
  const needed = Object.hasOwn(NEEDED, String(fields.kind))
    ? NEEDED[fields.kind as WarningRecord['kind']]
    : undefined;
  if (needed === undefined) return undefined;
  const texts = ['id', 'timestamp', 'sessionId', 'key', ...needed];
  if (!texts.every((name) => typeof fields[name] === 'string')) return undefined;
  if (fields.kind === 'override' && typeof fields.succeeded !== 'boolean') return undefined;
  if (fields.kind === 'warning' && typeof fields.confidence !== 'number') return undefined;
  if (fields.hazard !== undefined && !isKnownFailure(fields.hazard)) return undefined;
  return value as WarningRecord;
}
