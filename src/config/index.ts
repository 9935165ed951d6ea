export { describeAllowed } from './check-value.ts';
export { Config, isInjecting, loadConfig, type ResolvedSetting } from './config.ts';
export { setSetting, unsetSetting } from './edit-settings.ts';
export { findSetting, SETTINGS, type Setting, type TextLists } from './settings.ts';
export type { SettingsScope } from './settings-file.ts';
