export { describeAllowed, parseValue, type Value } from './check-value.ts';
export { Config, type ConfigSources, loadConfig, type Origin, type ResolvedSetting } from './config.ts';
export { setSetting, unsetSetting } from './edit-settings.ts';
export type { Setting, TextLists } from './setting.ts';
export { findSetting, SETTINGS, type SettingKey, type SettingValue } from './settings.ts';
export type { Scope } from './settings-file.ts';
