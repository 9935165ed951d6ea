import { existsSync, realpathSync } from 'node:fs';
import { withLock, writeFileAtomic } from '../files/index.ts';
import { isSection, parseValue, type Value, wrongValue } from './check-value.ts';
import { findSetting } from './settings.ts';
import { homeOnly, notSection, parseSettings, readText, type Scope, unknownKey } from './settings-file.ts';

/**
 * Changes one setting in a configuration file, or adds it, and returns the value. `text` is read as on a
 * command line, by the setting's type. Everything else in the file stays, in its order, even what is wrong.
 * The file is replaced as a whole (0600) and created when missing. Throws CONFIG and changes nothing when the
 * key or the value is not allowed, or the file is not JSON. `scope`: whose file it is, default `home`.
 */
export function setSetting(file: string, key: string, text: string, scope: Scope = 'home'): Value {
  const setting = findSetting(key);
  if (!setting) throw unknownKey(key, file);
  if (setting.homeOnly && scope === 'project') throw homeOnly(setting, file);
  const value = parseValue(setting, text);
  if (value === undefined) throw wrongValue(setting, text, 'the command line');
  change(file, (content) => withValue(content, key, value, file));
  return value;
}

/**
 * Removes one key from a configuration file, and its section when that is then empty. Says whether it was
 * there. Keys that are no settings can be removed too; when such a key is not in the file, throws CONFIG.
 */
export function unsetSetting(file: string, key: string): boolean {
  const isThere =
    existsSync(file) && change(file, (content) => without(content, key) ?? withoutNested(content, key));
  if (!isThere && !findSetting(key)) throw unknownKey(key, file);
  return isThere;
}

type Content = Readonly<Record<string, unknown>>;

/** Says whether there was anything to change. One process at a time, so that no change is lost. */
function change(file: string, work: (content: Content) => Content | undefined): boolean {
  return withLock(`${file}.lock`, () => {
    const changed = work(parseSettings(readText(file), file));
    if (changed) writeFileAtomic(realFile(file), `${JSON.stringify(changed, null, 2)}\n`);
    return changed !== undefined;
  });
}

function withValue(content: Content, key: string, value: Value, file: string): Content {
  const { section, name } = splitKey(key);
  if (section === undefined) return { ...content, [name]: value };
  const settings = content[section] ?? {};
  if (!isSection(settings)) throw notSection(section, file);
  return { ...content, [section]: { ...settings, [name]: value } };
}

function without(content: Content, name: string): Content | undefined {
  if (!Object.hasOwn(content, name)) return undefined;
  return Object.fromEntries(Object.entries(content).filter(([key]) => key !== name));
}

function withoutNested(content: Content, key: string): Content | undefined {
  const { section, name } = splitKey(key);
  if (section === undefined || !Object.hasOwn(content, section)) return undefined;
  const settings = content[section];
  const rest = isSection(settings) ? without(settings, name) : undefined;
  if (!rest) return undefined;
  return Object.keys(rest).length === 0 ? without(content, section) : { ...content, [section]: rest };
}

function splitKey(key: string): { readonly section?: string; readonly name: string } {
  const dot = key.indexOf('.');
  return dot < 0 ? { name: key } : { section: key.slice(0, dot), name: key.slice(dot + 1) };
}

/** Follows a link, so that a file kept elsewhere (with other dotfiles) stays one. */
function realFile(file: string): string {
  try {
    return realpathSync.native(file);
  } catch {
    return file; // not there yet
  }
}
