import { YoreError } from '../record/error.ts';
import { findNearest } from '../text/nearest.ts';
import { SETTINGS } from './settings.ts';

const KEYS: readonly string[] = SETTINGS.map((setting) => setting.key);

/** Names of the sections of a configuration file: what stands before the dot of a setting's key. */
export const SECTIONS: readonly string[] = [
  ...new Set(KEYS.filter((key) => key.includes('.')).map((key) => key.slice(0, key.indexOf('.')))),
];

const SECRET_NAME =
  /(?:api|access|secret|private|auth)[-_]?(?:key|token)|passw(?:or)?d|secret|credential|(?:^|[._-])(?:key|token)$/i;

/** The error for a key that is no setting. `where` is a file with its line, or the command line. */
export function unknownKey(key: string, where: string): YoreError {
  if (SECRET_NAME.test(key) && findNearest(key, KEYS, 2) === undefined) return secretKey(key, where);
  const meant = nearestKey(key);
  const advice = meant === undefined ? '' : ` Did you mean "${meant}"?`;
  return new YoreError('CONFIG', `"${key}" in ${where} is not a setting.${advice}${known(key)}`);
}

/** The error for a section that holds something other than settings. */
export function notSection(section: string, where: string): YoreError {
  return new YoreError(
    'CONFIG',
    `"${section}" in ${where} must be an object that holds settings.${known(`${section}.`)}`,
  );
}

/** Keys of models and services never go into a file that is backed up, shared or shown. */
function secretKey(key: string, where: string): YoreError {
  return new YoreError(
    'CONFIG',
    `"${key}" in ${where} looks like a secret, and secrets are not settings. ` +
      'Remove it and put the key into the environment instead, e.g. ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY.',
  );
}

/** Also finds a setting that was named without its section. */
function nearestKey(key: string): string | undefined {
  const direct = findNearest(key, [...KEYS, ...SECTIONS]);
  if (direct !== undefined) return direct;
  const bare = findNearest(lastPart(key), KEYS.map(lastPart));
  return KEYS.find((candidate) => lastPart(candidate) === bare);
}

function lastPart(key: string): string {
  return key.slice(key.lastIndexOf('.') + 1);
}

function known(key: string): string {
  const section = SECTIONS.find((name) => key.startsWith(`${name}.`));
  if (section === undefined) {
    const single = KEYS.filter((name) => !name.includes('.'));
    return ` Known are ${[...SECTIONS.map((name) => `"${name}.…"`), ...single.map((name) => `"${name}"`)].join(', ')}.`;
  }
  const names = KEYS.filter((name) => name.startsWith(`${section}.`)).map(lastPart);
  return ` Settings of "${section}": ${names.join(', ')}.`;
}
