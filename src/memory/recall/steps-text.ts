import { oneLine } from '../../text/one-line.ts';
import type { DigestStep } from '../digest/session-digest.ts';

/** How a step is told, by its kind; `%` is what was done. */
const TOLD: Readonly<Record<string, string>> = {
  install: 'installed with `%`',
  create: 'created %',
  edit: 'edited %',
  test: 'tests passed (`%`)',
  build: 'built (`%`)',
  lint: 'lint passed (`%`)',
  format: 'formatted (`%`)',
  commit: 'committed “%”',
  checkout: 'checked out (`%`)',
};
const OTHERWISE = 'ran `%`';
const MOST_STEPS = 6;
const LONGEST = 80;
/** What an install or a test run says of the way is more than one of many edits does. */
const PRIORITY: readonly string[] = ['install', 'create', 'test', 'build', 'commit', 'run', 'edit'];

/** The steps that worked, joined in their order: "installed … → created … → tests passed". Empty when none. */
export function stepsText(steps: readonly DigestStep[]): string {
  const distinct = steps.filter(
    (step, index) => steps.findIndex((each) => each.kind === step.kind && each.text === step.text) === index,
  );
  const chosen = new Set(
    distinct.toSorted((one, other) => priority(one.kind) - priority(other.kind)).slice(0, MOST_STEPS),
  );
  return distinct
    .filter((step) => chosen.has(step))
    .map(tell)
    .join(' → ');
}

function tell({ kind, text }: DigestStep): string {
  const pattern = Object.hasOwn(TOLD, kind) ? TOLD[kind] : undefined;
  return (pattern ?? OTHERWISE).replace('%', () => oneLine(text, LONGEST));
}

function priority(kind: string): number {
  const place = PRIORITY.indexOf(kind);
  return place === -1 ? PRIORITY.length : place;
}
