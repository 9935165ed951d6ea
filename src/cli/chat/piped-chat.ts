import type { ChatService } from '../../chat/index.ts';
import { YoreError } from '../../record/index.ts';
import type { Output } from '../output/output.ts';
import { sanitise } from '../output/sanitise.ts';
import { findAttachedImages } from './attached-images.ts';
import { MarkdownStream } from './markdown-stream.ts';

const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Answers one question from standard input. Images that it names, relative to `folder`, are attached. Commands that the
 * reply suggests are not run.
 */
export async function answerPipedQuestion(
  chat: ChatService,
  input: AsyncIterable<Buffer | string>,
  { output, folder }: { readonly output: Output; readonly folder: string },
): Promise<void> {
  const question = await readAll(input);
  if (question.trim() === '') {
    throw new YoreError('USAGE', 'Standard input is empty. Example: echo "what failed?" | yore chat');
  }
  const { style, symbols, columns, out } = output;
  const markdown = out.terminal.isTerminal ? new MarkdownStream({ style, symbols, columns: () => columns }) : undefined;
  const images = findAttachedImages(question, folder).map(({ dataUri }) => dataUri);
  let text = '';
  const stopListening = chat.on((event) => {
    if (event.type === 'notice') output.notice(event.text);
    if (event.type !== 'chunk') return;
    text += event.text;
    out.write(markdown === undefined ? sanitise(event.text) : markdown.write(event.text).printed);
  });
  const interrupt = (): void => void chat.cancel();
  process.once('SIGINT', interrupt);
  try {
    await chat.send(question.trim(), { images });
  } finally {
    process.off('SIGINT', interrupt);
    stopListening();
    if (markdown !== undefined) out.write(markdown.end().printed);
    else if (text !== '' && !text.endsWith('\n')) out.write('\n');
  }
}

async function readAll(input: AsyncIterable<Buffer | string>): Promise<string> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of input) {
    const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
    size += bytes.length;
    if (size > MAX_BYTES)
      throw new YoreError('LIMIT', 'Standard input is larger than 4 MB. Mention the file in your question instead.');
    pieces.push(bytes);
  }
  return Buffer.concat(pieces).toString('utf8');
}
