import { createProvider, MIN_CACHED_TOKENS, PRICES, tokensIn } from './provider.mjs';

/** About the shortest system prompt with tool descriptions that coding agents have. */
const SYSTEM_PROMPT = 'You are a careful engineer.\n'.repeat(860);
const FILE_TREE = 'src/some/folder/file.ts\n'.repeat(170);

/**
 * Computes what the requests of a session cost for each way of assembling the prompts.
 * @param {readonly import('./workloads.mjs').Request[]} requests
 * @param {any} product the module `context/index.js`
 */
export function computeCosts(requests, product) {
  return {
    none: computeCost(requests, (request) => product.assembleFlat(toInput(request))),
    last: computeCost(requests, (request) => markLast(product.assembleFlat(toInput(request)))),
    tiered: computeCost(requests, tiered(product)),
    bound: computeBound(requests),
  };
}

function computeCost(requests, assemble) {
  const provider = createProvider();
  return requests.reduce((sum, request) => sum + provider.send(assemble(request)), 0);
}

/** The lower bound: items of the previous request are read from the cache, all others are written to it. */
function computeBound(requests) {
  let before = new Map();
  let cost = 0;
  for (const { files, history, prompt } of requests) {
    const texts = [SYSTEM_PROMPT, FILE_TREE, ...files.values(), ...history.map(({ content }) => content), prompt];
    const now = new Map();
    for (const text of texts) now.set(text, (now.get(text) ?? 0) + 1);
    for (const [text, count] of now) {
      const unchanged = Math.min(count, before.get(text) ?? 0);
      cost += tokensIn(text) * (PRICES.read * unchanged + PRICES.write * (count - unchanged));
    }
    before = now;
  }
  return cost;
}

function tiered({ StabilityTracker, assembleTiered, defaultCacheTarget }) {
  const tracker = new StabilityTracker({
    cacheTargetTokens: defaultCacheTarget({ minCacheableTokens: MIN_CACHED_TOKENS }),
  });
  let isFirst = true;
  return (request) => {
    // Tiers are updated after each reply.
    if (!isFirst) tracker.update(toItems(request));
    if (request.compacted !== undefined) tracker.purgeHistory();
    isFirst = false;
    const options = { minCacheableTokens: MIN_CACHED_TOKENS, countTokens: tokensIn };
    return assembleTiered(toInput(request), tracker.placement(), options);
  };
}

function toItems({ files, history, compacted }) {
  const named = [...files].map(([path, content]) => ({ key: `file:${path}`, content }));
  const messages = (compacted ?? history).map(({ content }, index) => ({ key: `history:${index}`, content }));
  // The texts of this benchmark differ in their first characters, so these serve as a hash.
  return [...named, ...messages].map(({ key, content }) => ({
    key,
    hash: content.slice(0, 200),
    tokens: tokensIn(content),
  }));
}

function toInput({ files, history, prompt }) {
  return { systemPrompt: SYSTEM_PROMPT, fileTree: FILE_TREE, files, history, prompt };
}

function markLast(messages) {
  const { role, content } = messages.at(-1);
  return [...messages.slice(0, -1), { role, content: [{ type: 'text', text: content, cacheMarker: true }] }];
}
