/** Prices of input tokens, relative to a token without caching. */
export const PRICES = { fresh: 1, write: 1.25, read: 0.1 };
/** Shorter prefixes are not cached. */
export const MIN_CACHED_TOKENS = 1_024;
const MAX_MARKERS = 4;
/** How many blocks before each marker are searched for a cached prefix. */
const LOOKBACK_BLOCKS = 20;
const CHARACTERS_PER_TOKEN = 4;

/** The number of tokens of a text, as this benchmark estimates it. @param {string} text */
export function tokensIn(text) {
  return text.length / CHARACTERS_PER_TOKEN;
}

/**
 * A simulated provider with a prompt cache, as Anthropic documents it. A marker caches the prompt up to it. A request
 * reads the longest cached prefix that ends at a marker or at most 20 blocks before one, writes from there to its last
 * marker, and pays the normal price for the rest. Nothing expires.
 */
export function createProvider() {
  const written = new Set();
  const names = new Map();
  const prefixes = new Map();
  const bill = { read: 0, write: 0, fresh: 0 };
  return {
    bill,
    /** Sends a prompt and returns its cost. @param {readonly import('../../dist/context/index.js').PromptMessage[]} messages */
    send(messages) {
      const blocks = toBlocks(messages);
      let prefix = 0;
      let end = 0;
      for (const block of blocks) {
        prefix = prefixId(prefix, blockId(block));
        end += tokensIn(block.text);
        block.prefix = prefix;
        block.end = end;
      }
      const markers = blocks.flatMap((block, index) =>
        block.isMarked && block.end >= MIN_CACHED_TOKENS ? [index] : [],
      );
      if (blocks.filter(({ isMarked }) => isMarked).length > MAX_MARKERS) throw new Error('too many markers');
      const hit = Math.max(-1, ...markers.map((marker) => lookBack(blocks, marker)));
      for (const marker of markers) written.add(blocks[marker].prefix);
      const read = blocks[hit]?.end ?? 0;
      const last = Math.max(read, blocks[markers.at(-1)]?.end ?? 0);
      bill.read += read;
      bill.write += last - read;
      bill.fresh += end - last;
      return PRICES.read * read + PRICES.write * (last - read) + PRICES.fresh * (end - last);
    },
  };

  function lookBack(blocks, marker) {
    for (let index = marker; index >= 0 && index > marker - LOOKBACK_BLOCKS; index--) {
      if (written.has(blocks[index].prefix)) return index;
    }
    return -1;
  }

  /** A number that identifies a block by its text, role and whether it starts a message. */
  function blockId({ role, isFirst, text }) {
    const kind = `${role}${isFirst ? '.' : '+'}`;
    if (!names.has(kind)) names.set(kind, new Map());
    const texts = names.get(kind);
    if (!texts.has(text)) texts.set(text, names.size * 1e9 + texts.size);
    return texts.get(text);
  }

  /** A number that identifies the prefix that `before` and the next block form. */
  function prefixId(before, name) {
    if (!prefixes.has(before)) prefixes.set(before, new Map());
    const next = prefixes.get(before);
    if (!next.has(name)) next.set(name, ++prefixCount);
    return next.get(name);
  }
}

let prefixCount = 0;

function toBlocks(messages) {
  return messages.flatMap(({ role, content }) => {
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
    return blocks.map((block, index) => ({
      role,
      isFirst: index === 0,
      text: block.type === 'text' ? block.text : block.base64,
      isMarked: block.cacheMarker === true,
    }));
  });
}
