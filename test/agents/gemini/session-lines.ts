/** The time of every line. */
export const T = '2026-08-21T09:00:00.000Z';

/** The first line of a session. */
export const HEADER = {
  sessionId: 'kiln-1',
  projectHash: 'f'.repeat(64),
  startTime: T,
  lastUpdated: T,
  kind: 'main',
};

/** What every event says. */
export const AT = { sessionId: 'kiln-1', timestamp: T };

/** A message of any type. */
export const record = (id: string, type: string, content: unknown, more: object = {}): object => ({
  id,
  timestamp: T,
  type,
  content,
  ...more,
});

/** A prompt. */
export const user = (id: string, text: string, more: object = {}) => record(id, 'user', [{ text }], more);

/** A call of a tool in a reply. */
export const call = (id: string, name: string, args: object, status: string, output?: string, more: object = {}) => ({
  id,
  name,
  args,
  status,
  timestamp: T,
  ...(output === undefined ? {} : { result: [{ functionResponse: { id, name, response: { output } } }] }),
  ...more,
});

/** A call that was not run, with the reason. */
export const refused = (id: string, status: string, error: string) => ({
  id,
  name: 'run_shell_command',
  args: { command: 'fire' },
  status,
  result: [{ functionResponse: { id, name: 'run_shell_command', response: { error } } }],
});

/** What the shell tool returns. */
export const framed = (output: string, code: number) =>
  `Command: fire kiln\nDirectory: (root)\nOutput: ${output}\nError: (none)\nExit Code: ${code}\nSignal: 0\nBackground PIDs: (none)\nProcess Group PGID: 77`;

/** The name of the shell tool. */
export const SHELL = 'run_shell_command';

/** The tokens of a reply. */
export const TOKENS = { input: 1000, output: 20, cached: 600, thoughts: 5, tool: 0, total: 1025 };
