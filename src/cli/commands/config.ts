import { join } from 'node:path';
import {
  type Config,
  loadConfig,
  type ResolvedSetting,
  type Scope,
  setSetting,
  unsetSetting,
} from '../../config/index.ts';
import { unknownKey } from '../../config/unknown-key.ts';
import { homeFolder } from '../../project/index.ts';
import { chooseProject } from '../choose-project.ts';
import type { CommandContext, OptionValues } from '../command.ts';
import { flagOption, textOption } from '../option-values.ts';
import { sanitiseLine } from '../output/sanitise.ts';
import { layoutTable } from '../output/table.ts';

/** `yore config list`, and `yore config` alone. */
export async function runConfigList(
  context: CommandContext,
  _args: readonly string[],
  options: OptionValues,
): Promise<void> {
  const { output } = context;
  const { style, symbols } = output;
  const entries = (await readConfig(context, options)).entries();
  if (flagOption(options, 'json')) {
    output.json({ settings: entries.map(toJson) });
    return;
  }
  const nameOf = (entry: ResolvedSetting): string =>
    entry.origin === 'default' ? entry.setting.key : style.bold(entry.setting.key);
  output.lines(
    ...layoutTable(
      [
        { cells: entries.map(nameOf) },
        { cells: entries.map((entry) => style.cyan(valueText(entry))), atMost: 30 },
        { cells: entries.map((entry) => style.dim(sanitiseLine(entry.origin))) },
      ],
      output.columns,
      symbols.ellipsis,
    ),
  );
}

/** `yore config get`. */
export async function runConfigGet(
  context: CommandContext,
  args: readonly string[],
  options: OptionValues,
): Promise<void> {
  const { output } = context;
  const key = args[0] ?? '';
  const entry = (await readConfig(context, options)).entries().find(({ setting }) => setting.key === key);
  if (!entry) throw unknownKey(key, 'the command line');
  if (flagOption(options, 'json')) output.json(toJson(entry));
  else if (!output.out.terminal.isTerminal) output.lines(valueText(entry, ''));
  else output.lines(`${valueText(entry)}  ${output.style.dim(`(${sanitiseLine(entry.origin)})`)}`);
}

/** `yore config set`. */
export async function runConfigSet(
  context: CommandContext,
  args: readonly string[],
  options: OptionValues,
): Promise<void> {
  const [key = '', text = ''] = args;
  const { file, scope } = await settingsFile(context, options);
  const value = setSetting(file, key, text, scope);
  if (flagOption(options, 'json')) context.output.json({ key, value, file });
  else
    context.output.lines(
      `${key} is now ${show(value)}.`,
      context.output.style.dim(`In ${sanitiseLine(file)}`),
    );
}

/** `yore config unset`. */
export async function runConfigUnset(
  context: CommandContext,
  args: readonly string[],
  options: OptionValues,
): Promise<void> {
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
}

/** `yore config path`. */
export async function runConfigPath(
  context: CommandContext,
  _args: readonly string[],
  options: OptionValues,
): Promise<void> {
  const { file } = await settingsFile(context, options);
  if (flagOption(options, 'json')) context.output.json({ file });
  else context.output.lines(file);
}

interface SettingsFile {
  readonly file: string;
  readonly scope: Scope;
}

/** The home is opened only where a project is named: opening reads the settings, which may be what is to be repaired. */
async function settingsFile(context: CommandContext, options: OptionValues): Promise<SettingsFile> {
  const name = textOption(options, 'project');
  if (name === undefined) return { file: homeFile(context), scope: 'home' };
  const project = chooseProject(await context.openHome(), name, context.cwd);
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
    ...('allowed' in setting ? { allowed: setting.allowed } : {}),
    description: setting.description,
  };
}

function valueText({ value }: ResolvedSetting, missing = '(not set)'): string {
  return value === undefined ? missing : show(value);
}

function show(value: NonNullable<ResolvedSetting['value']>): string {
  return typeof value === 'string' ? sanitiseLine(value) : JSON.stringify(value);
}
