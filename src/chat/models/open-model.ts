import type { LanguageModelV3 } from '@ai-sdk/provider';
import type { Config } from '../../config/index.ts';
import { YoreError } from '../../record/index.ts';
import { omitUndefined } from '../../record/object.ts';

const PROVIDERS = ['anthropic', 'openai', 'google', 'openai-compatible'] as const;

/** A provider of models. */
export type ModelProvider = (typeof PROVIDERS)[number];

/** The models to use, and where they are. */
export interface ModelSettings {
  readonly provider: ModelProvider;
  readonly name: string;
  /** The model that finds topic boundaries. */
  readonly smallName: string;
  /** Default: the provider's own address. Required for `openai-compatible`. */
  readonly baseUrl?: string;
}

/**
 * Reads the model settings; undefined if no model is set. `override` is the user's choice for this run: a name, or
 * `provider/name`. Throws CONFIG if the settings are incomplete.
 */
export function modelSettings(config: Config, override?: string): ModelSettings | undefined {
  const given = parseOverride(override);
  const provider = given?.provider ?? config.get('model.provider');
  const name = given?.name ?? config.get('model.name');
  if (provider === undefined && name === undefined) return undefined;
  if (provider === undefined) {
    throw new YoreError(
      'CONFIG',
      `The provider of ${name} is not set. Set it with \`yore config set model.provider anthropic\` (or openai, google, openai-compatible).`,
    );
  }
  if (name === undefined) {
    throw new YoreError('CONFIG', `No ${provider} model is set. Set it with \`yore config set model.name NAME\`.`);
  }
  const baseUrl = config.get('model.baseUrl');
  if (provider === 'openai-compatible' && baseUrl === undefined) {
    throw new YoreError(
      'CONFIG',
      'The address of the OpenAI-compatible server is not set. Set it with `yore config set model.baseUrl http://127.0.0.1:11434/v1`.',
    );
  }
  const smallName = config.get('model.smallName') ?? name;
  return { provider, name, smallName, ...omitUndefined({ baseUrl }) };
}

function parseOverride(
  override: string | undefined,
): { readonly provider?: ModelProvider; readonly name: string } | undefined {
  if (override === undefined || override === '') return undefined;
  const slash = override.indexOf('/');
  const prefix = override.slice(0, Math.max(0, slash));
  const provider = PROVIDERS.find((candidate) => candidate === prefix);
  return provider === undefined ? { name: override } : { provider, name: override.slice(slash + 1) };
}

/** The environment variables of API keys, which are never stored by yore. The first that is set counts. */
export const KEY_VARIABLES: Readonly<Record<ModelProvider, readonly string[]>> = {
  anthropic: ['ANTHROPIC_API_KEY'],
  openai: ['OPENAI_API_KEY'],
  google: ['GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY'],
  'openai-compatible': ['OPENAI_COMPATIBLE_API_KEY', 'OPENAI_API_KEY'],
};

/** Most local servers need no key, but some reject a request without one. */
const NO_KEY = 'none';

/** Opens a model. Loads only the package of its provider. Throws MODEL if there is no key. */
export async function openModel(
  { provider, baseUrl }: ModelSettings,
  name: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<LanguageModelV3> {
  const apiKey = findKey(provider, env);
  const options = { apiKey, ...omitUndefined({ baseURL: baseUrl }) };
  switch (provider) {
    case 'anthropic':
      return (await import('@ai-sdk/anthropic')).createAnthropic(options)(name);
    case 'openai':
      // Chat completions, which proxies of OpenAI's interface support as well.
      return (await import('@ai-sdk/openai')).createOpenAI(options).chat(name);
    case 'google':
      return (await import('@ai-sdk/google')).createGoogleGenerativeAI(options)(name);
    case 'openai-compatible':
      return (await import('@ai-sdk/openai-compatible')).createOpenAICompatible({
        name: 'local',
        apiKey,
        baseURL: baseUrl ?? '',
        includeUsage: true,
      })(name);
  }
}

function findKey(provider: ModelProvider, env: Readonly<Record<string, string | undefined>>): string {
  const variables = KEY_VARIABLES[provider];
  const key = variables.map((variable) => env[variable]).find((value) => value !== undefined && value !== '');
  if (key !== undefined) return key;
  if (provider === 'openai-compatible') return NO_KEY;
  throw new YoreError(
    'MODEL',
    `There is no API key for ${provider}. Set ${variables[0]} in the environment, or continue without a model: \`yore config unset model.provider\` and \`yore config unset model.name\`.`,
  );
}
