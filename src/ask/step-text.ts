import { oneLine } from '../text/one-line.ts';
import { quote, quoteCode } from '../text/recorded-text.ts';
import type { WorkStep } from './session-work.ts';

type NamedStep = Pick<WorkStep, 'text'> & { readonly kind: string };

/** The day of a recorded timestamp: `2025-11-12`. */
export function formatDay(timestamp: string): string {
  return oneLine(timestamp, 40).slice(0, 10);
}

const STEP_FORMATS: Readonly<Record<string, (text: string, limit: number) => string>> = {
  install: (text, limit) => `installed with ${quoteCode(text, limit)}`,
  create: (text, limit) => `created ${quoteCode(text, limit)}`,
  edit: (text, limit) => `edited ${quoteCode(text, limit)}`,
  test: (text, limit) => `tests passed (${quoteCode(text, limit)})`,
  build: (text, limit) => `built (${quoteCode(text, limit)})`,
  lint: (text, limit) => `lint passed (${quoteCode(text, limit)})`,
  format: (text, limit) => `formatted (${quoteCode(text, limit)})`,
  commit: (text, limit) => `committed ${quote(text, limit)}`,
  checkout: (text, limit) => `checked out (${quoteCode(text, limit)})`,
};

/** A step in words: "created `src/a.ts`", "tests passed (`npm test`)". */
export function formatStep({ kind, text }: NamedStep, limit: number): string {
  const format = Object.hasOwn(STEP_FORMATS, kind) ? STEP_FORMATS[kind] : undefined;
  return format?.(text, limit) ?? `ran ${quoteCode(text, limit)}`;
}

const MAX_STEPS = 6;
const MAX_STEP_LENGTH = 80;
/** Of many steps, an install or a test run is more informative than an edit. */
const PRIORITY: readonly string[] = ['install', 'create', 'test', 'build', 'commit', 'run', 'edit'];

/** The most informative steps in their order: "installed with … → created … → tests passed". Empty without steps. */
export function formatSteps(steps: readonly NamedStep[]): string {
  const distinct = steps.filter(
    (step, index) => steps.findIndex((each) => each.kind === step.kind && each.text === step.text) === index,
  );
  const chosen = new Set(distinct.toSorted((a, b) => priority(a.kind) - priority(b.kind)).slice(0, MAX_STEPS));
  return distinct
    .filter((step) => chosen.has(step))
    .map((step) => formatStep(step, MAX_STEP_LENGTH))
    .join(' → ');
}

function priority(kind: string): number {
  const index = PRIORITY.indexOf(kind);
  return index === -1 ? PRIORITY.length : index;
}
