import type { Config } from '../config/index.ts';
import { YoreError } from '../record/index.ts';
import { omitUndefined } from '../record/object.ts';
import type { Embedder } from './embedder.ts';
import { HttpEmbedder } from './http-embedder.ts';

/** Environment variables, as far as they are passed in. */
type Environment = Readonly<Record<string, string | undefined>>;

/** The environment variable of the API key, which yore never stores. */
const KEY_VARIABLE = 'YORE_EMBEDDINGS_API_KEY';
/** Used for OpenAI's own address only, so that no other server is sent the key. */
const OPENAI = { host: 'api.openai.com', keyVariable: 'OPENAI_API_KEY' };

/** The embedder of the settings; undefined if none is set, which is the default. Throws CONFIG if they are incomplete. */
export function openEmbedder(config: Config, env: Environment): Embedder | undefined {
  const address = config.get('embeddings.url');
  const model = config.get('embeddings.model');
  if (address === undefined) return undefined;
  if (model === undefined) {
    throw new YoreError(
      'CONFIG',
      'The embedding model is not set. Set it with `yore config set embeddings.model NAME`.',
    );
  }
  const url = new URL(address);
  if (url.protocol === 'http:' && !isLoopback(url) && !config.get('embeddings.allowHttp')) {
    throw new YoreError(
      'CONFIG',
      `embeddings.url would send texts to ${url.host} without encryption. Use https, or allow it with \`yore config set embeddings.allowHttp on\`.`,
    );
  }
  const key = findKey(url, env);
  const prefixes = {
    question: config.get('embeddings.questionPrefix') ?? '',
    document: config.get('embeddings.textPrefix') ?? '',
  };
  return new HttpEmbedder({ url, model, prefixes, isRemote: !isLoopback(url), ...omitUndefined({ key }) });
}

function findKey({ hostname }: URL, env: Environment): string | undefined {
  return env[KEY_VARIABLE] || (hostname === OPENAI.host ? env[OPENAI.keyVariable] : undefined) || undefined;
}

/** Whether an address is on this machine. Names other than localhost may resolve to anything. */
function isLoopback({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}
