interface SettingBase {
  /** Dotted name. The part before the dot is its section in the file. */
  readonly key: string;
  /** Its name in the app. */
  readonly label: string;
  /** What it does, in one sentence: the help of `yore config` and of the app. */
  readonly description: string;
  /** Not allowed in a project's file, which may come with a cloned repository. */
  readonly homeOnly?: true;
  /** Allowed in a project's file only: it is chosen for each project. */
  readonly projectOnly?: true;
  /**
   * Not changed from the app: where a model's requests with its key are sent, where everything is stored, and what needs
   * more than a text box.
   */
  readonly commandLineOnly?: true;
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
      /** The allowed values, each with its name in the app. */
      readonly choices: Readonly<Record<string, string>>;
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
  /** Of what is kept in the cache for an hour. Default: the same as `cacheWrite`. */
  readonly cacheHour?: number;
}

/** The value of a `prices` setting: a price under the name of each model, in which `*` stands for any text. */
export type ModelPrices = Readonly<Record<string, ModelPrice>>;

/**
 * All settings, in the order in which they are shown: the only place that declares one. `docs/configuration.md` lists the
 * same. CONTRIBUTING.md says how to add one.
 */
export const SETTINGS = [
  {
    key: 'retrieval.enabled',
    label: 'Memory',
    type: 'boolean',
    default: true,
    description: 'Use the recorded history: warnings, knowledge, briefings and recall.',
  },
  {
    key: 'retrieval.autoInject',
    label: 'Brief agents',
    type: 'boolean',
    default: true,
    description: 'Give the agent a briefing when a session starts, and related earlier work with each prompt.',
  },
  {
    key: 'retrieval.warnOnDuplicateFailure',
    label: 'Warn before a repeated failure',
    type: 'boolean',
    default: true,
    description: 'Warn before a tool call that is likely to fail again.',
  },
  {
    key: 'retrieval.failureLookbackDays',
    label: 'Days to warn about a failure',
    type: 'integer',
    default: 7,
    min: 1,
    max: 3650,
    description: 'Days after which yore stops warning about a failure.',
  },
  {
    key: 'retrieval.minConfidence',
    label: 'Minimum confidence',
    type: 'number',
    default: 0.75,
    min: 0,
    max: 1,
    description: 'Minimum confidence for a warning.',
  },
  {
    key: 'retrieval.maxContextSize',
    label: 'Length of briefings',
    type: 'integer',
    default: 2000,
    min: 0,
    max: 100_000,
    description: 'Maximum length of a briefing in characters.',
  },
  {
    key: 'retrieval.onDuplicate',
    label: 'How to warn',
    type: 'choice',
    default: 'denyOnce',
    choices: { denyOnce: 'Deny once', ask: 'Ask me', note: 'Only tell the agent' },
    description: 'How a warning is given: deny the call once with the reason, ask the user, or only tell the agent.',
  },
  {
    key: 'retrieval.crossProject',
    label: 'Learn from other projects',
    type: 'boolean',
    default: false,
    description:
      'Also look in your other projects: recall related work, and warn about failures that do not depend on their files (packages, programs, options).',
  },
  {
    key: 'recording.enabled',
    label: 'Record',
    type: 'boolean',
    default: true,
    commandLineOnly: true,
    description: 'Record messages and attempts. `yore pause` and `yore resume` change it.',
  },
  {
    key: 'recording.excludedProjects',
    label: 'Excluded projects',
    type: 'list',
    default: [],
    homeOnly: true,
    commandLineOnly: true,
    description: 'Projects that are never recorded, by folder or id.',
  },
  {
    key: 'compaction.enabled',
    label: 'Compact long chats',
    type: 'boolean',
    default: true,
    description: 'Compact long sessions of `yore chat`.',
  },
  {
    key: 'compaction.triggerTokens',
    label: 'Size to compact at',
    type: 'integer',
    default: 24_000,
    min: 1000,
    max: 10_000_000,
    description: 'Size of the history, in tokens, from which it is compacted.',
  },
  {
    key: 'compaction.verbatimWindowTokens',
    label: 'Newest messages to keep',
    type: 'integer',
    default: 4000,
    min: 0,
    max: 10_000_000,
    description: 'Tokens of the newest messages that are kept verbatim.',
  },
  {
    key: 'compaction.summaryBudgetTokens',
    label: 'Size of the summary',
    type: 'integer',
    default: 500,
    min: 50,
    max: 100_000,
    description: 'Maximum size of the summary that replaces older messages, in tokens.',
  },
  {
    key: 'compaction.minVerbatimExchanges',
    label: 'User messages to keep',
    type: 'integer',
    default: 2,
    min: 1,
    max: 100,
    description: 'Minimum number of user messages that are kept verbatim.',
  },
  {
    key: 'context.maxTurns',
    label: 'Messages sent',
    type: 'integer',
    default: 40,
    min: 2,
    max: 100_000,
    description: 'Maximum number of messages that a chat sends to the model when its history is not compacted.',
  },
  {
    key: 'context.cacheTargetTokens',
    label: 'Size of cached parts',
    type: 'integer',
    min: 0,
    max: 10_000_000,
    description:
      "Target size of each cached part of the prompt, in tokens; 0 turns it off. Unset: the model's minimum.",
  },
  {
    key: 'prompts.size',
    label: 'Prompts to offer',
    type: 'integer',
    default: 100,
    min: 1,
    max: 500,
    description: 'How many prompts the prompt history offers at most (500 per project are stored).',
  },
  {
    key: 'model.provider',
    label: 'Provider',
    type: 'choice',
    choices: { anthropic: 'Anthropic', openai: 'OpenAI', google: 'Google', 'openai-compatible': 'OpenAI-compatible' },
    description: 'Provider of the language model. Unset: no model; everything works offline.',
  },
  {
    key: 'model.name',
    label: 'Model',
    type: 'text',
    description: 'The model that answers in the chat.',
  },
  {
    key: 'model.smallName',
    label: 'Smaller model',
    type: 'text',
    description:
      'A smaller model that finds topic boundaries and summarises what came before them. Unset: `model.name`.',
  },
  {
    key: 'model.baseUrl',
    label: 'Server address',
    type: 'url',
    homeOnly: true,
    commandLineOnly: true,
    description: 'URL of an OpenAI-compatible server.',
  },
  {
    key: 'embeddings.url',
    label: 'Server address',
    type: 'url',
    homeOnly: true,
    description:
      'URL of an OpenAI-compatible server that search sends messages and questions to, to compare them by meaning. Unset: nothing is sent, words are compared.',
  },
  {
    key: 'embeddings.model',
    label: 'Model',
    type: 'text',
    homeOnly: true,
    description: 'The embedding model.',
  },
  {
    key: 'embeddings.questionPrefix',
    label: 'Before a question',
    type: 'text',
    homeOnly: true,
    description: 'What the model expects before a question, e.g. `search_query: `.',
  },
  {
    key: 'embeddings.textPrefix',
    label: 'Before a text',
    type: 'text',
    homeOnly: true,
    description: 'What the model expects before a text that is searched, e.g. `search_document: `.',
  },
  {
    key: 'embeddings.allowHttp',
    label: 'Allow no encryption',
    type: 'boolean',
    default: false,
    homeOnly: true,
    description: 'Allow `embeddings.url` on another machine without encryption.',
  },
  {
    key: 'chat.systemPrompt',
    label: 'System prompt',
    type: 'text',
    commandLineOnly: true,
    description: 'Replaces the system prompt of `yore chat`.',
  },
  {
    key: 'tags.extra',
    label: 'Additional tags',
    type: 'map',
    default: {},
    commandLineOnly: true,
    description: 'Additional tags for attempts, each with the words that give it.',
  },
  {
    key: 'usage.prices',
    label: 'Prices of models',
    type: 'prices',
    default: {},
    homeOnly: true,
    description:
      'Your own prices of models, in US dollars per million tokens, before the built-in list prices. `*` in a name stands for any text.',
  },
  {
    key: 'team.share',
    label: 'Shared with the team',
    type: 'choice',
    default: 'nothing',
    choices: { nothing: 'Nothing', attempts: 'Attempts', messages: 'Attempts and messages' },
    projectOnly: true,
    description: 'What of this project is shared with your team: nothing, attempts, or messages as well.',
  },
  {
    key: 'team.project',
    label: 'Name in the team',
    type: 'text',
    projectOnly: true,
    description: 'Name of this project in your team. Unset: it is recognised by its repository.',
  },
  {
    key: 'storage',
    label: 'Where projects are stored',
    type: 'choice',
    default: 'home',
    choices: { home: 'In the home', repo: 'In the repository' },
    homeOnly: true,
    commandLineOnly: true,
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
    : R extends { readonly type: 'choice'; readonly choices: infer Choices }
      ? keyof Choices
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

/** All settings of a section, by their name within it: `{ enabled, maxTurns, … }`. */
export type SettingsOf<Section extends string> = {
  readonly [K in SettingKey as K extends `${Section}.${infer Name}` ? Name : never]: SettingValue<K>;
};

const ROWS: readonly Setting[] = SETTINGS;
const BY_KEY: ReadonlyMap<string, Setting> = new Map(ROWS.map((setting) => [setting.key, setting]));

/** The setting with a name, or undefined. */
export function findSetting(key: string): Setting | undefined {
  return BY_KEY.get(key);
}
