import type { ChatService } from '../../chat/index.ts';
import { YoreError } from '../../record/index.ts';
import type { Output } from '../output/output.ts';
import { sanitise, sanitiseLine } from '../output/sanitise.ts';
import { findAttachedImages } from './attached-images.ts';
import { MarkdownStream } from './markdown-stream.ts';

const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Answers the questions from standard input: without a model one on each line, with a model all of it as one. Images that
 * they name, relative to `folder`, are attached. Commands that the reply suggests are not run.
 */
export async function answerPipedQuestions(
  chat: ChatService,
  input: AsyncIterable<Buffer | string>,
  { output, folder }: { readonly output: Output; readonly folder: string },
): Promise<void> {
  const text = await readAll(input);
  const questions = (chat.responderKind === 'memory' ? text.split('\n') : [text])
    .map((question) => question.trim())
    .filter((question) => question !== '');
  if (questions.length === 0) {
    throw new YoreError('USAGE', 'Standard input is empty. Example: echo "what failed?" | yore chat');
  }
  let isCancelled = false;
  const interrupt = (): void => {
    isCancelled = true;
    chat.cancel();
  };
  process.once('SIGINT', interrupt);
  try {
    for (const [index, question] of questions.entries()) {
      if (isCancelled) return;
      if (questions.length > 1) output.lines(...(index > 0 ? [''] : []), `> ${sanitiseLine(question)}`, '');
      await answer(chat, question, { output, folder });
    }
  } finally {
    process.off('SIGINT', interrupt);
  }
}

async function answer(
  chat: ChatService,
  question: string,
  { output, folder }: { readonly output: Output; readonly folder: string },
): Promise<void> {
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
  try {
    await chat.send(question, { images });
  } finally {
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
