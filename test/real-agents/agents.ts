import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { AgentName } from '../../src/agents/agent-name.ts';

/** Where an agent is set up: a home of its own, a project, and the address of the model. */
interface AgentSetting {
  readonly home: string;
  readonly project: string;
  readonly modelUrl: string;
}

/** How a session is started. */
export interface SessionOptions {
  /** Continues the last session. */
  readonly isResumed?: boolean;
}

/** A coding agent that can be run without a terminal and without a network. */
export interface RealAgent {
  /** Its name in test reports; an agent may be tested in several modes. */
  readonly title: string;
  readonly agent: AgentName;
  readonly env: (setting: AgentSetting) => Readonly<Record<string, string>>;
  /** Writes the settings of somebody who has used the agent before, with the scripted model as provider. */
  readonly setUp: (setting: AgentSetting) => void;
  /** The program and its arguments for a session of one prompt. */
  readonly command: (prompt: string, options: SessionOptions) => readonly string[];
  /** How it is made to compact its context: by a command, or by a request of so many tokens. */
  readonly compaction?: { readonly command: string } | { readonly tokens: number };
  /** What it cannot do without yore being at fault. */
  readonly lacks?: readonly Capability[];
  /** The kind of sub-agent to start. Default: `general-purpose`. */
  readonly subagentType?: string;
  /** Names of tools that must be searched for before they can be called. */
  readonly deferredTools?: { readonly mcp: readonly string[]; readonly subagent?: readonly string[] };
}

/** What is checked for each agent. */
export type Capability =
  | 'briefing'
  | 'held back'
  | 'retry'
  | 'records'
  | 'MCP'
  | 'parallel calls'
  | 'sub-agent'
  | 'resume'
  | 'server left running'
  | 'project-level';

function write(path: string, content: string | object): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof content === 'string' ? content : `${JSON.stringify(content, undefined, 2)}\n`);
}

const WITHOUT_HOOKS: readonly Capability[] = ['briefing', 'held back', 'retry', 'project-level'];

const claudeCode: RealAgent = {
  title: 'Claude Code',
  agent: 'claude-code',
  env: ({ modelUrl }) => ({
    ANTHROPIC_BASE_URL: modelUrl,
    ANTHROPIC_API_KEY: 'sk-test',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
  }),
  setUp({ home, project }) {
    const own = { matcher: 'WebFetch', hooks: [{ type: 'command', command: 'true' }] };
    write(join(home, '.claude', 'settings.json'), {
      permissions: { allow: ['Bash(ls:*)'] },
      hooks: { PreToolUse: [own] },
    });
    write(join(home, '.claude.json'), {
      hasCompletedOnboarding: true,
      customApiKeyResponses: { approved: ['sk-test'], rejected: [] },
      projects: { [project]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
    });
  },
  command: (prompt, { isResumed }) => [
    ...['claude', '-p', prompt, ...(isResumed ? ['--continue'] : [])],
    ...['--model', 'claude-sonnet-4-5', '--output-format', 'stream-json', '--verbose'],
    ...['--permission-mode', 'acceptEdits', '--allowedTools', 'Bash Edit Write Read Task Agent mcp__yore'],
  ],
  compaction: { command: '/compact' },
  deferredTools: { mcp: ['mcp__yore__check', 'mcp__yore__search'] },
};

function codex(title: string, model: string): RealAgent {
  return {
    title,
    agent: 'codex',
    env: () => ({ SCRIPTED_KEY: 'sk-test' }),
    setUp({ home, project, modelUrl }) {
      write(
        join(home, '.codex', 'config.toml'),
        `# mine
model = "${model}"
model_provider = "scripted"
approval_policy = "never"
sandbox_mode = "danger-full-access" # nothing can be reached from here

[model_providers.scripted]
name = "Scripted"
base_url = "${modelUrl}/v1"
env_key = "SCRIPTED_KEY"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0

[projects."${project}"]
trust_level = "trusted"
`,
      );
    },
    command: (prompt, { isResumed }) => [
      ...['codex', 'exec', '--dangerously-bypass-hook-trust', '--json'],
      ...(isResumed ? ['resume', '--last', prompt] : [prompt]),
    ],
    compaction: { tokens: 400_000 },
    deferredTools: { mcp: ['check', 'search'], subagent: ['spawn_agent'] },
    ...(model.startsWith('gpt-6') ? { lacks: ['sub-agent'] } : {}),
  };
}

const gemini: RealAgent = {
  title: 'Gemini CLI',
  agent: 'gemini',
  env: ({ modelUrl }) => ({
    GEMINI_API_KEY: 'sk-test',
    GOOGLE_GEMINI_BASE_URL: modelUrl,
    GEMINI_TELEMETRY_ENABLED: 'false',
  }),
  setUp({ home, project }) {
    write(
      join(home, '.gemini', 'settings.json'),
      `{
  // mine
  "security": { "auth": { "selectedType": "gemini-api-key" } },
  "general": { "disableAutoUpdate": true, "enableAutoUpdate": false },
  "privacy": { "usageStatisticsEnabled": false }
}
`,
    );
    write(join(home, '.gemini', 'trustedFolders.json'), { [project]: 'TRUST_FOLDER' });
  },
  command: (prompt, { isResumed }) => [
    ...['gemini', '-p', prompt, ...(isResumed ? ['--resume', 'latest'] : [])],
    ...['--approval-mode', 'yolo', '--model', 'gemini-2.5-pro', '--output-format', 'stream-json'],
  ],
  lacks: ['sub-agent'],
};

const opencode: RealAgent = {
  title: 'opencode',
  agent: 'opencode',
  env: () => ({
    // It installs a package of its own before it loads a plugin, and would try for more than a minute.
    npm_config_fetch_retries: '0',
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
    OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
  }),
  setUp({ home, modelUrl }) {
    write(
      join(home, '.config', 'opencode', 'opencode.jsonc'),
      `{
  // mine
  "autoupdate": false,
  "share": "disabled",
  "model": "scripted/scripted",
  "small_model": "scripted/scripted",
  "permission": { "*": "allow", "external_directory": "allow" },
  "provider": {
    "scripted": {
      "npm": "@ai-sdk/openai-compatible",
      "name": "Scripted",
      "options": { "baseURL": "${modelUrl}/v1", "apiKey": "sk-test" },
      "models": { "scripted": { "name": "scripted", "tool_call": true, "limit": { "context": 100000, "output": 8000 } } }
    }
  }
}
`,
    );
  },
  command: (prompt, { isResumed }) => [
    ...['opencode', 'run', '--format', 'json', ...(isResumed ? ['--continue'] : [])],
    prompt,
  ],
  subagentType: 'general',
  compaction: { tokens: 99_000 },
};

const pi: RealAgent = {
  title: 'pi',
  agent: 'pi',
  env: () => ({ PI_OFFLINE: '1', PI_SKIP_VERSION_CHECK: '1', PI_TELEMETRY: '0' }),
  setUp({ home, modelUrl }) {
    const models = [{ id: 'scripted' }];
    const scripted = { baseUrl: `${modelUrl}/v1`, api: 'openai-completions', apiKey: 'sk-test', models };
    write(join(home, '.pi', 'agent', 'models.json'), { providers: { scripted } });
  },
  command: (prompt, { isResumed }) => [
    ...['pi', '-p', '--approve', ...(isResumed ? ['--continue'] : [])],
    ...['--provider', 'scripted', '--model', 'scripted', '--mode', 'json', prompt],
  ],
  // MCP came with 1.5.
  lacks: ['MCP', 'sub-agent'],
};

const copilot: RealAgent = {
  title: 'Copilot CLI',
  agent: 'copilot',
  env: ({ modelUrl }) => ({
    COPILOT_PROVIDER_BASE_URL: `${modelUrl}/v1`,
    COPILOT_PROVIDER_TYPE: 'openai',
    COPILOT_PROVIDER_API_KEY: 'sk-test',
    COPILOT_MODEL: 'claude-sonnet-4.5',
    COPILOT_AUTO_UPDATE: 'false',
    COPILOT_OFFLINE: 'true',
  }),
  setUp: ({ home }) => mkdirSync(join(home, '.copilot'), { recursive: true }),
  command: (prompt, { isResumed }) => [
    ...['copilot', '-p', prompt, isResumed ? '--continue' : '--trust-folder'],
    ...['--allow-all', '--no-auto-update', '--no-color'],
  ],
};

const qwen: RealAgent = {
  title: 'Qwen Code',
  agent: 'qwen',
  env: ({ modelUrl }) => ({
    OPENAI_API_KEY: 'sk-test',
    OPENAI_BASE_URL: `${modelUrl}/v1`,
    OPENAI_MODEL: 'scripted',
    QWEN_TELEMETRY_ENABLED: 'false',
  }),
  setUp({ home }) {
    write(join(home, '.qwen', 'settings.json'), {
      security: { auth: { selectedType: 'openai' } },
      general: { disableAutoUpdate: true },
      privacy: { usageStatisticsEnabled: false },
    });
  },
  command: (prompt, { isResumed }) => [
    ...['qwen', '-p', prompt, ...(isResumed ? ['--continue'] : [])],
    ...['--approval-mode', 'yolo', '--output-format', 'stream-json'],
  ],
  deferredTools: { mcp: ['mcp__yore__check', 'mcp__yore__search'] },
};

const cline: RealAgent = {
  title: 'Cline',
  agent: 'cline',
  env: () => ({ CLINE_TELEMETRY_DISABLED: '1' }),
  setUp({ home, modelUrl }) {
    write(join(home, '.cline', 'data', 'settings', 'providers.json'), clineProviders(modelUrl));
  },
  command: (prompt) => ['cline', '--json', '--auto-approve', 'true', prompt],
  lacks: [...WITHOUT_HOOKS, 'sub-agent', 'resume', 'parallel calls'],
};

function clineProviders(modelUrl: string): object {
  const provider = 'openai-compatible';
  const settings = { provider, apiKey: 'sk-test', model: 'scripted', baseUrl: `${modelUrl}/v1` };
  const saved = { settings, updatedAt: new Date().toISOString(), tokenSource: 'manual' };
  return { version: 1, lastUsedProvider: provider, modes: {}, providers: { [provider]: saved } };
}

/** The agents that yore is tested with. */
export const REAL_AGENTS: readonly RealAgent[] = [
  claudeCode,
  codex('Codex', 'gpt-5.5'),
  codex('Codex, code mode', 'gpt-6.1-sol'),
  gemini,
  opencode,
  pi,
  copilot,
  qwen,
  cline,
];
