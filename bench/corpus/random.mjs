/**
 * A seeded generator of 32-bit integers (sfc32), with the same sequence on every machine.
 * @param {string} seed
 */
export function createRandom(seed) {
  let a = 0x9e3779b9;
  let b = 0x243f6a88;
  let c = 0xb7e15162;
  let d = 1;
  const next = () => {
    const sum = (a + b + d++) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    c |= 0;
    return sum >>> 0;
  };
  for (let index = 0; index < seed.length; index++) {
    a ^= Math.imul(seed.charCodeAt(index) + index, 0x85ebca6b);
    next();
  }
  for (let index = 0; index < 16; index++) next();
  return {
    next,
    /** 0 to `count` - 1. @param {number} count */
    below: (count) => Math.floor((next() / 4294967296) * count),
    /** `low` to `high`, both included. @param {number} low @param {number} high */
    between: (low, high) => low + Math.floor((next() / 4294967296) * (high - low + 1)),
    /** True with probability `share`. @param {number} share */
    chance: (share) => next() < share * 4294967296,
    /** @template T @param {readonly T[]} list @returns {T} */
    pick: (list) => list[Math.floor((next() / 4294967296) * list.length)],
    /** `digits` hexadecimal characters. @param {number} digits */
    hex: (digits) => {
      let text = '';
      while (text.length < digits) text += next().toString(16).padStart(8, '0');
      return text.slice(0, digits);
    },
  };
}

/**
 * Samples a list by Zipf's law: the item of rank r has a weight of 1 / (r + flatness). The default resembles words in
 * text.
 * @template T @param {readonly T[]} items most frequent first @param {number} flatness
 */
export function createZipf(items, flatness = 2.7) {
  const bits = 20;
  const table = new Uint32Array(1 << bits);
  const weights = items.map((_, rank) => 1 / (rank + flatness));
  const total = weights.reduce((a, b) => a + b, 0);
  let filled = 0;
  let weight = 0;
  items.forEach((_, rank) => {
    weight += weights[rank];
    const end = rank === items.length - 1 ? table.length : Math.round((weight / total) * table.length);
    table.fill(rank, filled, end);
    filled = Math.max(filled, end);
  });
  const shift = 32 - bits;
  return {
    /** @param {{next: () => number}} random @returns {T} */
    sample: (random) => items[table[random.next() >>> shift]],
  };
}
