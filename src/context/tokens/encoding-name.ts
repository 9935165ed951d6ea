/** The encodings of OpenAI's models, for which counts are exact. */
export type EncodingName = 'o200k_base' | 'cl100k_base';
