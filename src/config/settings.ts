import type { Setting, TextLists } from './setting.ts';

/** Every setting of yore, in the order in which they are shown. `docs/configuration.md` lists the same. */
export const SETTINGS = [
  {
    key: 'retrieval.enabled',
    type: 'boolean',
    default: true,
    description: 'Use what was recorded: warnings, knowledge and briefings.',
  },
  {
    key: 'retrieval.autoInject',
    type: 'boolean',
    default: true,
    description:
      'Tell the agent what is known: the briefing when a session starts, what fits a prompt when one is given.',
  },
  {
    key: 'retrieval.warnOnDuplicateFailure',
    type: 'boolean',
    default: true,
    description: 'Warn before a tool call that failed lately.',
  },
  {
    key: 'retrieval.failureLookbackDays',
    type: 'integer',
    default: 7,
    min: 1,
    max: 3650,
    description: 'Days after which a failure no longer warns.',
  },
  {
    key: 'retrieval.minConfidence',
    type: 'number',
    default: 0.75,
    min: 0,
    max: 1,
    description: 'How sure yore must be before it says anything.',
  },
  {
    key: 'retrieval.maxContextSize',
    type: 'integer',
    default: 2000,
    min: 0,
    max: 100_000,
    description: 'Most characters of a briefing.',
  },
  {
    key: 'retrieval.onDuplicate',
    type: 'choice',
    default: 'denyOnce',
    allowed: ['denyOnce', 'ask', 'note'],
    description: 'How a warning reaches the agent: deny once with the reason, ask the user, or only note it.',
  },
  {
    key: 'retrieval.crossProject',
    type: 'boolean',
    default: false,
    description:
      'Also warn of what failed in your other projects and is not about their files: packages, programs, options.',
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
    description: 'Projects, by folder or id, that are never recorded.',
  },
  {
    key: 'compaction.enabled',
    type: 'boolean',
    default: true,
    description: 'Shorten long conversations of `yore chat`.',
  },
  {
    key: 'compaction.triggerTokens',
    type: 'integer',
    default: 24_000,
    min: 1000,
    max: 10_000_000,
    description: "Tokens above which a chat's history is shortened.",
  },
  {
    key: 'compaction.verbatimWindowTokens',
    type: 'integer',
    default: 4000,
    min: 0,
    max: 10_000_000,
    description: 'Tokens of the newest history that stay word for word.',
  },
  {
    key: 'compaction.summaryBudgetTokens',
    type: 'integer',
    default: 500,
    min: 50,
    max: 100_000,
    description: 'Most tokens of the summary of what is no longer sent.',
  },
  {
    key: 'compaction.minVerbatimExchanges',
    type: 'integer',
    default: 2,
    min: 1,
    max: 100,
    description: 'User messages that always stay word for word.',
  },
  {
    key: 'context.maxTurns',
    type: 'integer',
    default: 40,
    min: 2,
    max: 100_000,
    description: 'Most messages that a chat sends to the model where its history is not shortened.',
  },
  {
    key: 'context.cacheTargetTokens',
    type: 'integer',
    min: 0,
    max: 10_000_000,
    description:
      "Tokens a cached part of the prompt should hold; 0 turns this off. Unset: the model's minimum.",
  },
  {
    key: 'prompts.size',
    type: 'integer',
    default: 100,
    min: 1,
    max: 500,
    description: 'Prompts offered from the prompt history (500 of each project are kept).',
  },
  {
    key: 'model.provider',
    type: 'choice',
    allowed: ['anthropic', 'openai', 'google', 'openai-compatible'],
    description: 'Who serves the model. Unset: no model, everything works offline.',
  },
  {
    key: 'model.name',
    type: 'text',
    description: 'The model that answers and summarises.',
  },
  {
    key: 'model.smallName',
    type: 'text',
    description: 'A smaller model for finding topic boundaries. Unset: `model.name`.',
  },
  {
    key: 'model.baseUrl',
    type: 'url',
    homeOnly: true,
    description: 'Address of an OpenAI-compatible server.',
  },
  {
    key: 'chat.systemPrompt',
    type: 'text',
    description: "Replaces yore's own system prompt in `yore chat`.",
  },
  {
    key: 'tags.extra',
    type: 'map',
    default: {},
    description: 'More words that give an attempt its tags: under each tag, its words.',
  },
  {
    key: 'storage',
    type: 'choice',
    default: 'home',
    allowed: ['home', 'repo'],
    homeOnly: true,
    description: "Where projects are kept: in yore's home, or in `.yore/` of the repository.",
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
          : string;

type ValueOf<R> = R extends { readonly default: unknown } ? TypeOf<R> : TypeOf<R> | undefined;

/** The type of a setting's value; with `undefined` where it has no default. */
export type SettingValue<K extends SettingKey> = ValueOf<Extract<Row, { readonly key: K }>>;

const ROWS: readonly Setting[] = SETTINGS;
const BY_KEY: ReadonlyMap<string, Setting> = new Map(ROWS.map((setting) => [setting.key, setting]));

/** The setting of that name, or undefined when there is none. */
export function findSetting(key: string): Setting | undefined {
  return BY_KEY.get(key);
}
