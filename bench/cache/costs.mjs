import { createProvider, MINIMUM, PRICES, tokensIn } from './provider.mjs';

/** As long as the system prompts and tool descriptions of coding agents usually are at least. */
const SYSTEM_PROMPT = 'You are a careful engineer.\n'.repeat(860);
const FILE_TREE = 'src/some/folder/file.ts\n'.repeat(170);

/**
 * What the requests of a session cost, by the way in which they are sent.
 * @param {readonly import('./workloads.mjs').Request[]} requests
 * @param {any} product the module `context/index.js` of a build
 */
export function costsOf(requests, product) {
  return {
    none: costOf(requests, (request) => product.assembleFlat(inputOf(request))),
    last: costOf(requests, (request) => markLast(product.assembleFlat(inputOf(request)))),
    tiered: costOf(requests, tiered(product)),
    bound: boundOf(requests),
  };
}

function costOf(requests, assemble) {
  const provider = createProvider();
  return requests.reduce((sum, request) => sum + provider.send(assemble(request)), 0);
}

/** Every item that was in the previous request at the price of reading, all else at the price of writing. */
function boundOf(requests) {
  let before = new Map();
  let cost = 0;
  for (const { files, history, prompt } of requests) {
    const texts = [
      SYSTEM_PROMPT,
      FILE_TREE,
      ...files.values(),
      ...history.map(({ content }) => content),
      prompt,
    ];
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
    cacheTargetTokens: defaultCacheTarget({ minCacheableTokens: MINIMUM }),
  });
  let isFirst = true;
  return (request) => {
    // The tiers are updated after each reply, which is all that happens between two requests.
    if (!isFirst) tracker.update(itemsOf(request));
    if (request.compacted !== undefined) tracker.purgeHistory();
    isFirst = false;
    const options = { minCacheableTokens: MINIMUM, countTokens: tokensIn };
    return assembleTiered(inputOf(request), tracker.placement(), options);
  };
}

function itemsOf({ files, history, compacted }) {
  const named = [...files].map(([path, content]) => ({ key: `file:${path}`, content }));
  const messages = (compacted ?? history).map(({ content }, index) => ({ key: `history:${index}`, content }));
  // Texts of this benchmark differ within their first characters.
  return [...named, ...messages].map(({ key, content }) => ({
    key,
    hash: content.slice(0, 200),
    tokens: tokensIn(content),
  }));
}

function inputOf({ files, history, prompt }) {
  return { systemPrompt: SYSTEM_PROMPT, fileTree: FILE_TREE, files, history, prompt };
}

function markLast(messages) {
  const { role, content } = messages.at(-1);
  return [...messages.slice(0, -1), { role, content: [{ type: 'text', text: content, cacheMarker: true }] }];
}
