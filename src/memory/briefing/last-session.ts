import { oneLine } from '../../text/one-line.ts';
import type { DigestRequest, DigestStep, SessionDigest, SessionFailure } from '../digest/session-digest.ts';
import { coded, quoted } from './safe-text.ts';

const MOST_REQUESTS = 3;
const MOST_STEPS = 4;
const MOST_FAILURES = 2;
const LINE_CHARACTERS = 360;
/** A time that is further ahead was told by a wrong clock. */
const CLOCK_TOLERANCE_MS = 24 * 60 * 60 * 1000;

const DONE: Readonly<Record<string, (text: string) => string>> = {
  install: (text) => `ran ${coded(text)}`,
  create: (text) => `created ${text}`,
  edit: (text) => `edited ${text}`,
  test: (text) => `tests passed (${coded(text, 60)})`,
  build: (text) => `built (${coded(text, 60)})`,
  lint: (text) => `checks passed (${coded(text, 60)})`,
  commit: (text) => `committed ${quoted(text, 100)}`,
};

/** What a session did, in a few lines: its last requests with what served them, and failures it left open. */
export function lastSessionLines(digest: SessionDigest, now: number): readonly string[] {
  const told = digest.requests.filter((request) => request.text !== '' || request.steps.length > 0);
  const useful = told.filter((request) => request.steps.length > 0 || request.outcome !== undefined);
  const requests = (useful.length > 0 ? useful : told).slice(-MOST_REQUESTS).toReversed();
  const open = digest.failures
    .filter((failure) => failure.open)
    .slice(-MOST_FAILURES)
    .toReversed();
  return [
    ...requests.map((request) =>
      oneLine(`- ${dayOf(request.at, now)}${requestLine(request)}`, LINE_CHARACTERS),
    ),
    ...open.map((failure) => `- ${dayOf(failure.at, now)}left open: ${failureText(failure)}`),
  ];
}

/** Steps in words, joined in their order: `created src/a.ts → tests passed`. */
function stepsText(steps: readonly DigestStep[], most: number): string {
  const shown = steps.length <= most ? steps : [...steps.slice(0, most - 1), ...steps.slice(-1)];
  return shown
    .map(({ kind, text }) => (DONE[kind] ?? ((other: string) => `ran ${coded(other)}`))(oneLine(text, 120)))
    .join(' → ');
}

/** A failure in words. */
export function failureText({ what, error, resolution }: SessionFailure): string {
  const why = error === '' ? '' : ` failed with ${quoted(error, 120)}`;
  return `${coded(what)}${why}${resolution === undefined ? '' : `; ${coded(resolution)} worked instead`}`;
}

function requestLine(request: DigestRequest): string {
  const asked = request.text === '' ? 'work without a recorded request' : quoted(request.text, 100);
  const steps = stepsText(request.steps, MOST_STEPS);
  const said = request.outcome === undefined ? '' : ` (the user said it ${request.outcome})`;
  const decided =
    request.decision !== undefined && !steps.includes('committed')
      ? `; ${quoted(request.decision, 120)}`
      : '';
  return `${asked}${steps === '' ? '' : ` → ${steps}`}${said}${decided}`;
}

/** The day, with a colon; nothing when the clock was wrong. */
function dayOf(timestamp: string, now: number): string {
  const time = Date.parse(timestamp);
  if (Number.isNaN(time) || time > now + CLOCK_TOLERANCE_MS) return '';
  return `${new Date(time).toISOString().slice(0, 10)}: `;
}
