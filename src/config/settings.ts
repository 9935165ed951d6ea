interface SettingBase {
  /** Dotted name. The part before the dot is its section in the file. */
  readonly key: string;
  /** What it does, in one sentence. */
  readonly description: string;
  /** Not allowed in a project's file, which may come with a cloned repository. */
  readonly homeOnly?: true;
  /** Allowed in a project's file only: it is chosen for each project. */
  readonly projectOnly?: true;
}

/** A setting: its name, type, default and allowed values. */
export type Setting =
  | (SettingBase & { readonly type: 'boolean'; readonly default: boolean })
  | (SettingBase & {
      readonly type: 'integer' | 'number';
      readonly default?: number;
      readonly min: number;
      readonly max: number;
    })
  | (SettingBase & {
      readonly type: 'choice';
      readonly default?: string;
      readonly allowed: readonly string[];
    })
  | (SettingBase & { readonly type: 'text' | 'url'; readonly default?: string })
  | (SettingBase & { readonly type: 'list'; readonly default: readonly string[] })
  | (SettingBase & { readonly type: 'map'; readonly default: TextLists })
  | (SettingBase & { readonly type: 'prices'; readonly default: ModelPrices });

/** The value of a `map` setting: a list of texts under each name. */
export type TextLists = Readonly<Record<string, readonly string[]>>;

/** What a model costs, in US dollars per million tokens. */
export interface ModelPrice {
  readonly input: number;
  readonly output: number;
  /** Default: the same as `input`. */
  readonly cacheRead?: number;
  /** Default: the same as `input`. */
  readonly cacheWrite?: number;
}

/** The value of a `prices` setting: a price under the name of each model, in which `*` stands for any text. */
export type ModelPrices = Readonly<Record<string, ModelPrice>>;

/** All settings, in the order in which they are shown. `docs/configuration.md` lists the same. */
export const SETTINGS = [
  {
    key: 'retrieval.enabled',
    type: 'boolean',
    default: true,
    description: 'Use the recorded history: warnings, knowledge, briefings and recall.',
  },
  {
    key: 'retrieval.autoInject',
    type: 'boolean',
    default: true,
    description: 'Give the agent a briefing when a session starts, and related earlier work with each prompt.',
  },
  {
    key: 'retrieval.warnOnDuplicateFailure',
    type: 'boolean',
    default: true,
    description: 'Warn before a tool call that is likely to fail again.',
  },
  {
    key: 'retrieval.failureLookbackDays',
    type: 'integer',
    default: 7,
    min: 1,
    max: 3650,
    description: 'Days after which yore stops warning about a failure.',
  },
  {
    key: 'retrieval.minConfidence',
    type: 'number',
    default: 0.75,
    min: 0,
    max: 1,
    description: 'Minimum confidence for a warning.',
  },
  {
    key: 'retrieval.maxContextSize',
    type: 'integer',
    default: 2000,
    min: 0,
    max: 100_000,
    description: 'Maximum length of a briefing in characters.',
  },
  {
    key: 'retrieval.onDuplicate',
    type: 'choice',
    default: 'denyOnce',
    allowed: ['denyOnce', 'ask', 'note'],
    description: 'How a warning is given: deny the call once with the reason, ask the user, or only tell the agent.',
  },
  {
    key: 'retrieval.crossProject',
    type: 'boolean',
    default: false,
    description:
      'Also look in your other projects: recall related work, and warn about failures that do not depend on their files (packages, programs, options).',
  },
  {
    key: 'recording.enabled',
    type: 'boolean',
    default: true,
    description: 'Record messages and attempts. `yore pause` and `yore resume` change it.',
  },
  {
    key: 'recording.excludedProjects',
    type: 'list',
    default: [],
    homeOnly: true,
    description: 'Projects that are never recorded, by folder or id.',
  },
  {
    key: 'compaction.enabled',
    type: 'boolean',
    default: true,
    description: 'Compact long sessions of `yore chat`.',
  },
  {
    key: 'compaction.triggerTokens',
    type: 'integer',
    default: 24_000,
    min: 1000,
    max: 10_000_000,
    description: 'Size of the history, in tokens, from which it is compacted.',
  },
  {
    key: 'compaction.verbatimWindowTokens',
    type: 'integer',
    default: 4000,
    min: 0,
    max: 10_000_000,
    description: 'Tokens of the newest messages that are kept verbatim.',
  },
  {
    key: 'compaction.summaryBudgetTokens',
    type: 'integer',
    default: 500,
    min: 50,
    max: 100_000,
    description: 'Maximum size of the summary that replaces older messages, in tokens.',
  },
  {
    key: 'compaction.minVerbatimExchanges',
    type: 'integer',
    default: 2,
    min: 1,
    max: 100,
    description: 'Minimum number of user messages that are kept verbatim.',
  },
  {
    key: 'context.maxTurns',
    type: 'integer',
    default: 40,
    min: 2,
    max: 100_000,
    description: 'Maximum number of messages that a chat sends to the model when its history is not compacted.',
  },
  {
    key: 'context.cacheTargetTokens',
    type: 'integer',
    min: 0,
    max: 10_000_000,
    description:
      "Target size of each cached part of the prompt, in tokens; 0 turns it off. Unset: the model's minimum.",
  },
  {
    key: 'prompts.size',
    type: 'integer',
    default: 100,
    min: 1,
    max: 500,
    description: 'How many prompts the prompt history offers at most (500 per project are stored).',
  },
  {
    key: 'model.provider',
    type: 'choice',
    allowed: ['anthropic', 'openai', 'google', 'openai-compatible'],
    description: 'Provider of the language model. Unset: no model; everything works offline.',
  },
  {
    key: 'model.name',
    type: 'text',
    description: 'The model that answers in the chat.',
  },
  {
    key: 'model.smallName',
    type: 'text',
    description:
      'A smaller model that finds topic boundaries and summarises what came before them. Unset: `model.name`.',
  },
  {
    key: 'model.baseUrl',
    type: 'url',
    homeOnly: true,
    description: 'URL of an OpenAI-compatible server.',
  },
  {
    key: 'embeddings.url',
    type: 'url',
    homeOnly: true,
    description:
      'URL of an OpenAI-compatible server that search sends messages and questions to, to compare them by meaning. Unset: nothing is sent, words are compared.',
  },
  {
    key: 'embeddings.model',
    type: 'text',
    homeOnly: true,
    description: 'The embedding model.',
  },
  {
    key: 'embeddings.questionPrefix',
    type: 'text',
    homeOnly: true,
    description: 'What the model expects before a question, e.g. `search_query: `.',
  },
  {
    key: 'embeddings.textPrefix',
    type: 'text',
    homeOnly: true,
    description: 'What the model expects before a text that is searched, e.g. `search_document: `.',
  },
  {
    key: 'embeddings.allowHttp',
    type: 'boolean',
    default: false,
    homeOnly: true,
    description: 'Allow `embeddings.url` on another machine without encryption.',
  },
  {
    key: 'chat.systemPrompt',
    type: 'text',
    description: 'Replaces the system prompt of `yore chat`.',
  },
  {
    key: 'tags.extra',
    type: 'map',
    default: {},
    description: 'Additional tags for attempts, each with the words that give it.',
  },
  {
    key: 'usage.prices',
    type: 'prices',
    default: {},
    homeOnly: true,
    description:
      'Your own prices of models, in US dollars per million tokens, before the built-in list prices. `*` in a name stands for any text.',
  },
  {
    key: 'team.share',
    type: 'choice',
    default: 'nothing',
    allowed: ['nothing', 'attempts', 'messages'],
    projectOnly: true,
    description: 'What of this project is shared with your team: nothing, attempts, or messages as well.',
  },
  {
    key: 'team.project',
    type: 'text',
    projectOnly: true,
    description: 'Name of this project in your team. Unset: it is recognised by its repository.',
  },
  {
    key: 'storage',
    type: 'choice',
    default: 'home',
    allowed: ['home', 'repo'],
    homeOnly: true,
    description: "Where projects are stored: in yore's home, or in `.yore/` of the repository.",
  },
] as const;

type Row = (typeof SETTINGS)[number];

/** The name of a setting, e.g. `retrieval.minConfidence`. */
export type SettingKey = Row['key'];

type TypeOf<R> = R extends { readonly type: 'boolean' }
  ? boolean
  : R extends { readonly type: 'integer' | 'number' }
    ? number
    : R extends { readonly type: 'choice'; readonly allowed: readonly (infer Choice)[] }
      ? Choice
      : R extends { readonly type: 'list' }
        ? readonly string[]
        : R extends { readonly type: 'map' }
          ? TextLists
          : R extends { readonly type: 'prices' }
            ? ModelPrices
            : string;

type ValueOf<R> = R extends { readonly default: unknown } ? TypeOf<R> : TypeOf<R> | undefined;

/** The type of a setting's value; includes `undefined` if it has no default. */
export type SettingValue<K extends SettingKey> = ValueOf<Extract<Row, { readonly key: K }>>;

const ROWS: readonly Setting[] = SETTINGS;
const BY_KEY: ReadonlyMap<string, Setting> = new Map(ROWS.map((setting) => [setting.key, setting]));

/** The setting with a name, or undefined. */
export function findSetting(key: string): Setting | undefined {
  return BY_KEY.get(key);
}
