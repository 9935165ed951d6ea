export { describeAllowed } from './check-value.ts';
export { Config, loadConfig, type ResolvedSetting } from './config.ts';
export { setSetting, unsetSetting } from './edit-settings.ts';
export type { Setting, TextLists } from './setting.ts';
export { SETTINGS } from './settings.ts';
export type { Scope } from './settings-file.ts';
