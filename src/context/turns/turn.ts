/** One message of the history that a model is sent. */
export interface Turn {
  readonly role: 'user' | 'assistant';
  readonly content: string;
}
