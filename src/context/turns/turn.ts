/** One message of the working copy of a session: what was said and by whom, nothing else. */
export interface Turn {
  readonly role: 'user' | 'assistant';
  readonly content: string;
}
