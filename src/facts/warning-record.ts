import { RECORD_VERSION } from '../record/record.ts';

/** The fields of every line of the warnings log. */
interface WarningLine {
  readonly v: number;
  readonly id: string;
  readonly timestamp: string;
  readonly sessionId: string;
  /** The key of the failure. */
  readonly key: string;
}

/** A warning that was given. */
export interface RecordedWarning extends WarningLine {
  readonly kind: 'warning';
  readonly agent?: string;
  readonly signature: string;
  /** The earlier attempt that the warning is based on. */
  readonly attemptId: string;
  readonly confidence: number;
  /** The command or path of the call. */
  readonly what: string;
  readonly text: string;
}

/** How a call ended that was made in spite of a warning. */
export interface WarningOverride extends WarningLine {
  readonly kind: 'override';
  readonly warningId: string;
  readonly succeeded: boolean;
}

/** What the user can choose: see `WarningLog.choose`. */
export type ChoiceKind = 'dismiss' | 'pin' | 'reset' | 'edit' | 'undo';

/** The user's choice about a failure or a conclusion. */
interface RecordedChoice extends WarningLine {
  readonly kind: ChoiceKind;
  /** Of an edit: the new text. */
  readonly text?: string;
  /** The pinned failure as it was then. */
  readonly failure?: unknown;
}

/** A line of the warnings log. */
export type WarningRecord = RecordedWarning | WarningOverride | RecordedChoice;

const TEXT_FIELDS: Readonly<Record<WarningRecord['kind'], readonly string[]>> = {
  warning: ['signature', 'attemptId', 'what', 'text'],
  override: ['warningId'],
  dismiss: [],
  pin: [],
  reset: [],
  edit: ['text'],
  undo: [],
};

/** Reads a parsed JSON line of the warnings log; undefined when it is not a record that this version knows. */
export function parseWarningRecord(value: unknown): WarningRecord | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const fields = value as Readonly<Record<string, unknown>>;
  if (typeof fields.v !== 'number' || fields.v > RECORD_VERSION) return undefined;
  const ofKind = Object.hasOwn(TEXT_FIELDS, String(fields.kind))
    ? TEXT_FIELDS[fields.kind as WarningRecord['kind']]
    : undefined;
  if (ofKind === undefined) return undefined;
  const texts = ['id', 'timestamp', 'sessionId', 'key', ...ofKind];
  if (!texts.every((name) => typeof fields[name] === 'string')) return undefined;
  if (fields.kind === 'override' && typeof fields.succeeded !== 'boolean') return undefined;
  if (fields.kind === 'warning' && typeof fields.confidence !== 'number') return undefined;
  return value as WarningRecord;
}
