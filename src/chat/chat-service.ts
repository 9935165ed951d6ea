import type { PromptRequest } from '../context/assembly/prompt.ts';
import { OfflineDetector } from '../context/compaction/offline-detector.ts';
import type { TopicDetector } from '../context/compaction/topic-boundary.ts';
import { ContextManager } from '../context/context-manager.ts';
import type { Turn } from '../context/message.ts';
import { suggestedCommands } from '../context/turns/suggested-commands.ts';
import type { Home, Project } from '../project/index.ts';
import { type Message, randomHex, type SessionSummary, type Usage, YoreError } from '../record/index.ts';
import { omitUndefined } from '../record/object.ts';
import type { SearchResult } from '../search/index.ts';
import { ChatCommands } from './chat-commands.ts';
import { ChatSession, type LoadedSession } from './chat-session.ts';
import { type ChatSearch, type ChatSearchOptions, type ChatState, type ChatStatus, findTurns } from './chat-status.ts';
import { CompactionTask } from './compaction-task.ts';
import { PromptBuilder } from './prompt-builder.ts';
import { type ChatEvent, type ChatReply, toReplyError } from './reply.ts';
import type { Responder } from './responder.ts';
import { SelectedFiles } from './selected-files.ts';

/** Options of a {@link ChatService}. */
export interface ChatOptions {
  readonly home: Home;
  readonly project: Project;
  /** The folder of the checkout, in which files are read and commands run. */
  readonly root: string;
  readonly responder: Responder;
  /** Finds the topic boundary when the history is compacted. Default: the offline detector. */
  readonly detector?: TopicDetector;
  /** The environment of commands. Default: empty. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly now?: () => number;
  /** How long after a reply the history is compacted. Default: 500. */
  readonly compactionDelayMs?: number;
  /** Updates the project's knowledge when the chat closes. Default: the project does so, synchronously. */
  readonly maintain?: () => Promise<void>;
}

/** Options of {@link ChatService.send}. */
export interface SendOptions {
  /** Data URIs. They are stored with the message and sent with this request only. */
  readonly images?: readonly string[];
}

/** A question on its way to the responder. */
interface Question {
  readonly requestId: string;
  readonly prompt: string;
  readonly images: readonly string[];
  readonly signal: AbortSignal;
}

/** Appended to a reply that was stopped, in the history and for the model. */
export const STOPPED_MARK = '[stopped by the user]';

/**
 * A chat about a project: one session at a time, one reply at a time. Listeners are notified of everything that happens. A
 * question is in the history before the model is asked, a reply as soon as it is complete.
 */
export class ChatService {
  readonly commands: ChatCommands;
  readonly #options: ChatOptions;
  readonly #context: ContextManager;
  readonly #log: ChatSession;
  readonly #files: SelectedFiles;
  readonly #prompts: PromptBuilder;
  readonly #compaction: CompactionTask;
  readonly #listeners = new Set<(event: ChatEvent) => void>();
  #current: { readonly abort: AbortController; readonly reply: Promise<ChatReply> } | undefined;
  #hasMessages = false;

  constructor(options: ChatOptions) {
    const { project, root, env = {}, now = Date.now, responder } = options;
    const { config } = project;
    this.#options = options;
    this.#log = new ChatSession(project.history);
    this.#context = new ContextManager({
      model: responder.name,
      root,
      systemPrompt: '',
      ...omitUndefined({ cacheTargetTokens: config.get('context.cacheTargetTokens') }),
      compaction: { ...config.section('compaction'), detector: options.detector ?? new OfflineDetector() },
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
    this.#prompts = new PromptBuilder({
      project,
      root,
      context: this.#context,
      log: this.#log,
      notify: (text) => this.#emit({ type: 'notice', text }),
    });
    this.#prompts.startOver();
  }

  /** Adds a listener. Returns a function that removes it. */
  on(listener: (event: ChatEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  get isStreaming(): boolean {
    return this.#current !== undefined;
  }

  /** `anthropic/claude-…`, or `memory`. */
  get responderName(): string {
    return this.#options.responder.name;
  }

  /** Whether a model answers, or the memory. */
  get responderKind(): Responder['kind'] {
    return this.#options.responder.kind;
  }

  /**
   * Sends a message. Resolves when the reply is complete or cancelled; rejects with BUSY while another reply is in progress,
   * and with MODEL or OVERFLOW when it fails. The question stays in the history either way.
   */
  async send(prompt: string, { images = [] }: SendOptions = {}): Promise<ChatReply> {
    if (prompt.trim() === '') throw new YoreError('USAGE', 'The message is empty. Type a question first.');
    this.#refuseWhileStreaming('Wait until it ends or cancel it, then ask again.');
    const abort = new AbortController();
    const requestId = randomHex(8);
    const answering = this.#answer({ requestId, prompt, images, signal: abort.signal });
    this.#current = { abort, reply: answering };
    let reply: ChatReply;
    try {
      reply = await answering;
    } catch (thrown) {
      const error = toReplyError(thrown);
      this.#current = undefined;
      this.#emit({ type: 'failed', requestId, error });
      throw error;
    }
    this.#current = undefined;
    this.#compaction.schedule();
    this.#emit({ type: 'complete', reply });
    return reply;
  }

  /** Stops the reply in progress and keeps what has arrived. Returns false when there is none. */
  cancel(): boolean {
    this.#current?.abort.abort();
    return this.#current !== undefined;
  }

  /** Leaves the session for a new one and returns its id. Nothing is written before its first message; files stay selected. */
  newSession(): string {
    this.#refuseWhileStreaming('Cancel it first.');
    this.#compaction.unschedule();
    const sessionId = this.#log.startNew();
    this.#context.clearHistory();
    this.#prompts.startOver();
    this.#emit({ type: 'session', sessionId });
    return sessionId;
  }

  /**
   * Continues a session, or a copy of one of another agent. Throws NOT_FOUND and then changes nothing. The file selection
   * is not restored.
   */
  loadSession(sessionId: string): LoadedSession {
    this.#refuseWhileStreaming('Cancel it first.');
    const { summary, turns } = this.#log.load(sessionId);
    this.#compaction.unschedule();
    this.#context.clearHistory();
    this.#context.setHistory(turns);
    this.#prompts.startOver();
    this.#emit({ type: 'session', sessionId: summary.sessionId });
    return summary;
  }

  /** Continues the most recent chat of this project. Undefined if there is none or it cannot be read. */
  restoreLast(): SessionSummary | undefined {
    try {
      const newest = this.#log.findNewest();
      return newest && this.loadSession(newest.sessionId);
    } catch (error) {
      if (error instanceof YoreError && error.code === 'BUSY') throw error;
      return undefined;
    }
  }

  /** Sends a file with the next questions. Throws if it is missing, outside the project or not text. */
  addFile(path: string): string {
    return this.#files.add(path);
  }

  /** Returns false if the file was not selected. */
  dropFile(path: string): boolean {
    return this.#files.drop(path);
  }

  /** Compacts the history now, even below the trigger. Resolves to false if there is nothing to compact. */
  async compact(): Promise<boolean> {
    this.#refuseWhileStreaming('Wait until it ends.');
    return this.#compaction.run({ force: true });
  }

  /** Searches the project's history, and what {@link searchContext} finds beside it. */
  async search(text: string, options: ChatSearchOptions = {}): Promise<ChatSearch> {
    const { home, project } = this.#options;
    let result: SearchResult | undefined;
    try {
      const query = { ...options, text, projects: [project.info.projectHash] };
      result = home.search(await home.embeddings.embedQuery(query));
    } catch (error) {
      if (!(error instanceof YoreError)) throw error;
    }
    const turns = this.searchContext(text, options, result?.hits.length ?? 0);
    return { turns, ...omitUndefined({ result }) };
  }

  /** Searches the messages that the model is sent, if the history has no hits or the session is not recorded. */
  searchContext(text: string, options: ChatSearchOptions, historyHits: number): readonly Turn[] {
    if (historyHits > 0 && this.#options.project.isRecording()) return [];
    return findTurns(this.#context.getHistory(), text, options);
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
    const { enabled, triggerTokens, percent } = this.#context.getCompactionStatus();
    return {
      responder: this.responderName,
      messageCount: this.#context.getHistory().length,
      historyTokens: budget.historyTokens,
      maxInputTokens: budget.maxInputTokens,
      remainingTokens: budget.remaining,
      compaction: { enabled, triggerTokens, percent },
      files: this.#files.withTokens(),
      ...omitUndefined({
        sessionId: this.#log.sessionId,
        cacheHitRate: this.#context.tierReport()?.hitRate,
        // The memory is not sent a prompt.
        tiers: this.#options.responder.kind === 'memory' ? undefined : this.#context.sentTiers(),
      }),
    };
  }

  /** Stops what is in progress, waits for it, and brings what is kept about the project up to date. */
  async close(): Promise<void> {
    this.cancel();
    // Its error is reported by `send`.
    await this.#current?.reply.catch(() => undefined);
    await this.#compaction.finish();
    if (!this.#hasMessages) return;
    const { project, maintain } = this.#options;
    if (maintain === undefined) project.maintain();
    else await maintain();
  }

  async #answer(question: Question): Promise<ChatReply> {
    // A pending compaction takes effect with this request.
    await this.#compaction.finish();
    const asked = this.#recordQuestion(question);
    const { requestId, prompt, signal } = question;
    const reports = this.commands.pendingReports();
    const sent = [...reports, prompt].join('\n\n');
    const { text, usage } = await this.#stream(question, sent);
    const cancelled = signal.aborted;
    if (text === '') return { requestId, text, cancelled, commands: [] };
    const content = cancelled ? `${text}\n\n${STOPPED_MARK}` : text;
    this.commands.forgetReports(reports.length);
    this.#context.addExchange(sent, content);
    const message = this.#recordReply(content, usage);
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
      ...omitUndefined({ usage }),
    };
  }

  /** Writes the question to the history, before anything can go wrong with the reply. */
  #recordQuestion({ requestId, prompt, images }: Question): Message {
    for (const text of this.#files.load()) this.#emit({ type: 'notice', text });
    this.commands.followPrompt(prompt);
    this.#prompts.shedFiles(prompt);
    const files = this.#context.files.getFiles();
    const message = this.#log.write({ role: 'user', content: prompt, images, files });
    this.#hasMessages = true;
    this.#emit({ type: 'asked', requestId, message });
    return message;
  }

  #recordReply(content: string, usage: Usage | undefined): Message {
    const { responder } = this.#options;
    // What the memory says is in the history already, so it must not count as evidence later.
    const systemEvent = responder.kind === 'memory' ? true : undefined;
    return this.#log.write({
      role: 'assistant',
      content,
      model: responder.name,
      ...omitUndefined({ systemEvent, usage }),
    });
  }

  /** Streams a reply. A prompt that is too long for the model is compacted and sent once more. */
  async #stream(question: Question, sent: string): Promise<{ text: string; usage?: Usage }> {
    const { prompt, images, signal } = question;
    const request = this.#prompts.createRequest(sent, prompt, images);
    const reply: { text: string; usage?: Usage } = { text: '' };
    for (let attempt = 1; ; attempt += 1) {
      this.#prompts.makeRoom(request);
      try {
        await this.#streamOnce(question, request, reply);
        return reply;
      } catch (error) {
        if (signal.aborted) return reply;
        const mayRetry = attempt === 1 && reply.text === '' && toReplyError(error).code === 'OVERFLOW';
        if (!mayRetry || !(await this.#compaction.run({ force: true }))) throw error;
        this.#emit({
          type: 'notice',
          text: 'The prompt was too long for the model. The history was compacted; asking again.',
        });
      }
    }
  }

  async #streamOnce(
    { requestId, prompt, signal }: Question,
    request: PromptRequest,
    reply: { text: string; usage?: Usage },
  ): Promise<void> {
    const messages = this.#context.assemble(request);
    const sessionId = this.#log.begin();
    for await (const part of this.#options.responder.respond({ messages, prompt, sessionId, signal })) {
      if (signal.aborted) return;
      if (part.type === 'notice') this.#emit({ type: 'notice', text: part.text });
      else if (part.type === 'usage') reply.usage = part.usage;
      else if (part.text !== '') {
        reply.text += part.text;
        this.#emit({ type: 'chunk', requestId, text: part.text });
      }
    }
  }

  #refuseWhileStreaming(advice: string): void {
    if (this.#current === undefined) return;
    throw new YoreError('BUSY', `A reply is in progress. ${advice}`);
  }

  #emit(event: ChatEvent): void {
    for (const listener of this.#listeners) listener(event);
  }
}
