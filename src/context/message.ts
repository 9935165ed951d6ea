/** One message of the history that a model is sent. */
export interface Turn {
  readonly role: 'user' | 'assistant';
  readonly content: string;
}

/** Text inside a message with several parts. */
export interface TextBlock {
  readonly type: 'text';
  readonly text: string;
  /** The prompt up to the end of this block is worth caching. At most four blocks of a prompt carry a marker. */
  readonly cacheMarker?: true;
}

/** An image as base64. Never carries a cache marker. */
export interface ImageBlock {
  readonly type: 'image';
  /** For example `image/png`. */
  readonly mediaType: string;
  readonly base64: string;
}

/** A part of a message. */
export type ContentBlock = TextBlock | ImageBlock;

/** A message to a model, in no provider's format. */
export interface PromptMessage {
  readonly role: 'system' | 'user' | 'assistant';
  /** A plain string, unless the message has an image or a cache marker. */
  readonly content: string | readonly ContentBlock[];
}
