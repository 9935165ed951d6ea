import type { ImageBlock } from '../context/assembly/prompt.ts';

const DATA_URI = /^data:([a-z0-9.+/-]+);(?:[^;,]*;)*base64,/i;

/** Images as a model is sent them, from data URIs. What is no data URI is left out: the history refuses it with an error. */
export function imageBlocks(dataUris: readonly string[]): readonly ImageBlock[] {
  return dataUris.flatMap((uri) => {
    const head = DATA_URI.exec(uri.slice(0, 200));
    if (head?.[1] === undefined) return [];
    return [{ type: 'image', mediaType: head[1].toLowerCase(), base64: uri.slice(head[0].length) }];
  });
}
