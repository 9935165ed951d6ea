import type { PromptRequest } from './assembly/prompt.ts';
import type { ItemKey, TrackedItem } from './cache/tiers.ts';
import { contentHash } from './content-hash.ts';
import type { FileContext } from './files/file-context.ts';
import { formatFile } from './files/format-file.ts';
import type { TokenCounter } from './tokens/token-counter.ts';
import type { TurnList } from './turns/turn-list.ts';

/** What the parts of a prompt weigh, and how they are followed from request to request. Each text is counted once. */
export class PromptParts {
  readonly #counter: TokenCounter;
  readonly #texts: CountedTexts;
  readonly #files: FileContext;
  readonly #turns: TurnList;

  constructor(parts: {
    readonly counter: TokenCounter;
    readonly files: FileContext;
    readonly turns: TurnList;
  }) {
    this.#counter = parts.counter;
    this.#texts = new CountedTexts(parts.counter);
    this.#files = parts.files;
    this.#turns = parts.turns;
  }

  /** Tokens of everything that is neither a file nor the history. */
  fixedTokens(systemPrompt: string, request: PromptRequest): number {
    const { repositoryStructure = '', fileTree = '', urlContext = [], reviewContext = '' } = request;
    const texts = {
      systemPrompt,
      repositoryStructure,
      fileTree,
      urls: urlContext.join('\n\n'),
      reviewContext,
    };
    const sections = Object.entries(texts).map(([name, text]) => this.#texts.facts(name, text).tokens);
    const symbols = this.#symbolItems(request.symbols).map(({ tokens }) => tokens);
    return [...sections, ...symbols].reduce((sum, tokens) => sum + tokens, this.#promptTokens(request));
  }

  /** Tokens of each file as it stands in a prompt: content, path and fences. */
  fileTokens(): ReadonlyMap<string, number> {
    const frames = [...this.#files.getTokensByFile(this.#counter)].map(([path, tokens]): [string, number] => {
      return [path, tokens + this.#texts.facts(`frame:${path}`, formatFile(path, '')).tokens];
    });
    return new Map(frames);
  }

  /** Everything whose changes decide what is worth caching: files, symbols of other files, turns. */
  trackedItems(symbols: PromptRequest['symbols']): TrackedItem[] {
    const fileTokens = this.fileTokens();
    const files = [...fileTokens].map(([path, tokens]) => {
      return { key: `file:${path}` as const, hash: this.#files.hashOf(path), tokens };
    });
    return [...files, ...this.#symbolItems(symbols), ...this.#historyItems()];
  }

  /** Tokens of a text that is sent again and again, such as the beginning of a prompt. */
  textTokens(text: string): number {
    return this.#texts.facts(text, text).tokens;
  }

  /** Forgets what was counted of parts that are no longer there. To be called once for each request. */
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
      const { hash, tokens } = this.#texts.facts(key, text);
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

/** What is known of a text. */
interface TextFacts {
  readonly tokens: number;
  /** Differs when the text differs. */
  readonly hash: string;
}

interface KnownText {
  readonly text: string;
  readonly facts: TextFacts;
}

/** The parts of a prompt by name, each counted again only when its text is another than the last time. */
class CountedTexts {
  readonly #counter: TokenCounter;
  #recent = new Map<string, KnownText>();
  #older = new Map<string, KnownText>();

  constructor(counter: TokenCounter) {
    this.#counter = counter;
  }

  /** What is known of the text that has this name now. */
  facts(name: string, text: string): TextFacts {
    const known = this.#recent.get(name) ?? this.#older.get(name);
    const { facts } = known?.text === text ? known : { facts: this.#factsOf(text) };
    this.#recent.set(name, { text, facts });
    return facts;
  }

  /** Forgets the names that nobody asked for since the last time. */
  forgetUnused(): void {
    this.#older = this.#recent;
    this.#recent = new Map();
  }

  #factsOf(text: string): TextFacts {
    return { tokens: this.#counter.count(text), hash: contentHash(text) };
  }
}
