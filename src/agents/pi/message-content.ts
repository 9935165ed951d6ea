import { asFields, asList, asName, asText, type Fields } from '../transcript/fields.ts';
import type { TranscriptImage } from '../transcript/transcript-event.ts';

/** The parts of a message of pi, by kind; thinking is left out. */
export interface MessageContent {
  readonly text: string;
  readonly images: readonly TranscriptImage[];
  readonly calls: readonly Fields[];
}

/** Takes the content of a message apart: a text, or a list of blocks. */
export function piContent(content: unknown): MessageContent {
  if (typeof content === 'string') return { text: content, images: [], calls: [] };
  const texts: string[] = [];
  const images: TranscriptImage[] = [];
  const calls: Fields[] = [];
  for (const item of asList(content)) {
    const block = asFields(item);
    if (block?.type === 'text') texts.push(asText(block.text) ?? '');
    if (block?.type === 'toolCall') calls.push(block);
    if (block?.type !== 'image') continue;
    const base64 = asText(block.data);
    const mediaType = asName(block.mimeType);
    if (base64 && mediaType) images.push({ mediaType, base64 });
  }
  return { text: texts.filter((text) => text !== '').join('\n'), images, calls };
}

/** A file named on the command line, or a skill that was called: pi puts its whole text before the prompt. */
const INSERTED = /\s*<(file|skill) name="[^"\n]{0,4000}"[^>\n]{0,4000}>/y;

/** What the user typed, without the files and skills that pi put before it. */
export function typedText(text: string): string {
  let start = 0;
  for (;;) {
    INSERTED.lastIndex = start;
    const opening = INSERTED.exec(text);
    const closing = `</${opening?.[1]}>`;
    const end = opening ? text.indexOf(closing, INSERTED.lastIndex) : -1;
    if (end < 0) return start === 0 ? text : text.slice(start).trim();
    start = end + closing.length;
  }
}
