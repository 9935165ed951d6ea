import { asFields, asList, asName, asText, type Fields } from '../transcript/fields.ts';
import type { TranscriptImage } from '../transcript/transcript-event.ts';

/** Content as Gemini keeps it, a text, a part or a list of them, taken apart by kind. Thoughts are left out. */
export interface GeminiParts {
  readonly texts: readonly string[];
  readonly images: readonly TranscriptImage[];
  readonly calls: readonly Fields[];
  readonly responses: readonly Fields[];
}

/** Takes content apart. What is no content has no parts. */
export function geminiParts(content: unknown): GeminiParts {
  const texts: string[] = [];
  const images: TranscriptImage[] = [];
  const calls: Fields[] = [];
  const responses: Fields[] = [];
  for (const item of Array.isArray(content) ? asList(content) : [content]) {
    if (typeof item === 'string') texts.push(item);
    const part = asFields(item);
    if (!part || part.thought === true) continue;
    const text = asText(part.text);
    const call = asFields(part.functionCall);
    const response = asFields(part.functionResponse);
    if (text !== undefined) texts.push(text);
    if (call) calls.push(call);
    if (response) responses.push(response);
    images.push(...imageOf(asFields(part.inlineData)));
  }
  return { texts: texts.filter((text) => text !== ''), images, calls, responses };
}

function imageOf(data: Fields | undefined): readonly TranscriptImage[] {
  const base64 = asText(data?.data);
  const mediaType = asName(data?.mimeType);
  return base64 && mediaType?.startsWith('image/') ? [{ mediaType, base64 }] : [];
}
