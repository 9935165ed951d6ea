/** Prices of a token of input, in units of one that is neither read from nor written to the cache. */
export const PRICES = { fresh: 1, write: 1.25, read: 0.1 };
/** The shortest prefix that is cached. */
export const MINIMUM = 1_024;
const MOST_MARKERS = 4;
/** From each marker, so many blocks are looked at for a prefix that was written before. */
const LOOK_BACK = 20;
const CHARACTERS_PER_TOKEN = 4;

/** Tokens of a text, as all of this benchmark counts them. @param {string} text */
export function tokensIn(text) {
  return text.length / CHARACTERS_PER_TOKEN;
}

/**
 * A provider with a prompt cache that works by markers. A marker writes the prompt up to it into the cache. A request reads
 * the longest prefix, byte for byte, that an earlier request of the session has written and that is at a marker or at
 * most 20 blocks before one; from there to the last marker it writes, and the rest is neither. Requests follow each other
 * fast enough that nothing expires.
 */
export function createProvider() {
  const written = new Set();
  const names = new Map();
  const prefixes = new Map();
  const bill = { read: 0, write: 0, fresh: 0 };
  return {
    bill,
    /** What a prompt costs. @param {readonly import('../../dist/context/index.js').PromptMessage[]} messages */
    send(messages) {
      const blocks = blocksOf(messages);
      let prefix = 0;
      let end = 0;
      for (const block of blocks) {
        prefix = prefixOf(prefix, nameOf(block));
        end += tokensIn(block.text);
        block.prefix = prefix;
        block.end = end;
      }
      const markers = blocks.flatMap((block, index) =>
        block.isMarked && block.end >= MINIMUM ? [index] : [],
      );
      if (blocks.filter(({ isMarked }) => isMarked).length > MOST_MARKERS)
        throw new Error('too many markers');
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
    for (let index = marker; index >= 0 && index > marker - LOOK_BACK; index--) {
      if (written.has(blocks[index].prefix)) return index;
    }
    return -1;
  }

  /** A number for a text with its role and the start of a message. */
  function nameOf({ role, isFirst, text }) {
    const kind = `${role}${isFirst ? '.' : '+'}`;
    if (!names.has(kind)) names.set(kind, new Map());
    const texts = names.get(kind);
    if (!texts.has(text)) texts.set(text, names.size * 1e9 + texts.size);
    return texts.get(text);
  }

  /** A number for a prefix that goes on with a block. */
  function prefixOf(before, name) {
    if (!prefixes.has(before)) prefixes.set(before, new Map());
    const next = prefixes.get(before);
    if (!next.has(name)) next.set(name, ++prefixCount);
    return next.get(name);
  }
}

let prefixCount = 0;

function blocksOf(messages) {
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
