import type { ChatEvent } from '../../chat/index.ts';
import { YoreError } from '../../record/index.ts';
import type { Output } from '../output/output.ts';
import { formatCount } from '../output/quantity.ts';
import { sanitise, sanitiseLine } from '../output/sanitise.ts';
import { attachedImages } from './attached-images.ts';
import type { Prompter } from './editor/prompter.ts';
import { offerCommand } from './offer-command.ts';
import { runSlashCommand, type SlashContext } from './slash-commands.ts';
import { MarkdownStream } from './view/markdown-stream.ts';
import { statusLine } from './view/status-line.ts';

/** What a chat in the terminal is made of. */
export interface ChatLoopOptions extends SlashContext {
  readonly prompter: Prompter;
  readonly columns: () => number;
  /** Told of everything that is asked. */
  readonly onAsked: (text: string) => void;
}

/** A chat in the terminal: reads, asks, shows what happens, until the user leaves. */
export class ChatLoop {
  readonly #options: ChatLoopOptions;
  #reply: MarkdownStream | undefined;

  constructor(options: ChatLoopOptions) {
    this.#options = options;
  }

  /** Resolves when the user leaves. */
  async run(): Promise<void> {
    const { chat, prompter } = this.#options;
    const stopListening = chat.on((event) => this.#show(event));
    let mayLeave = false;
    try {
      for (;;) {
        this.#showStatus();
        const entered = await prompter.read();
        if (entered.kind === 'leave' || (entered.kind === 'interrupt' && mayLeave)) return;
        mayLeave = entered.kind === 'interrupt';
        if (entered.kind === 'interrupt') prompter.print(this.#style.dim('Ctrl-C again leaves.'));
        else await this.#take(entered.text);
      }
    } finally {
      stopListening();
    }
  }

  get #style(): Output['style'] {
    return this.#options.output.style;
  }

  async #take(text: string): Promise<void> {
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
    const images = attachedImages(text, folder);
    for (const { path } of images) prompter.print(output.style.dim(`with ${sanitiseLine(path)}`));
    onAsked(text);
    const asking = chat.send(text, { images: images.map(({ dataUri }) => dataUri) });
    prompter.setStatus(`answering ${output.symbols.separator} Ctrl-C stops`);
    const reply = await prompter.during(asking, () => chat.cancel());
    if (reply.cancelled) return;
    for (const command of reply.commands) {
      this.#showStatus();
      await offerCommand(command, { commands: chat.commands, prompter, output });
    }
  }

  #show(event: ChatEvent): void {
    const { dim, yellow } = this.#style;
    if (event.type === 'chunk') this.#say(event.text);
    else if (event.type === 'notice') this.#print(dim(sanitise(event.text)));
    else if (event.type === 'complete' || event.type === 'failed') this.#endReply();
    else if (event.type === 'compaction-start') this.#options.prompter.setStatus('shortening the history');
    else if (event.type === 'compaction-complete' && event.case !== 'none')
      this.#print(dim(compactionLine(event)));
    else if (event.type === 'compaction-error') this.#print(yellow(sanitise(event.error.message)));
    if (event.type === 'complete' && event.reply.cancelled) this.#print(yellow('stopped'));
    if (event.type === 'compaction-complete' || event.type === 'compaction-error') this.#showStatus();
  }

  #print(text: string): void {
    if (text !== '') this.#options.prompter.print(text);
  }

  #say(text: string): void {
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
    if (!chat.isStreaming) prompter.setStatus(statusLine(chat.status(), output.symbols));
  }
}

function compactionLine(event: Extract<ChatEvent, { type: 'compaction-complete' }>): string {
  const how = event.case === 'truncate' ? 'cut where the topic changed' : 'its older part is summarised';
  const sizes = `from ${formatCount(event.tokensBefore)} to ${formatCount(event.tokensAfter)} tokens`;
  return `History shortened ${sizes}: ${how}. All of it stays searchable.`;
}
