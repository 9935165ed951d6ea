import type { ChatService } from '../../chat/index.ts';
import { YoreError } from '../../record/index.ts';
import type { Output } from '../output/output.ts';
import { sanitise } from '../output/sanitise.ts';
import { attachedImages } from './attached-images.ts';
import { MarkdownStream } from './view/markdown-stream.ts';

/** Larger input is a mistake rather than a question. */
const MOST_BYTES = 4 * 1024 * 1024;

/** Answers one question that comes from a pipe or a file, and ends. Images that it names from `folder` go with it. Commands that the reply suggests are not run. */
export async function pipedChat(
  chat: ChatService,
  input: AsyncIterable<Buffer | string>,
  { output, folder }: { readonly output: Output; readonly folder: string },
): Promise<void> {
  const question = await readAll(input);
  if (question.trim() === '') {
    throw new YoreError(
      'USAGE',
      'There is no question on standard input. Try: echo "what failed?" | yore chat',
    );
  }
  const { style, symbols, columns, out } = output;
  const looks = out.terminal.isTerminal
    ? new MarkdownStream({ style, symbols, columns: () => columns })
    : undefined;
  const images = attachedImages(question, folder).map(({ dataUri }) => dataUri);
  let text = '';
  const stopListening = chat.on((event) => {
    if (event.type === 'notice') output.notice(event.text);
    if (event.type !== 'chunk') return;
    text += event.text;
    out.write(looks === undefined ? sanitise(event.text) : looks.write(event.text).printed);
  });
  const interrupt = (): void => void chat.cancel();
  process.once('SIGINT', interrupt);
  try {
    await chat.send(question.trim(), { images });
  } finally {
    process.off('SIGINT', interrupt);
    stopListening();
    if (looks !== undefined) out.write(looks.end().printed);
    else if (text !== '' && !text.endsWith('\n')) out.write('\n');
  }
}

async function readAll(input: AsyncIterable<Buffer | string>): Promise<string> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of input) {
    const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
    size += bytes.length;
    if (size > MOST_BYTES)
      throw new YoreError(
        'LIMIT',
        'More than 4 MB on standard input. Name the file in the question instead.',
      );
    pieces.push(bytes);
  }
  return Buffer.concat(pieces).toString('utf8');
}
