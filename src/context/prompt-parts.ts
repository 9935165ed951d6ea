import type { PromptRequest } from './assembly/prompt.ts';
import type { ItemKey, TrackedItem } from './cache/tiers.ts';
import { contentHash } from './content-hash.ts';
import type { FileContext } from './files/file-context.ts';
import { formatFile } from './files/format-file.ts';
import type { TokenCounter } from './tokens/token-counter.ts';
import type { TurnList } from './turns/turn-list.ts';

/** Counts the parts of a prompt and lists those that the tracker follows. Each text is counted once. */
export class PromptParts {
  readonly #counter: TokenCounter;
  readonly #texts: TextCache;
  readonly #files: FileContext;
  readonly #turns: TurnList;

  constructor(parts: {
    readonly counter: TokenCounter;
    readonly files: FileContext;
    readonly turns: TurnList;
  }) {
    this.#counter = parts.counter;
    this.#texts = new TextCache(parts.counter);
    this.#files = parts.files;
    this.#turns = parts.turns;
  }

  /** Tokens of everything except files and history. */
  fixedTokens(systemPrompt: string, request: PromptRequest): number {
    const { repositoryStructure = '', fileTree = '', urlContext = [], reviewContext = '' } = request;
    const texts = {
      systemPrompt,
      repositoryStructure,
      fileTree,
      urls: urlContext.join('\n\n'),
      reviewContext,
    };
    const sections = Object.entries(texts).map(([name, text]) => this.#texts.get(name, text).tokens);
    const symbols = this.#symbolItems(request.symbols).map(({ tokens }) => tokens);
    return [...sections, ...symbols].reduce((sum, tokens) => sum + tokens, this.#promptTokens(request));
  }

  /** Tokens of each file as it is in a prompt: content, path and fences. */
  fileTokens(): ReadonlyMap<string, number> {
    const counts = [...this.#files.getTokensByFile(this.#counter)].map(([path, tokens]): [string, number] => {
      return [path, tokens + this.#texts.get(`frame:${path}`, formatFile(path, '')).tokens];
    });
    return new Map(counts);
  }

  /** The items that the tracker follows: files, symbols of other files, turns. */
  trackedItems(symbols: PromptRequest['symbols']): TrackedItem[] {
    const files = [...this.fileTokens()].map(([path, tokens]) => {
      return { key: `file:${path}` as const, hash: this.#files.hashOf(path), tokens };
    });
    return [...files, ...this.#symbolItems(symbols), ...this.#historyItems()];
  }

  /** Tokens of a text that is sent repeatedly, such as the beginning of a prompt. */
  textTokens(text: string): number {
    return this.#texts.get(text, text).tokens;
  }

  /** Forgets counts that were not used since the last call. Call it once per request. */
  forgetUnused(): void {
    this.#texts.forgetUnused();
  }

  #promptTokens({ prompt, images = [] }: PromptRequest): number {
    if (images.length === 0 && prompt === '') return 0;
    return this.#counter.countMessage({ role: 'user', content: [{ type: 'text', text: prompt }, ...images] });
  }

  /** The symbols of a file that is sent in full are not sent. */
  #symbolItems(symbols: PromptRequest['symbols'] = new Map()): TrackedItem[] {
    const full = new Set(this.#files.getFiles());
    const others = [...symbols].filter(([path]) => !full.has(path));
    return others.map(([path, text]) => {
      const key: ItemKey = `symbol:${path}`;
      const { hash, tokens } = this.#texts.get(key, text);
      return { key, hash, tokens };
    });
  }

  #historyItems(): TrackedItem[] {
    return this.#turns.all().map(({ role }, index) => ({
      key: `history:${index}` as const,
      hash: this.#turns.hashOf(index),
      tokens: this.#turns.tokensOf(index),
      startsExchange: role === 'user',
    }));
  }
}

interface CachedText {
  readonly text: string;
  readonly tokens: number;
  readonly hash: string;
}

/** Token counts and hashes of named texts. A text is counted again only when it changes. */
class TextCache {
  readonly #counter: TokenCounter;
  #recent = new Map<string, CachedText>();
  #older = new Map<string, CachedText>();

  constructor(counter: TokenCounter) {
    this.#counter = counter;
  }

  get(name: string, text: string): CachedText {
    const known = this.#recent.get(name) ?? this.#older.get(name);
    const cached = known?.text === text ? known : this.#measure(text);
    this.#recent.set(name, cached);
    return cached;
  }

  forgetUnused(): void {
    this.#older = this.#recent;
    this.#recent = new Map();
  }

  #measure(text: string): CachedText {
    return { text, tokens: this.#counter.count(text), hash: contentHash(text) };
  }
}
