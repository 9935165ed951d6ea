import { parseTime, type TimeEdge } from '../project/parse-time.ts';
import { YoreError } from '../record/index.ts';
import type { OptionValues } from './command.ts';

/** The text given to an option, if any. */
export function textOption(options: OptionValues, name: string): string | undefined {
  const value = options[name];
  return typeof value === 'string' ? value : undefined;
}

/** The texts given to an option that may be given several times; commas separate too. Empty ones are left out. */
export function textsOption(options: OptionValues, name: string): readonly string[] {
  const value = options[name];
  const texts = Array.isArray(value) ? value.map(String) : [];
  return texts
    .flatMap((text) => text.split(','))
    .map((text) => text.trim())
    .filter((text) => text !== '');
}

/** Whether a flag was given. */
export function flagOption(options: OptionValues, name: string): boolean {
  return options[name] === true;
}

/** The whole number over 0 given to an option, if any. */
export function countOption(options: OptionValues, name: string): number | undefined {
  const text = textOption(options, name);
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value) || value < 1)
    throw new YoreError('USAGE', `--${name} "${text}" is not a whole number of at least 1.`);
  return value;
}

/** The time given to `--since` or `--until`, as ISO 8601 in UTC, if any. */
export function timeOption(options: OptionValues, name: TimeEdge, now: number): string | undefined {
  const text = textOption(options, name);
  if (text === undefined) return undefined;
  const time = parseTime(text, now, name);
  if (time === undefined)
    throw new YoreError(
      'USAGE',
      `--${name} "${text}" is not a time. Write 30m, 12h, 7d, 2w, today, yesterday or 2025-11-18, also with a time: "2025-11-18 15:30".`,
    );
  return time;
}

/** The given value when it is one of `allowed`. commander has already refused others. */
export function choiceOption<T extends string>(
  options: OptionValues,
  name: string,
  allowed: readonly T[],
): T | undefined {
  const text = textOption(options, name);
  return allowed.find((choice) => choice === text);
}
