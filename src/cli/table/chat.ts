import type { CommandSpec } from '../command.ts';

/** The assistant in the terminal. */
export const CHAT_COMMAND: CommandSpec = {
  name: 'chat',
  summary: 'an assistant that remembers this project',
  details:
    'Goes on with your last chat in this project. With a model (yore config set model.provider, model.name; the key from the environment) it answers freely; without one, from what is recorded here. Commands it suggests run only when you say yes, and you are told when one failed before. /help lists what can be typed.',
  options: [
    {
      flags: '--session <id>',
      description: 'go on with this session instead of the last chat',
      completes: 'sessions',
    },
    { flags: '--new', description: 'start a new session' },
    {
      flags: '--model <name>',
      description: 'another model for this time: its name, or provider/name',
    },
  ],
  examples: [
    { command: 'yore chat', meaning: 'go on where you stopped' },
    { command: 'yore chat --new --model anthropic/claude-sonnet-4-5', meaning: 'afresh, with this model' },
    { command: 'echo "what failed?" | yore chat', meaning: 'one question, one answer' },
  ],
  load: async () => (await import('../commands/chat.ts')).runChat,
};
