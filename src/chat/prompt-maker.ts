import type { PromptRequest } from '../context/assembly/prompt.ts';
import type { ContextManager } from '../context/context-manager.ts';
import type { Project } from '../project/index.ts';
import { fileTree } from './file-tree.ts';
import { imageBlocks } from './image-blocks.ts';
import type { SessionLog } from './session-log.ts';
import { DEFAULT_SYSTEM_PROMPT } from './system-prompt.ts';

/** What a {@link PromptMaker} works with. */
export interface PromptMakerOptions {
  readonly project: Project;
  /** The folder of the checkout. */
  readonly root: string;
  readonly context: ContextManager;
  readonly log: SessionLog;
  /** Told what is left out. */
  readonly notice: (text: string) => void;
}

/** Decides what the model is told beside the question: what is known of the project, and what no longer fits. */
export class PromptMaker {
  readonly #options: PromptMakerOptions;
  #recalled = new Set<string>();

  constructor(options: PromptMakerOptions) {
    this.#options = options;
  }

  /** What is known of the project is said once, at the beginning: a system prompt that changes is not cached. */
  startOver(): void {
    const { project, context } = this.#options;
    this.#recalled = new Set();
    const own = project.config.get('chat.systemPrompt') ?? DEFAULT_SYSTEM_PROMPT;
    const isTold = project.config.get('retrieval.enabled') && project.config.get('retrieval.autoInject');
    const briefing = isTold ? project.memory.briefing().text : '';
    context.systemPrompt = briefing === '' ? own : `${own}\n\n${briefing}`;
  }

  /** What a question is sent with; what the memory says to it goes with it and is not part of the history. */
  request(told: string, prompt: string, images: readonly string[]): PromptRequest {
    const memory = this.#remembered(prompt);
    return {
      prompt: memory === '' ? told : `${told}\n\n${memory}`,
      images: imageBlocks(images),
      fileTree: fileTree(this.#options.root),
    };
  }

  /** Leaves out what the model cannot read, and says so. */
  makeRoom(request: PromptRequest): void {
    const { context, log, notice } = this.#options;
    const dropped = context.emergencyTruncateIfNeeded();
    if (dropped > 0) {
      log.dropTurns(dropped);
      notice(`The history was far too long: ${dropped} of its oldest messages are no longer sent.`);
    }
    for (const { path, tokens } of context.shedFilesIfNeeded(request)) {
      notice(`${path} (${tokens} tokens) is left out: the prompt would be too long for the model.`);
    }
  }

  /** Where the history is not shortened, it is cut. */
  slideWindow(): void {
    const { project, context, log, notice } = this.#options;
    if (project.config.get('compaction.enabled')) return;
    const evicted = context.slideWindow(project.config.get('context.maxTurns'));
    if (evicted === 0) return;
    log.dropTurns(evicted);
    notice(`The ${evicted} oldest messages are no longer sent to the model.`);
  }

  /** What the project's memory has to say to a prompt; mostly nothing, and everything once. */
  #remembered(prompt: string): string {
    const { project, log } = this.#options;
    if (!project.config.get('retrieval.enabled')) return '';
    const sessionId = log.begin();
    const found = project.memory.recall(prompt, { sessionId, alreadyShown: this.#recalled });
    if (found === undefined) return '';
    this.#recalled.add(found.id);
    return ['(From the memory of this project:', ...found.lines, ')'].join('\n');
  }
}
