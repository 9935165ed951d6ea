import type { CommandSpec } from '../../command.ts';
import { JSON_OPTION, option, PROJECT_OPTION } from '../../options.ts';

/** The interactive commands: chat, web app and demo. */
export const APP_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'chat',
    summary: 'chat with an assistant that remembers this project',
    details:
      'Continues your last chat in this project. Answers come from a model (yore config set model.provider and model.name; the API key comes from the environment) or, without one, from what is recorded here. Suggested commands run only after you confirm, and you are warned if one has failed before. Type /help for the chat commands.',
    options: [
      option('--session <id>', 'continue this session instead of the last chat', { completes: 'sessions' }),
      option('--new', 'start a new session'),
      PROJECT_OPTION,
      option('--model <name>', 'use this model, this time only: name or provider/name'),
    ],
    examples: [
      { command: 'yore chat', meaning: 'continue where you left off' },
      { command: 'yore chat --new --model anthropic/claude-sonnet-4-5', meaning: 'new session, this model' },
      { command: 'echo "what failed?" | yore chat', meaning: 'one question, one answer' },
    ],
    load: async () => (await import('./chat.ts')).runChat,
  },
  {
    name: 'serve',
    summary: 'run the web app: history, search, chat, timeline, memory',
    details:
      'Prints the address to open; Ctrl-C stops it. Only this machine can reach it unless you set --host. Also serves JSON-RPC, MCP over HTTP and HTTP hooks: see docs/serve.md.',
    options: [
      option('--open', 'open the browser'),
      option('--demo', 'show a demo project from a temporary home'),
      option('--port <n>', 'listen on this port (default: the last one used, else 4747)'),
      option('--host <address>', 'listen on this address (default 127.0.0.1); other machines get read-only access'),
      option('--allow-remote-writes', 'with --host: let other machines change and delete data'),
      JSON_OPTION,
    ],
    examples: [
      { command: 'yore serve --open', meaning: 'open the app' },
      { command: 'yore serve --demo --open', meaning: 'try it with a demo project' },
      { command: 'yore serve --port 8080', meaning: 'use this port or fail' },
      { command: 'yore serve --json', meaning: 'print address and token for a program' },
    ],
    load: async () => (await import('./serve.ts')).runServe,
  },
  {
    name: 'demo',
    summary: 'see what yore does in ten seconds, in a temporary home',
    options: [option('--keep', 'keep the temporary home and explore it'), option('--fast', 'skip the pauses')],
    examples: [
      { command: 'yore demo', meaning: 'watch the story of a package that does not exist' },
      { command: 'yore demo --keep', meaning: 'then try the commands on it yourself' },
    ],
    load: async () => (await import('./demo.ts')).runDemo,
  },
];
