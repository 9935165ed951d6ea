import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { EncodingName } from '../models.ts';
import { ByteTable, hashOf } from './byte-table.ts';

const SPACE = 0x20;
const NEWLINE = 0x0a;
const PADDING = 0x3d;
const ZERO = 0x30;
const MAX_TOKEN_BYTES = 1024;
const BITS_OF_BASE64 = bitsOfBase64();

/**
 * The tokens of an encoding, each under its rank, from the package gpt-tokenizer. Throws when the package is not there
 * or its data is not what it should be.
 */
export function loadVocabulary(name: EncodingName): ByteTable {
  const path = createRequire(import.meta.url).resolve(`gpt-tokenizer/data/${name}.tiktoken`);
  return readVocabulary(readFileSync(path));
}

/** Reads lines of a token in base64 and its rank, which counts up from 0. Throws where it does not. */
export function readVocabulary(file: Uint8Array): ByteTable {
  const vocabulary = new ByteTable(countLines(file), file.length);
  const token = new Uint8Array(MAX_TOKEN_BYTES);
  let at = 0;
  while (at < file.length) {
    const lineStart = at;
    let length = 0;
    // Beyond the end there is no byte, and no bits of it.
    for (; file[at] !== SPACE && length <= MAX_TOKEN_BYTES; at += 4) {
      const bits =
        (bitsAt(file, at) << 18) |
        (bitsAt(file, at + 1) << 12) |
        (bitsAt(file, at + 2) << 6) |
        bitsAt(file, at + 3);
      token[length++] = bits >> 16;
      if (file[at + 2] !== PADDING) token[length++] = bits >> 8;
      if (file[at + 3] !== PADDING) token[length++] = bits;
    }
    let rank = 0;
    for (at++; at < file.length && file[at] !== NEWLINE; at++) rank = rank * 10 + (file[at] as number) - ZERO;
    at++;
    if (rank !== vocabulary.size || length > MAX_TOKEN_BYTES)
      throw new Error(`no token with its rank at byte ${lineStart}`);
    vocabulary.add(token, 0, length, hashOf(token, 0, length));
  }
  return vocabulary;
}

function bitsAt(file: Uint8Array, at: number): number {
  return BITS_OF_BASE64[file[at] as number] as number;
}

function countLines(file: Uint8Array): number {
  let lines = 1;
  for (let at = file.indexOf(NEWLINE); at !== -1; at = file.indexOf(NEWLINE, at + 1)) lines++;
  return lines;
}

function bitsOfBase64(): Uint8Array {
  const bits = new Uint8Array(256);
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  for (let index = 0; index < alphabet.length; index++) bits[alphabet.charCodeAt(index)] = index;
  return bits;
}
