import type { ChatCommands, ChatEvent } from '../../chat/index.ts';
import { YoreError } from '../../record/index.ts';
import { formatNumber } from '../../text/format-count.ts';
import { warningLines } from '../output/memory-lines.ts';
import type { Output } from '../output/output.ts';
import { sanitise, sanitiseLine } from '../output/sanitise.ts';
import { findAttachedImages } from './attached-images.ts';
import type { Prompter } from './editor/prompter.ts';
import { MarkdownStream } from './markdown-stream.ts';
import { runSlashCommand, type SlashContext } from './slash-commands.ts';
import { formatStatusLine } from './status-text.ts';

interface ChatLoopOptions extends SlashContext {
  readonly prompter: Prompter;
  readonly columns: () => number;
  /** Called with every message that is sent. */
  readonly onAsked: (text: string) => void;
}

/** A chat in the terminal: reads messages and commands and shows the replies until the user leaves. */
export class ChatLoop {
  readonly #options: ChatLoopOptions;
  #reply: MarkdownStream | undefined;

  constructor(options: ChatLoopOptions) {
    this.#options = options;
  }

  /** Resolves when the user leaves. */
  async run(): Promise<void> {
    const { chat, prompter, output } = this.#options;
    const stopListening = chat.on((event) => this.#show(event));
    let isLeaving = false;
    // Counting the tokens of a restored session loads the tokenizer (a quarter of a second): show the input line first.
    prompter.setStatus(output.join(chat.responderName, '/help'));
    const counting = setImmediate(() => this.#showStatus());
    try {
      for (let turn = 0; ; turn++) {
        if (turn > 0) this.#showStatus();
        const input = await prompter.read();
        if (input.kind === 'leave' || (input.kind === 'interrupt' && isLeaving)) return;
        isLeaving = input.kind === 'interrupt';
        if (input.kind === 'interrupt') prompter.print(output.style.dim('Press Ctrl-C again to leave.'));
        else await this.#handle(input.text);
      }
    } finally {
      clearImmediate(counting);
      stopListening();
    }
  }

  async #handle(text: string): Promise<void> {
    const { prompter, output } = this.#options;
    prompter.print(`${output.style.cyan(output.symbols.pointer)} ${output.style.bold(sanitise(text))}`);
    try {
      if (text.startsWith('/')) this.#print(await runSlashCommand(text, this.#options));
      else await this.#ask(text.trim());
    } catch (error) {
      if (!(error instanceof YoreError)) throw error;
      prompter.print(output.style.red(sanitise(error.message)));
    }
  }

  async #ask(text: string): Promise<void> {
    const { chat, prompter, folder, output, onAsked } = this.#options;
    const images = findAttachedImages(text, folder);
    for (const { path } of images) prompter.print(output.style.dim(`attached ${sanitiseLine(path)}`));
    onAsked(text);
    const asking = chat.send(text, { images: images.map(({ dataUri }) => dataUri) });
    prompter.setStatus(output.join('replying', 'Ctrl-C stops'));
    const reply = await prompter.during(asking, () => chat.cancel());
    if (reply.cancelled) return;
    for (const command of reply.commands) {
      this.#showStatus();
      await offerCommand(command, { commands: chat.commands, prompter, output });
    }
  }

  #show(event: ChatEvent): void {
    const { prompter, output } = this.#options;
    const { dim, yellow } = output.style;
    switch (event.type) {
      case 'chunk':
        this.#showChunk(event.text);
        break;
      case 'notice':
        this.#print(dim(sanitise(event.text)));
        break;
      case 'complete':
        this.#endReply();
        if (event.reply.cancelled) this.#print(yellow('stopped'));
        break;
      case 'failed':
        this.#endReply();
        break;
      case 'compaction-start':
        prompter.setStatus('compacting the history');
        break;
      case 'compaction-complete':
        if (event.case !== 'none') this.#print(dim(formatCompaction(event)));
        this.#showStatus();
        break;
      case 'compaction-error':
        this.#print(yellow(sanitise(event.error.message)));
        this.#showStatus();
        break;
    }
  }

  #print(text: string): void {
    if (text !== '') this.#options.prompter.print(text);
  }

  #showChunk(text: string): void {
    const { prompter, output, columns } = this.#options;
    this.#reply ??= new MarkdownStream({ style: output.style, symbols: output.symbols, columns });
    const { partial, printed } = this.#reply.write(text);
    prompter.setPartial(partial, printed);
  }

  #endReply(): void {
    if (this.#reply === undefined) return;
    const { printed } = this.#reply.end();
    this.#reply = undefined;
    this.#options.prompter.setPartial('', printed);
  }

  #showStatus(): void {
    const { prompter, chat, output } = this.#options;
    if (!chat.isStreaming) prompter.setStatus(formatStatusLine(chat.status(), output));
  }
}

function formatCompaction(event: Extract<ChatEvent, { type: 'compaction-complete' }>): string {
  const how = event.case === 'truncate' ? 'cut at the last topic boundary' : 'older messages summarised';
  const sizes = `from ${formatNumber(event.tokensBefore)} to ${formatNumber(event.tokensAfter)} tokens`;
  return `Compacted the history ${sizes}: ${how}. Everything stays searchable.`;
}

interface OfferContext {
  readonly commands: ChatCommands;
  readonly prompter: Prompter;
  readonly output: Output;
}

/**
 * Offers to run a command that a reply suggests: yes, no, or edit it first. Shows the guard's warning, if any. Nothing
 * runs without a yes.
 */
export async function offerCommand(command: string, context: OfferContext): Promise<void> {
  const { commands, prompter, output } = context;
  const { style } = output;
  let offered = command;
  for (;;) {
    const warning = commands.warn(offered);
    if (warning !== undefined) prompter.print(warningLines(warning, output).join('\n'));
    const what = style.bold(sanitiseLine(offered));
    const question = warning === undefined ? `Run ${what}?` : `Run ${what} anyway?`;
    const answer = await prompter.ask(`${question} (y/n/e to edit)`, 'yen');
    const edited = answer === 'e' ? await prompter.edit(offered) : undefined;
    if (edited !== undefined && edited.trim() !== '') {
      offered = edited.trim();
      continue;
    }
    if (answer === 'y') await runCommand(offered, context);
    else prompter.print(style.dim(`not run: ${sanitiseLine(offered)}`));
    return;
  }
}

async function runCommand(command: string, { commands, prompter, output }: OfferContext): Promise<void> {
  const { style, symbols } = output;
  const abort = new AbortController();
  prompter.print(style.bold(style.cyan(`$ ${sanitiseLine(command)}`)));
  let rest = '';
  const onOutput = (text: string): void => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    if (lines.length > 0) prompter.print(sanitise(lines.join('\n')));
  };
  const running = commands.run(command, { onOutput, signal: abort.signal });
  const { status, exitCode } = await prompter.during(running, () => abort.abort());
  if (rest !== '') prompter.print(sanitise(rest));
  if (status === 'ok') prompter.print(style.green(`${symbols.success} done`));
  else if (status === 'interrupted') prompter.print(style.yellow('stopped'));
  else {
    const exit = exitCode === undefined ? '' : ` with exit code ${exitCode}`;
    prompter.print(style.red(`${symbols.failure} failed${exit}`));
  }
}
