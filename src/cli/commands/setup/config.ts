import { join } from 'node:path';
import {
  type Config,
  loadConfig,
  type ResolvedSetting,
  type SettingsScope,
  setSetting,
  unsetSetting,
} from '../../../config/index.ts';
import { unknownKey } from '../../../config/settings-file.ts';
import { homeFolder } from '../../../project/index.ts';
import { resolveProject } from '../../choose-project.ts';
import type { CommandContext, CommandRun, OptionValues } from '../../command.ts';
import { flagOption, textOption } from '../../options.ts';
import { sanitiseLine } from '../../output/sanitise.ts';

/** `yore config list`, and `yore config` alone. */
export const runConfigList: CommandRun = async (context, _args, options) => {
  const { output } = context;
  const { style } = output;
  const entries = (await readConfig(context, options)).entries();
  if (flagOption(options, 'json')) {
    output.json({ settings: entries.map(toJson) });
    return;
  }
  const formatKey = ({ origin, setting }: ResolvedSetting): string =>
    origin === 'default' ? setting.key : style.bold(setting.key);
  output.lines(
    ...output.table([
      { cells: entries.map(formatKey) },
      { cells: entries.map((entry) => style.cyan(formatSetting(entry))), maxWidth: 30 },
      { cells: entries.map((entry) => style.dim(sanitiseLine(entry.origin))) },
    ]),
  );
};

/** `yore config get`. */
export const runConfigGet: CommandRun = async (context, args, options) => {
  const { output } = context;
  const key = args[0] ?? '';
  const entry = (await readConfig(context, options)).entries().find(({ setting }) => setting.key === key);
  if (!entry) throw unknownKey(key, 'the command line');
  if (flagOption(options, 'json')) output.json(toJson(entry));
  else if (!output.out.terminal.isTerminal) output.lines(formatSetting(entry, ''));
  else output.lines(`${formatSetting(entry)}  ${output.style.dim(`(${sanitiseLine(entry.origin)})`)}`);
};

/** `yore config set`. */
export const runConfigSet: CommandRun = async (context, args, options) => {
  const [key = '', text = ''] = args;
  const { file, scope } = await settingsFile(context, options);
  const value = setSetting(file, key, text, scope);
  if (flagOption(options, 'json')) context.output.json({ key, value, file });
  else
    context.output.lines(
      `${key} is now ${formatValue(value)}.`,
      context.output.style.dim(`Saved in ${sanitiseLine(file)}`),
    );
};

/** `yore config unset`. */
export const runConfigUnset: CommandRun = async (context, args, options) => {
  const [key = ''] = args;
  const { file } = await settingsFile(context, options);
  const removed = unsetSetting(file, key);
  if (flagOption(options, 'json')) context.output.json({ key, removed, file });
  else {
    context.output.lines(
      removed
        ? `${sanitiseLine(key)} is no longer set in ${sanitiseLine(file)}.`
        : `${sanitiseLine(key)} was not set in ${sanitiseLine(file)}.`,
    );
  }
};

/** `yore config path`. */
export const runConfigPath: CommandRun = async (context, _args, options) => {
  const { file } = await settingsFile(context, options);
  if (flagOption(options, 'json')) context.output.json({ file });
  else context.output.lines(file);
};

/** Opens the home only if a project is named: opening fails when the settings are invalid, and this is how to fix them. */
async function settingsFile(
  context: CommandContext,
  options: OptionValues,
): Promise<{ file: string; scope: SettingsScope }> {
  const name = textOption(options, 'project');
  if (name === undefined) return { file: homeFile(context), scope: 'home' };
  const project = resolveProject(await context.openHome(), name, context.cwd);
  return { file: project.configFile, scope: 'project' };
}

async function readConfig(context: CommandContext, options: OptionValues): Promise<Config> {
  const { file, scope } = await settingsFile(context, options);
  return scope === 'home'
    ? loadConfig({ homeFile: file })
    : loadConfig({ homeFile: homeFile(context), projectFile: file });
}

function homeFile(context: CommandContext): string {
  return join(homeFolder(context.homeOption, context.env), 'config.json');
}

function toJson({ setting, value, origin }: ResolvedSetting): unknown {
  return {
    key: setting.key,
    value: value ?? null,
    origin,
    default: setting.default ?? null,
    type: setting.type,
    ...('choices' in setting ? { allowed: Object.keys(setting.choices) } : {}),
    description: setting.description,
  };
}

function formatSetting({ value }: ResolvedSetting, missing = '(not set)'): string {
  return value === undefined ? missing : formatValue(value);
}

function formatValue(value: NonNullable<ResolvedSetting['value']>): string {
  return typeof value === 'string' ? sanitiseLine(value) : JSON.stringify(value);
}
