import type {
  AgentStatus,
  Methods,
  ProjectItem,
  SessionFacets,
  SettingItem,
  SettingsResult,
} from '../../src/server/rpc/api.ts';
import { type FakeHistory, fits } from './fake-history.ts';

type AnswersOf<M extends keyof Methods> = { [K in M]: (params: Parameters<Methods[K]>[0]) => ReturnType<Methods[K]> };

/** Settings that the fake server can change. */
export class FakeSettings {
  recording = true;
  readonly values = new Map<string, string>();
  agents: readonly AgentStatus[] | undefined = [
    {
      agent: 'claude-code',
      title: 'Claude Code',
      version: '2.1.0',
      state: 'recording',
      message: 'Hooks and MCP are installed. Last hook event 5 minutes ago.',
      lastEventAt: '2026-11-15T11:00:00.000Z',
    },
    {
      agent: 'codex',
      title: 'Codex',
      state: 'needsAction',
      message: 'Codex does not run its hooks until you trust them: start codex and type /hooks.',
    },
    {
      agent: 'gemini',
      title: 'Gemini CLI',
      state: 'notSetUp',
      message: 'Not installed.',
      fix: 'yore init --agent gemini',
    },
  ];

  readonly answers: AnswersOf<
    'settings.get' | 'settings.agents' | 'settings.set' | 'settings.record' | 'settings.redact'
  > = {
    'settings.get': () => this.#result(),
    'settings.agents': () => (this.agents === undefined ? {} : { agents: this.agents }),
    'settings.set': ({ key, value }) => {
      if (value === undefined) this.values.delete(key);
      else this.values.set(key, value);
      return null;
    },
    'settings.record': ({ on }) => {
      this.recording = on;
      return null;
    },
    'settings.redact': ({ text }) => {
      const redacted = text.replace(/sk-\w+/g, '[redacted:api-key]');
      return { text: redacted, masks: redacted === text ? [] : [{ kind: 'api-key', count: 1 }] };
    },
  };

  #result(): SettingsResult {
    const item = (setting: Omit<SettingItem, 'value' | 'origin' | 'isEditable'>): SettingItem => ({
      ...setting,
      value: this.values.get(setting.key) ?? setting.default,
      origin: this.values.has(setting.key) ? '~/.yore/config.json' : 'default',
      isEditable: true,
    });
    return {
      home: '/home/somebody/.yore',
      file: '/home/somebody/.yore/config.json',
      recording: { everywhere: this.recording, exceptions: [] },
      bytesOnDisk: 48_000_000,
      indexBytes: 21_000_000,
      oldest: '2026-01-03T10:00:00.000Z',
      readOnly: false,
      settings: [
        item({
          key: 'retrieval.warnOnDuplicateFailure',
          label: 'Warn before a repeated failure',
          type: 'boolean',
          default: true,
          description: 'Warn before a tool call that is likely to fail again.',
        }),
        item({
          key: 'retrieval.failureLookbackDays',
          label: 'Days to warn about a failure',
          type: 'integer',
          default: 7,
          min: 1,
          max: 3650,
          description: 'Days after which yore stops warning about a failure.',
        }),
        item({
          key: 'model.provider',
          label: 'Provider',
          type: 'choice',
          default: null,
          choices: { anthropic: 'Anthropic', openai: 'OpenAI' },
          description: 'Provider of the language model. Unset: no model; everything works offline.',
        }),
        item({
          key: 'model.name',
          label: 'Model',
          type: 'text',
          default: null,
          description: 'The model that answers in the chat.',
        }),
      ],
    };
  }
}

/** What the list of projects and the palette ask for. */
export function findingAnswers(
  history: FakeHistory,
  projects: () => readonly ProjectItem[],
): AnswersOf<'project.activity' | 'project.warnings' | 'history.facets' | 'history.findSessions'> {
  const all = (limit = history.count) =>
    Array.from({ length: Math.min(history.count, limit) }, (_, row) => history.summary(row));
  return {
    'project.activity': () => ({
      projects: projects().map(({ id }, index) => ({
        id,
        sessions: 80 - index,
        failures: Math.max(96 - 10 * index, 0),
        successes: 310,
        agents: [
          { agent: 'claude-code', sessions: 60 },
          { agent: 'codex', sessions: 20 },
        ],
        days: Array.from({ length: 30 }, (_, day) => ((day + index) * 7) % 5),
      })),
    }),
    'project.warnings': () => ({
      projects: projects()
        .slice(0, 1)
        .map(({ id }) => ({ id, warnings: 3 })),
    }),
    'history.facets': ({ agent: _agent, outcome, ...filters }): SessionFacets => {
      const sessions = all(2_000).filter((session) => fits(session, filters));
      const count = (isCounted: (session: (typeof sessions)[number]) => boolean) => sessions.filter(isCounted).length;
      const agents = ['claude-code', 'codex', 'gemini'].map((value) => ({
        value,
        sessions: count(({ agent }) => agent === value),
      }));
      return {
        agents: agents.filter((agent) => agent.sessions > 0),
        authors: [],
        projects: projects().map(({ id }) => ({ value: id, sessions: count(({ project }) => project === id) })),
        roles: [{ value: 'user', sessions: sessions.length }],
        outcomes: [
          { value: 'failure', sessions: count(({ failures }) => failures > 0) },
          { value: 'success', sessions: count(({ successes }) => successes > 0) },
        ],
      };
    },
    'history.findSessions': ({ query, limit = 10 }) => ({
      sessions: all(1_000)
        .filter(({ title }) => title.toLowerCase().includes(query.toLowerCase()))
        .slice(0, limit),
    }),
  };
}
