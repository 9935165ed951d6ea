/** One message as topics are looked for in it. */
export interface TopicMessage {
  readonly role: string;
  readonly text: string;
}
