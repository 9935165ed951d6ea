import type { TimeSpan } from '../ask/timeline.ts';
import { OWN_AUTHOR, type Role, YoreError } from '../record/index.ts';
import { omitUndefined } from '../record/object.ts';
import { parseTime, type TimeEdge } from '../text/parse-time.ts';
import type { OptionSpec, OptionValues } from './command.ts';

/** Declares an option; `flags` are in commander's notation: `-o, --output <file>`. */
export function option(
  flags: string,
  description: string,
  rest: Omit<OptionSpec, 'flags' | 'description'> = {},
): OptionSpec {
  return { flags, description, ...rest };
}

/** `--json`, an option of every listing. */
export const JSON_OPTION: OptionSpec = option('--json', 'print JSON');

/** `--project` of commands that cover all projects by default. */
export const ONLY_PROJECT_OPTION: OptionSpec = option(
  '--project <name>',
  'only this project: its name, its id, or "." for the current folder',
  { completes: 'projects' },
);

/** `--project` of commands that are about one project. */
export const PROJECT_OPTION: OptionSpec = option(
  '--project <name>',
  'a project by name or id (default: the one you are in)',
  { completes: 'projects' },
);

/** `--since`. */
export const SINCE_OPTION: OptionSpec = option(
  '--since <time>',
  'not before this time: 12h, 7d, yesterday, 2025-11-18',
);

/** `--until`. */
export const UNTIL_OPTION: OptionSpec = option('--until <time>', 'not after this time; a date includes the whole day');

/** `--limit` with its default. */
export function limitOption(defaultLimit: number): OptionSpec {
  return option('--limit <n>', `show at most n (default ${defaultLimit})`);
}

/** Values of `--role`. */
export const ROLES: readonly Role[] = ['user', 'assistant'];

/** `--yes`. */
export const YES_OPTION: OptionSpec = option('-y, --yes', 'do not ask for confirmation');

/** The value of an option by its name as it is typed, without the dashes in front: `dry-run`. */
function optionValue(options: OptionValues, name: string): OptionValues[string] {
  return options[name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())];
}

/** The text given to an option, if any. */
export function textOption(options: OptionValues, name: string): string | undefined {
  const value = optionValue(options, name);
  return typeof value === 'string' ? value : undefined;
}

/** Whose records are wanted: a colleague's, or the user's own for `me`. */
export function authorOption(options: OptionValues): string | undefined {
  const author = textOption(options, 'author');
  return author === 'me' ? OWN_AUTHOR : author;
}

/** The texts given to a repeatable option, also separated by commas. Empty ones are left out. */
export function textsOption(options: OptionValues, name: string): readonly string[] {
  const value = optionValue(options, name);
  const texts = Array.isArray(value) ? value.map(String) : [];
  return texts
    .flatMap((text) => text.split(','))
    .map((text) => text.trim())
    .filter((text) => text !== '');
}

/** Whether a flag was given. */
export function flagOption(options: OptionValues, name: string): boolean {
  return optionValue(options, name) === true;
}

/** The positive integer given to an option, if any. Throws USAGE for anything else. */
export function countOption(options: OptionValues, name: string): number | undefined {
  const text = textOption(options, name);
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value) || value < 1)
    throw new YoreError('USAGE', `--${name} "${text}" is not a whole number greater than 0.`);
  return value;
}

/** The time given to `--since` or `--until` as ISO 8601 in UTC, if any. Throws USAGE for what is not a time. */
export function timeOption(options: OptionValues, name: TimeEdge, now: number): string | undefined {
  const text = textOption(options, name);
  if (text === undefined) return undefined;
  const time = parseTime(text, now, name);
  if (time === undefined)
    throw new YoreError(
      'USAGE',
      `--${name} "${text}" is not a time. Examples: 30m, 12h, 7d, 2w, today, yesterday, 2025-11-18, "2025-11-18 15:30".`,
    );
  return time;
}

/** The span given by `--since` and `--until`, with the user's time zone. */
export function spanOption(options: OptionValues, now: number): TimeSpan {
  const since = timeOption(options, 'since', now);
  const until = timeOption(options, 'until', now);
  return {
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    ...omitUndefined({
      since: since === undefined ? undefined : Date.parse(since),
      // `--until` is inclusive, the end of a span is not.
      until: until === undefined ? undefined : Date.parse(until) + 1,
    }),
  };
}

/** The given value if it is one of `allowed`; commander has rejected others. */
export function choiceOption<T extends string>(
  options: OptionValues,
  name: string,
  allowed: readonly T[],
): T | undefined {
  const text = textOption(options, name);
  return allowed.find((choice) => choice === text);
}
