import type { Config } from '../../config/index.ts';
import { YoreError } from '../../record/index.ts';

/** Who may serve a model. */
export type ModelProvider = 'anthropic' | 'openai' | 'google' | 'openai-compatible';

/** Which models are asked, and where. */
export interface ModelSettings {
  readonly provider: ModelProvider;
  readonly name: string;
  /** For finding topic boundaries. */
  readonly smallName: string;
  /** Default: the provider's own address. `openai-compatible` needs one. */
  readonly baseUrl?: string;
}

const PROVIDERS: readonly string[] = ['anthropic', 'openai', 'google', 'openai-compatible'];

/**
 * The models that the settings name; undefined when there are none, and everything works without. `asked` is what the user
 * gave for this time: a name, or `provider/name`. Throws CONFIG when half of it is missing.
 */
export function modelSettings(config: Config, asked?: string): ModelSettings | undefined {
  const given = parseAsked(asked);
  const provider = given?.provider ?? config.get('model.provider');
  const name = given?.name ?? config.get('model.name');
  if (provider === undefined && name === undefined) return undefined;
  if (provider === undefined) {
    throw new YoreError(
      'CONFIG',
      `Who serves ${name}? Set it with \`yore config set model.provider anthropic\` (or openai, google, openai-compatible).`,
    );
  }
  if (name === undefined) {
    throw new YoreError(
      'CONFIG',
      `Which model of ${provider}? Set it with \`yore config set model.name NAME\`.`,
    );
  }
  const baseUrl = config.get('model.baseUrl');
  if (provider === 'openai-compatible' && baseUrl === undefined) {
    throw new YoreError(
      'CONFIG',
      'Where is the OpenAI-compatible server? Set it with `yore config set model.baseUrl http://127.0.0.1:11434/v1`.',
    );
  }
  const smallName = config.get('model.smallName') ?? name;
  return { provider, name, smallName, ...(baseUrl === undefined ? {} : { baseUrl }) };
}

function parseAsked(
  asked: string | undefined,
): { readonly provider?: ModelProvider; readonly name: string } | undefined {
  if (asked === undefined || asked === '') return undefined;
  const slash = asked.indexOf('/');
  const provider = asked.slice(0, Math.max(0, slash));
  return isProvider(provider) ? { provider, name: asked.slice(slash + 1) } : { name: asked };
}

function isProvider(name: string): name is ModelProvider {
  return PROVIDERS.includes(name);
}
