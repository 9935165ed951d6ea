import { YoreError } from '../record/error.ts';
import { checkValue, invalidValue, parseValue, type Value } from './check-value.ts';
import {
  findSetting,
  SETTINGS,
  type Setting,
  type SettingKey,
  type SettingsOf,
  type SettingValue,
} from './settings.ts';
import { type FileSettings, readSettingsFile, unknownKey } from './settings-file.ts';

/** Where a value comes from: `default`, `flag`, or the path of a settings file. */
export type Origin = string;

/** A setting with its effective value. */
export interface ResolvedSetting {
  readonly setting: Setting;
  /** Undefined if it is not set and has no default. */
  readonly value: Value | undefined;
  readonly origin: Origin;
}

/** Sources of the settings, later ones overriding earlier ones. */
export interface ConfigSources {
  /** `config.json` of yore's home. It may be missing. */
  readonly homeFile: string;
  /** `config.json` of the project. */
  readonly projectFile?: string;
  /** Values by key. Strings are parsed as on a command line. */
  readonly flags?: Readonly<Record<string, unknown>>;
  /** `strict` (default) throws on any problem; `lenient` adds it to `warnings` and uses the value of the next source. */
  readonly mode?: 'strict' | 'lenient';
}

/** The effective settings, each with its origin. */
export class Config {
  /** Problems in the files and flags; always empty in strict mode. */
  readonly warnings: readonly string[];
  readonly #resolved: ReadonlyMap<string, ResolvedSetting>;

  constructor(resolved: ReadonlyMap<string, ResolvedSetting>, warnings: readonly string[]) {
    this.#resolved = resolved;
    this.warnings = warnings;
  }

  /** The value of a setting, with the type that {@link SETTINGS} declares. */
  get<K extends SettingKey>(key: K): SettingValue<K> {
    // Every value was validated against the declaration that its type is derived from.
    return this.#resolved.get(key)?.value as SettingValue<K>;
  }

  /** The values of all settings of a section, by their name within it. */
  section<Section extends string>(section: Section): SettingsOf<Section> {
    const values = this.entries().flatMap(({ setting: { key }, value }) =>
      key.startsWith(`${section}.`) && value !== undefined ? [[key.slice(section.length + 1), value] as const] : [],
    );
    return Object.fromEntries(values) as SettingsOf<Section>;
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

/** Whether agents and models are told what is known without asking: briefings, and what is recalled for a prompt. */
export function isInjecting(config: Config): boolean {
  return config.get('retrieval.enabled') && config.get('retrieval.autoInject');
}

/**
 * Resolves the settings: flags override the project's file, which overrides the home's file, which overrides the
 * defaults. In strict mode throws CONFIG (or STORAGE for an unreadable file) with all problems.
 */
export function loadConfig(sources: ConfigSources): Config {
  const { homeFile, projectFile, flags = {}, mode } = sources;
  const layers = [
    { origin: homeFile, ...readSettingsFile(homeFile, 'home') },
    ...(projectFile ? [{ origin: projectFile, ...readSettingsFile(projectFile, 'project') }] : []),
    { origin: 'flag', ...readFlags(flags) },
  ];
  const problems = layers.flatMap((layer) => layer.problems);
  if (mode !== 'lenient') throwIfAny(problems);

  const resolved = new Map<string, ResolvedSetting>();
  for (const setting of SETTINGS as readonly Setting[]) {
    const layer = layers.findLast(({ values }) => values.has(setting.key));
    const value = layer === undefined ? setting.default : layer.values.get(setting.key);
    resolved.set(setting.key, { setting, value, origin: layer?.origin ?? 'default' });
  }
  const warnings = problems.map((problem) => problem.message);
  return new Config(resolved, warnings);
}

function readFlags(flags: Readonly<Record<string, unknown>>): FileSettings {
  const values = new Map<string, Value>();
  const problems: YoreError[] = [];
  for (const [key, given] of Object.entries(flags)) {
    if (given === undefined) continue;
    const setting = findSetting(key);
    const value = setting && (typeof given === 'string' ? parseValue(setting, given) : checkValue(setting, given));
    if (value !== undefined) values.set(key, value);
    else problems.push(setting ? invalidValue(setting, given, COMMAND_LINE) : unknownKey(key, COMMAND_LINE));
  }
  return { values, problems };
}

const COMMAND_LINE = 'the command line';

function throwIfAny(problems: readonly YoreError[]): void {
  const [first, ...more] = problems;
  if (!first) return;
  if (more.length === 0) throw first;
  throw new YoreError(first.code, problems.map((problem) => problem.message).join('\n'), { cause: first });
}
