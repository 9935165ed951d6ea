/** Text inside a message that has several parts. */
export interface TextBlock {
  readonly type: 'text';
  readonly text: string;
  /** The prompt up to the end of this block is worth caching. At most four blocks of a prompt carry it. */
  readonly cacheMarker?: true;
}

/** A picture, as base64. Never carries a cache marker. */
export interface ImageBlock {
  readonly type: 'image';
  /** For instance `image/png`. */
  readonly mediaType: string;
  readonly base64: string;
}

/** What a message with several parts is made of. */
export type ContentBlock = TextBlock | ImageBlock;

/** One message as it is sent to a model, in no provider's format. */
export interface PromptMessage {
  readonly role: 'system' | 'user' | 'assistant';
  /** A plain string unless there is a picture or a cache marker. */
  readonly content: string | readonly ContentBlock[];
}
