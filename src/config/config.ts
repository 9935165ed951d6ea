import { YoreError } from '../record/error.ts';
import { checkValue, parseValue, type Value, wrongValue } from './check-value.ts';
import type { Setting } from './setting.ts';
import { findSetting, SETTINGS, type SettingKey, type SettingValue } from './settings.ts';
import { type FileSettings, readSettingsFile, unknownKey } from './settings-file.ts';

/** Where a value comes from: `default`, `flag`, or the path of the file that says it. */
export type Origin = string;

/** A setting with the value that counts. */
export interface ResolvedSetting {
  readonly setting: Setting;
  /** Undefined when it is not set and has no default. */
  readonly value: Value | undefined;
  readonly origin: Origin;
}

/** What {@link loadConfig} reads. */
export interface ConfigSources {
  /** `config.json` of yore's home. It need not exist. */
  readonly homeFile: string;
  /** `config.json` of the project; overrides the home's. */
  readonly projectFile?: string;
  /** By key; overrides both files. Texts are read as on a command line. */
  readonly flags?: Readonly<Record<string, unknown>>;
  /** `strict` (default) throws on anything wrong; `lenient` notes it in `warnings` and uses the next best value. */
  readonly mode?: 'strict' | 'lenient';
}

/** The settings that count, each with where it comes from. */
export class Config {
  /** What was wrong in the files and flags; always empty in strict mode. */
  readonly warnings: readonly string[];
  readonly #resolved: ReadonlyMap<string, ResolvedSetting>;

  constructor(resolved: ReadonlyMap<string, ResolvedSetting>, warnings: readonly string[]) {
    this.#resolved = resolved;
    this.warnings = warnings;
  }

  /** The value of a setting; its type follows from the table. */
  get<K extends SettingKey>(key: K): SettingValue<K> {
    // Every value was checked against the row of the table that its type is derived from.
    return this.#resolved.get(key)?.value as SettingValue<K>;
  }

  /** Where the value of a setting comes from. */
  origin(key: SettingKey): Origin {
    return this.#resolved.get(key)?.origin ?? 'default';
  }

  /** All settings, in the order of the table. */
  entries(): readonly ResolvedSetting[] {
    return [...this.#resolved.values()];
  }
}

/**
 * Resolves the settings: defaults, overridden by the home's file, overridden by the project's, overridden by
 * flags. Throws CONFIG (or STORAGE for a file that cannot be read) in strict mode, with all that is wrong.
 */
export function loadConfig(sources: ConfigSources): Config {
  const home = readSettingsFile(sources.homeFile, 'home');
  const project = sources.projectFile ? readSettingsFile(sources.projectFile, 'project') : NOTHING;
  const flags = readFlags(sources.flags ?? {});
  const problems = [...home.problems, ...project.problems, ...flags.problems];
  if (sources.mode !== 'lenient') throwAll(problems);

  const resolved = new Map<string, ResolvedSetting>();
  for (const setting of SETTINGS as readonly Setting[]) {
    const { key } = setting;
    resolved.set(
      key,
      found(setting, flags.values.get(key), 'flag') ??
        found(setting, project.values.get(key), sources.projectFile) ??
        found(setting, home.values.get(key), sources.homeFile) ?? {
          setting,
          value: setting.default,
          origin: 'default',
        },
    );
  }
  return new Config(
    resolved,
    problems.map((problem) => problem.message),
  );
}

const NOTHING: FileSettings = { values: new Map(), problems: [] };

function found(
  setting: Setting,
  value: Value | undefined,
  origin: Origin | undefined,
): ResolvedSetting | undefined {
  return value === undefined || origin === undefined ? undefined : { setting, value, origin };
}

function readFlags(flags: Readonly<Record<string, unknown>>): FileSettings {
  const values = new Map<string, Value>();
  const problems: YoreError[] = [];
  for (const [key, given] of Object.entries(flags)) {
    if (given === undefined) continue;
    const setting = findSetting(key);
    const value =
      setting && (typeof given === 'string' ? parseValue(setting, given) : checkValue(setting, given));
    if (value !== undefined) values.set(key, value);
    else problems.push(setting ? wrongValue(setting, given, COMMAND_LINE) : unknownKey(key, COMMAND_LINE));
  }
  return { values, problems };
}

const COMMAND_LINE = 'the command line';

function throwAll(problems: readonly YoreError[]): void {
  const [first, ...more] = problems;
  if (!first) return;
  if (more.length === 0) throw first;
  throw new YoreError(first.code, problems.map((problem) => problem.message).join('\n'), { cause: first });
}
