import type { CommandSpec } from '../command.ts';
import { JSON_OPTION } from './look.ts';

/** The app in the browser. */
export const SERVE_COMMAND: CommandSpec = {
  name: 'serve',
  summary: 'the app in your browser: history, search, chat, timeline, memory',
  details:
    'Prints the address to open; Ctrl-C ends it. Only this machine can reach it unless --host says otherwise. It also answers JSON-RPC, MCP over HTTP and HTTP hooks: see docs/serve.md.',
  options: [
    { flags: '--open', description: 'open the browser' },
    {
      flags: '--demo',
      description: 'look around in a made-up project, in a home that is deleted at the end',
    },
    { flags: '--port <n>', description: 'listen on this port (default: that of the last time, else 4747)' },
    {
      flags: '--host <address>',
      description: 'listen on this address of the machine (default 127.0.0.1); others can only read',
    },
    {
      flags: '--allow-remote-writes',
      description: 'with --host: let other machines change and delete things, too',
    },
    JSON_OPTION,
  ],
  examples: [
    { command: 'yore serve --open', meaning: 'open the app' },
    { command: 'yore serve --demo --open', meaning: 'open it on a made-up project' },
    { command: 'yore serve --port 8080', meaning: 'at this port or not at all' },
    { command: 'yore serve --json', meaning: 'tell a program where it listens' },
  ],
  load: async () => (await import('../commands/serve.ts')).runServe,
};
