import { OfflineDetector } from '../context/compaction/offline-detector.ts';
import type { TopicDetector } from '../context/compaction/topic-boundary.ts';
import { ContextManager } from '../context/context-manager.ts';
import { suggestedCommands } from '../context/turns/suggested-commands.ts';
import type { Home, Project } from '../project/index.ts';
import { type Message, randomHex, type SessionSummary, type Usage, YoreError } from '../record/index.ts';
import type { SearchQuery } from '../search/index.ts';
import { ChatCommands } from './chat-commands.ts';
import type { ChatEvent, ChatReply } from './chat-event.ts';
import { type ChatState, type ChatStatus, tierStatus } from './chat-status.ts';
import { CompactionTask } from './compaction-task.ts';
import { PromptMaker } from './prompt-maker.ts';
import { replyError } from './reply-error.ts';
import { ReplyInProgress } from './reply-in-progress.ts';
import type { Responder } from './responder.ts';
import { type ChatSearch, matchingTurns } from './search-turns.ts';
import { SelectedFiles } from './selected-files.ts';
import { SessionLog } from './session-log.ts';

/** What a {@link ChatService} is made of. */
export interface ChatOptions {
  readonly home: Home;
  readonly project: Project;
  /** The folder of the checkout: files are read and commands are run in it. */
  readonly root: string;
  readonly responder: Responder;
  /** Finds where the topic changed when the history is shortened. Default: the offline detector. */
  readonly detector?: TopicDetector;
  /** The environment of commands that are run. Default: empty. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly now?: () => number;
  /** How long after a reply the history is shortened. Default 500. */
  readonly compactionDelayMs?: number;
  /** Takes what was said and done into the project's knowledge, at the end. Default: that of the project, at once. */
  readonly synthesise?: () => Promise<void>;
}

/** What goes with a question. */
export interface SendOptions {
  /** Data URIs. They are kept with the message and sent with this request only. */
  readonly images?: readonly string[];
}

/** Said at the end of a reply that was stopped, in the history and to the model. */
export const STOPPED_MARK = '[stopped by the user]';

/**
 * A chat about a project: one session at a time, one reply at a time. Everything that happens is told to the listeners;
 * what is said is in the history before the model is asked and after it answered.
 */
export class ChatService {
  readonly commands: ChatCommands;
  readonly #options: ChatOptions;
  readonly #context: ContextManager;
  readonly #log: SessionLog;
  readonly #files: SelectedFiles;
  readonly #prompts: PromptMaker;
  readonly #compaction: CompactionTask;
  readonly #listeners = new Set<(event: ChatEvent) => void>();
  #current:
    | { readonly requestId: string; readonly abort: AbortController; readonly replying: Promise<ChatReply> }
    | undefined;
  #hasSpoken = false;

  constructor(options: ChatOptions) {
    const { project, root, env = {}, now = Date.now, responder } = options;
    const { config } = project;
    const cacheTargetTokens = config.get('context.cacheTargetTokens');
    this.#options = options;
    this.#log = new SessionLog(project.history);
    this.#context = new ContextManager({
      model: responder.name,
      root,
      systemPrompt: '',
      ...(cacheTargetTokens === undefined ? {} : { cacheTargetTokens }),
      compaction: {
        enabled: config.get('compaction.enabled'),
        triggerTokens: config.get('compaction.triggerTokens'),
        verbatimWindowTokens: config.get('compaction.verbatimWindowTokens'),
        summaryBudgetTokens: config.get('compaction.summaryBudgetTokens'),
        minVerbatimExchanges: config.get('compaction.minVerbatimExchanges'),
        detector: options.detector ?? new OfflineDetector(),
      },
    });
    this.#files = new SelectedFiles(this.#context.files, root);
    this.commands = new ChatCommands({
      recorder: project.recorder(root),
      root,
      env,
      now,
      sessionId: () => this.#log.begin(),
    });
    this.#compaction = new CompactionTask({
      context: this.#context,
      log: this.#log,
      emit: (event) => this.#emit(event),
      delayMs: options.compactionDelayMs ?? 500,
    });
    this.#prompts = new PromptMaker({
      project,
      root,
      context: this.#context,
      log: this.#log,
      notice: (text) => this.#emit({ type: 'notice', text }),
    });
    this.#prompts.startOver();
  }

  /** Tells a listener of everything that happens from now on. Returns a function that ends it. */
  on(listener: (event: ChatEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  get isStreaming(): boolean {
    return this.#current !== undefined;
  }

  /**
   * Asks. Resolves when the reply ended or was cancelled; rejects with BUSY while another is made, and with MODEL or
   * OVERFLOW when there is none. The question stays in the history either way.
   */
  async send(prompt: string, { images = [] }: SendOptions = {}): Promise<ChatReply> {
    if (prompt.trim() === '') throw new YoreError('USAGE', 'There is nothing to ask: the message is empty.');
    this.#refuseWhileStreaming('Wait for its end or cancel it, then ask again.');
    const abort = new AbortController();
    const requestId = randomHex(8);
    const replying = this.#reply(requestId, prompt, images, abort.signal);
    this.#current = { requestId, abort, replying };
    let reply: ChatReply;
    try {
      reply = await replying;
    } catch (thrown) {
      const error = replyError(thrown);
      this.#current = undefined;
      this.#emit({ type: 'failed', requestId, error });
      throw error;
    }
    this.#current = undefined;
    this.#compaction.schedule();
    this.#emit({ type: 'complete', reply });
    return reply;
  }

  async #reply(
    requestId: string,
    prompt: string,
    images: readonly string[],
    signal: AbortSignal,
  ): Promise<ChatReply> {
    // A shortened history takes effect on the request after it.
    await this.#compaction.settle();
    const asked = this.#ask(requestId, prompt, images);
    return this.#answer(requestId, asked, prompt, images, signal);
  }

  /** Ends the reply that is being made; what was said of it is kept. False when there is none. */
  cancel(): boolean {
    this.#current?.abort.abort();
    return this.#current !== undefined;
  }

  /** Leaves the session. The next message begins a new one; files stay selected. */
  newSession(): void {
    this.#refuseWhileStreaming('Cancel it first.');
    this.#compaction.forget();
    this.#log.startNew();
    this.#context.clearHistory();
    this.#prompts.startOver();
    this.#emit({ type: 'session', sessionId: undefined });
  }

  /** Goes on with a session, as it was left: NOT_FOUND changes nothing. File selection is not restored. */
  loadSession(sessionId: string): SessionSummary {
    this.#refuseWhileStreaming('Cancel it first.');
    const { summary, turns } = this.#log.load(sessionId);
    this.#compaction.forget();
    this.#context.clearHistory();
    this.#context.setHistory(turns);
    this.#prompts.startOver();
    this.#emit({ type: 'session', sessionId });
    return summary;
  }

  /** Goes on with the chat that was active last in this project. Undefined when there is none or it cannot be read. */
  restoreLast(): SessionSummary | undefined {
    try {
      const newest = this.#log.newest();
      return newest && this.loadSession(newest.sessionId);
    } catch (error) {
      if (error instanceof YoreError && error.code === 'BUSY') throw error;
      return undefined;
    }
  }

  /** Sends a file with the next questions. Throws when it is missing, outside of the project or no text. */
  addFile(path: string): string {
    return this.#files.add(path);
  }

  /** False when the file was not selected. */
  dropFile(path: string): boolean {
    return this.#files.drop(path);
  }

  /** Shortens the history now, also below the trigger. Resolves to false when there is nothing to shorten. */
  async compact(): Promise<boolean> {
    this.#refuseWhileStreaming('Wait for its end.');
    return this.#compaction.run({ force: true });
  }

  /**
   * Looks through the history of the project; where that finds nothing or cannot be read, through the messages that the
   * model is sent.
   */
  search(text: string, options: Pick<SearchQuery, 'role' | 'limit'> = {}): ChatSearch {
    const { home, project } = this.#options;
    try {
      const result = home.search({ ...options, text, projects: [project.info.projectHash] });
      if (result.hits.length > 0) return { source: 'history', result };
    } catch (error) {
      if (!(error instanceof YoreError)) throw error;
    }
    return { source: 'context', turns: matchingTurns(this.#context.getHistory(), text, options) };
  }

  state(): ChatState {
    const { project, root } = this.#options;
    return {
      project: { id: project.info.projectHash, name: project.info.displayName, root },
      sessionId: this.#log.sessionId,
      messages: this.#context.getHistory(),
      files: this.#files.paths(),
      streaming: this.isStreaming,
    };
  }

  status(): ChatStatus {
    const budget = this.#context.getTokenBudget();
    const compaction = this.#context.getCompactionStatus();
    const report = this.#context.tierReport();
    const { sessionId } = this.#log;
    return {
      responder: this.#options.responder.name,
      ...(sessionId === undefined ? {} : { sessionId }),
      messageCount: this.#context.getHistory().length,
      historyTokens: budget.historyTokens,
      maxInputTokens: budget.maxInputTokens,
      remainingTokens: budget.remaining,
      compaction: {
        enabled: compaction.enabled,
        triggerTokens: compaction.triggerTokens,
        percent: compaction.percent,
      },
      ...(report?.hitRate === undefined ? {} : { cacheHitRate: report.hitRate }),
      ...(report === undefined ? {} : { tiers: tierStatus(report) }),
      files: this.#files.withTokens(),
    };
  }

  /** Ends what is under way, waits for it, and takes what was said and done into the project's knowledge. */
  async close(): Promise<void> {
    this.cancel();
    // What went wrong with it is told by `send`.
    await this.#current?.replying.catch(() => undefined);
    await this.#compaction.settle();
    this.commands.close();
    if (!this.#hasSpoken) return;
    const { project, synthesise } = this.#options;
    if (synthesise === undefined) project.memory.synthesise();
    else await synthesise();
  }

  /** Writes the question down, before anything can go wrong with the answer. */
  #ask(requestId: string, prompt: string, images: readonly string[]): Message {
    for (const text of this.#files.load()) this.#emit({ type: 'notice', text });
    const files = this.#files.paths();
    this.commands.hear(prompt);
    const message = this.#log.write({ role: 'user', content: prompt, images, files });
    this.#hasSpoken = true;
    this.#emit({ type: 'asked', requestId, message });
    return message;
  }

  async #answer(
    requestId: string,
    asked: Message,
    prompt: string,
    images: readonly string[],
    signal: AbortSignal,
  ): Promise<ChatReply> {
    const { responder } = this.#options;
    const accounts = this.commands.accounts();
    const told = [...accounts, prompt].join('\n\n');
    const { text, usage } = await this.#stream(requestId, told, prompt, images, signal);
    const cancelled = signal.aborted;
    if (text === '') return { requestId, text, cancelled, commands: [] };
    const content = cancelled ? `${text}\n\n${STOPPED_MARK}` : text;
    this.commands.forgetAccounts(accounts.length);
    this.#context.addExchange(told, content);
    const message = this.#log.write({
      role: 'assistant',
      content,
      model: responder.name,
      // Not a fact of its own: what the memory says is in the history already.
      ...(responder.kind === 'memory' ? { systemEvent: true } : {}),
      ...(usage === undefined ? {} : { usage }),
    });
    this.#log.addTurns([asked.id, message.id]);
    this.#prompts.slideWindow();
    this.#context.updateTiers();
    if (usage !== undefined) this.#context.recordUsage(usage);
    return {
      requestId,
      text,
      cancelled,
      commands: suggestedCommands(text),
      message,
      ...(usage === undefined ? {} : { usage }),
    };
  }

  /** A prompt that is too long for the model is shortened and sent once more. */
  async #stream(
    requestId: string,
    told: string,
    prompt: string,
    images: readonly string[],
    signal: AbortSignal,
  ): Promise<{ readonly text: string; readonly usage?: Usage }> {
    const reply = new ReplyInProgress((text) => this.#emit({ type: 'chunk', requestId, text }));
    const asked = this.#prompts.request(told, prompt, images);
    const sessionId = this.#log.begin();
    for (let attempt = 1; ; attempt += 1) {
      this.#prompts.makeRoom(asked);
      const messages = this.#context.assemble(asked);
      try {
        for await (const part of this.#options.responder.respond({ messages, prompt, sessionId, signal })) {
          if (signal.aborted) break;
          if (part.type === 'notice') this.#emit({ type: 'notice', text: part.text });
          else reply.take(part);
        }
        return reply.end();
      } catch (error) {
        if (signal.aborted) return reply.end();
        const mayRetry = attempt === 1 && reply.isEmpty && replyError(error).code === 'OVERFLOW';
        if (!mayRetry || !(await this.#compaction.run({ force: true }))) throw error;
        this.#emit({
          type: 'notice',
          text: 'The prompt was too long for the model: shortened, asking again.',
        });
      }
    }
  }

  #refuseWhileStreaming(advice: string): void {
    if (this.#current === undefined) return;
    throw new YoreError('BUSY', `A reply is being made. ${advice}`);
  }

  #emit(event: ChatEvent): void {
    for (const listener of this.#listeners) listener(event);
  }
}
