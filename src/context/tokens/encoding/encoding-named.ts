import type { EncodingName } from '../models.ts';
import { Encoding } from './encoding.ts';
import { loadVocabulary } from './load-vocabulary.ts';
import { splitCl100k, splitO200k } from './split-rules.ts';

const SPLIT_RULES = { o200k_base: splitO200k, cl100k_base: splitCl100k } as const;
const encodings = new Map<EncodingName, Encoding | undefined>();

/** The encoding of that name, loaded at the first call and kept; undefined when it cannot be loaded. */
export function encodingNamed(name: EncodingName): Encoding | undefined {
  if (!encodings.has(name)) encodings.set(name, load(name));
  return encodings.get(name);
}

function load(name: EncodingName): Encoding | undefined {
  try {
    return new Encoding(loadVocabulary(name), SPLIT_RULES[name]);
  } catch {
    return undefined;
  }
}
