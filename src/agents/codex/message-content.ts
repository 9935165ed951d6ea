import { asList, asObjects, asText } from '../transcript/fields.ts';
import type { TranscriptImage } from '../transcript/transcript-event.ts';

/** Around images in a message stand tags that name them. */
const IMAGE_TAG = /^<\/?image\b[^<>]*>$/;
const DATA_URL = /^data:([\w.+-]+\/[\w.+-]+);base64,/;

/** The texts in the content of a message, which is a list of parts, or in old files a text. */
export function textsOf(content: unknown): readonly string[] {
  if (typeof content === 'string') return [content];
  return asObjects(content)
    .flatMap((part) => asText(part.text) ?? [])
    .filter((text) => !IMAGE_TAG.test(text.trim()));
}

/** The images among the parts of a message, or in a list of addresses. Only those that are in the transcript itself. */
export function imagesOf(parts: unknown): readonly TranscriptImage[] {
  return asList(parts).flatMap((part) => {
    const address = typeof part === 'string' ? part : addressOf(part);
    const mediaType = DATA_URL.exec(address.slice(0, 200));
    return mediaType?.[1] === undefined
      ? []
      : [{ mediaType: mediaType[1], base64: address.slice(mediaType[0].length) }];
  });
}

function addressOf(part: unknown): string {
  const [fields] = asObjects([part]);
  return fields?.type === 'input_image' ? (asText(fields.image_url) ?? '') : '';
}
