import { findSetting, loadConfig, type ResolvedSetting, setSetting, unsetSetting } from '../../config/index.ts';
import type { Home } from '../../project/index.ts';
import { omitUndefined, YoreError } from '../../record/index.ts';
import { redact } from '../../redact/index.ts';
import { projectById } from '../find-project.ts';
import type { RedactedText, SettingItem, SettingsMethods, SettingsResult } from '../rpc/api.ts';
import type { MethodTable } from './method.ts';
import { flag, optional, projectId, text } from './parameters.ts';

const MAX_VALUE_LENGTH = 200;
const MAX_REDACTED_LENGTH = 100_000;
const MASK = /\[redacted:([^\]\s]{1,40})\]/g;

/** The settings of the home, the agents on the machine, and what would be masked. */
export const settingsMethods: MethodTable<keyof SettingsMethods> = {
  'settings.get': {
    parameters: {},
    runsIn: 'index',
    run: (_params, { home }) => readSettings(home),
    complete: (settings, _params, { isLoopback }) => ({ ...settings, readOnly: !isLoopback }),
  },
  'settings.agents': {
    parameters: {},
    runsIn: 'main',
    run: async (_params, { checkAgents }) => omitUndefined({ agents: await checkAgents?.() }),
  },
  'settings.set': {
    parameters: { key: text(100), value: optional(text(MAX_VALUE_LENGTH)) },
    runsIn: 'main',
    changes: true,
    isLocal: true,
    run: ({ key, value }, { home }) => {
      if (findSetting(key)?.commandLineOnly) {
        throw new YoreError('USAGE', `${key} cannot be changed here. To change it: yore config set ${key} VALUE`);
      }
      if (value === undefined) unsetSetting(home.configFile, key);
      else setSetting(home.configFile, key, value);
      return null;
    },
  },
  'settings.record': {
    parameters: { on: flag, project: optional(projectId) },
    runsIn: 'main',
    changes: true,
    isLocal: true,
    run: ({ on, project }, { home }) => {
      (project === undefined ? home : projectById(home, project)).setRecording(on);
      return null;
    },
  },
  'settings.redact': {
    parameters: { text: text(MAX_REDACTED_LENGTH) },
    runsIn: 'index',
    run: (params) => redactText(params.text),
  },
};

function readSettings(home: Home): SettingsResult {
  const config = loadConfig({ homeFile: home.configFile, mode: 'lenient' });
  const { bytesOnDisk, indexBytes } = home.status();
  const isOn = config.get('recording.enabled');
  const projects = home.projects();
  const oldest = projects.map(({ firstSeen }) => firstSeen).sort()[0];
  return {
    home: home.path,
    file: home.configFile,
    settings: config.entries().map(toItem),
    recording: {
      everywhere: isOn,
      exceptions: projects
        .map(({ projectHash }) => projectHash)
        .filter((id) => projectById(home, id).isRecording() !== isOn),
    },
    bytesOnDisk,
    indexBytes,
    ...omitUndefined({ oldest }),
    readOnly: false,
  };
}

function toItem({ setting, value, origin }: ResolvedSetting): SettingItem {
  const { key, label, type, description } = setting;
  return {
    key,
    label,
    type,
    description,
    value: value ?? null,
    default: setting.default ?? null,
    ...('choices' in setting ? { choices: setting.choices } : {}),
    ...('min' in setting ? { min: setting.min, max: setting.max } : {}),
    isEditable: !setting.commandLineOnly,
    origin,
  };
}

/** The text as it would be recorded. Nothing of it is kept. */
function redactText(given: string): RedactedText {
  const redacted = redact(given);
  const counts = new Map<string, number>();
  const count = (text: string, step: 1 | -1): void => {
    for (const [, kind = ''] of text.matchAll(MASK)) counts.set(kind, (counts.get(kind) ?? 0) + step);
  };
  count(redacted, 1);
  // What looks like a mask already is not counted.
  count(given, -1);
  const masks = [...counts].map(([kind, times]) => ({ kind, count: times })).filter((mask) => mask.count > 0);
  return { text: redacted, masks };
}
