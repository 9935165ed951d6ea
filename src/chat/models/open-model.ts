import type { LanguageModelV3 } from '@ai-sdk/provider';
import { YoreError } from '../../record/index.ts';
import type { ModelProvider, ModelSettings } from './model-settings.ts';

/** Where keys are found; they are in no file of yore's. The first that is set counts. */
export const KEY_VARIABLES: Readonly<Record<ModelProvider, readonly string[]>> = {
  anthropic: ['ANTHROPIC_API_KEY'],
  openai: ['OPENAI_API_KEY'],
  google: ['GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY'],
  'openai-compatible': ['OPENAI_COMPATIBLE_API_KEY', 'OPENAI_API_KEY'],
};

/** Most local servers want no key, and some refuse a request without one. */
const NO_KEY = 'none';

/** Opens a model. Loads the packages of its provider, and of no other. Throws MODEL when there is no key. */
export async function openModel(
  { provider, baseUrl }: ModelSettings,
  name: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<LanguageModelV3> {
  const apiKey = keyFor(provider, env);
  const options = { apiKey, ...(baseUrl === undefined ? {} : { baseURL: baseUrl }) };
  switch (provider) {
    case 'anthropic':
      return (await import('@ai-sdk/anthropic')).createAnthropic(options)(name);
    case 'openai':
      // Chat completions are what the other servers of this interface have, too.
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

function keyFor(provider: ModelProvider, env: Readonly<Record<string, string | undefined>>): string {
  const variables = KEY_VARIABLES[provider];
  const key = variables.map((variable) => env[variable]).find((value) => value !== undefined && value !== '');
  if (key !== undefined) return key;
  if (provider === 'openai-compatible') return NO_KEY;
  throw new YoreError(
    'MODEL',
    `There is no key for ${provider}. Put it into the environment as ${variables[0]}, or go on without a model: \`yore config unset model.provider\` and \`yore config unset model.name\`.`,
  );
}
