import { realpathSync } from 'node:fs';
import { writeFileAtomic } from '../files/index.ts';
import { isSection, parseValue, type Value, wrongValue } from './check-value.ts';
import { findSetting } from './settings.ts';
import { homeOnly, parseSettings, readText, type Scope } from './settings-file.ts';
import { notSection, unknownKey } from './unknown-key.ts';

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
  const content = parseSettings(readText(file), file);
  const { section, name } = splitKey(key);
  if (section === undefined) {
    write(file, { ...content, [name]: value });
    return value;
  }
  const settings = content[section] ?? {};
  if (!isSection(settings)) throw notSection(section, file);
  write(file, { ...content, [section]: { ...settings, [name]: value } });
  return value;
}

/**
 * Removes one key from a configuration file, and its section when that is then empty. Says whether it was
 * there. Keys that are no settings can be removed too; when such a key is not in the file, throws CONFIG.
 */
export function unsetSetting(file: string, key: string): boolean {
  const content = parseSettings(readText(file), file);
  const rest = without(content, key) ?? withoutNested(content, key);
  if (rest) {
    write(file, rest);
    return true;
  }
  if (!findSetting(key)) throw unknownKey(key, file);
  return false;
}

type Content = Readonly<Record<string, unknown>>;

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
function write(file: string, content: Content): void {
  writeFileAtomic(realFile(file), `${JSON.stringify(content, null, 2)}\n`);
}

function realFile(file: string): string {
  try {
    return realpathSync.native(file);
  } catch {
    return file; // not there yet
  }
}
