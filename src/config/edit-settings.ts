import { existsSync } from 'node:fs';
import { resolveLinks, withLock, writeFileAtomic } from '../files/index.ts';
import { YoreError } from '../record/error.ts';
import { isObject, type JsonObject } from '../record/object.ts';
import { invalidValue, parseValue, type Value } from './check-value.ts';
import { findSetting } from './settings.ts';
import { checkScope, notSection, parseSettings, readText, type SettingsScope, unknownKey } from './settings-file.ts';

/**
 * Sets one setting in a settings file and returns its value. `text` is parsed as on a command line. Everything else in the
 * file stays as it is, even if it is invalid. The file is replaced atomically (0600), or created. Throws CONFIG without
 * changing anything if the key or value is not allowed or the file is not JSON. Default of `scope`: `home`.
 */
export function setSetting(file: string, key: string, text: string, scope: SettingsScope = 'home'): Value {
  const setting = findSetting(key);
  if (!setting) throw unknownKey(key, file);
  const misplaced = checkScope(setting, scope, () => file);
  if (misplaced !== undefined) throw misplaced;
  const value = parseValue(setting, text);
  if (value === undefined) throw invalidValue(setting, text, 'the command line');
  changeFile(file, (content) => withValue(content, key, value, file));
  return value;
}

/**
 * Removes one key from a settings file, and its section if it becomes empty. Returns whether the key was there. Unknown
 * keys can be removed too; throws CONFIG if such a key is not in the file.
 */
export function unsetSetting(file: string, key: string): boolean {
  const wasThere =
    existsSync(file) && changeFile(file, (content) => without(content, key) ?? withoutNested(content, key));
  if (!wasThere && !findSetting(key)) throw new YoreError('CONFIG', `There is no "${key}" in ${file} to unset.`);
  return wasThere;
}

/** Returns whether anything changed. Locked, so that concurrent changes are not lost. */
function changeFile(file: string, edit: (content: JsonObject) => JsonObject | undefined): boolean {
  return withLock(`${file}.lock`, () => {
    const changed = edit(parseSettings(readText(file), file));
    // The file that a link refers to is replaced, so that a file among other dotfiles stays linked.
    if (changed) writeFileAtomic(resolveLinks(file), `${JSON.stringify(changed, null, 2)}\n`);
    return changed !== undefined;
  });
}

function withValue(content: JsonObject, key: string, value: Value, file: string): JsonObject {
  const { section, name } = splitKey(key);
  if (section === undefined) return { ...content, [name]: value };
  const settings = content[section] ?? {};
  if (!isObject(settings)) throw notSection(section, file);
  return { ...content, [section]: { ...settings, [name]: value } };
}

function without(content: JsonObject, name: string): JsonObject | undefined {
  if (!Object.hasOwn(content, name)) return undefined;
  return Object.fromEntries(Object.entries(content).filter(([key]) => key !== name));
}

function withoutNested(content: JsonObject, key: string): JsonObject | undefined {
  const { section, name } = splitKey(key);
  if (section === undefined || !Object.hasOwn(content, section)) return undefined;
  const settings = content[section];
  const rest = isObject(settings) ? without(settings, name) : undefined;
  if (!rest) return undefined;
  return Object.keys(rest).length === 0 ? without(content, section) : { ...content, [section]: rest };
}

function splitKey(key: string): { readonly section?: string; readonly name: string } {
  const dot = key.indexOf('.');
  return dot < 0 ? { name: key } : { section: key.slice(0, dot), name: key.slice(dot + 1) };
}
