import { describe, expect, it } from 'vitest';
import { sessionMarkdown } from '../../../src/cli/commands/data/export.ts';

const head = {
  sessionId: 'sess_1',
  title: 'Add *Redis* caching',
  project: 'my-app',
  timestamp: '2025-11-18T15:30:00.000Z',
  messageCount: 1,
  failures: 1,
  successes: 0,
};

describe('sessionMarkdown', () => {
  it('writes messages and attempts in order', () => {
    const text = sessionMarkdown(head, [
      {
        v: 1,
        id: 'm1',
        sessionId: 'sess_1',
        timestamp: '2025-11-18T15:30:00.000Z',
        role: 'user',
        content: 'Add Redis caching\x1b[31m',
        files: ['src/api.ts'],
      },
      {
        v: 1,
        id: 'a1',
        sessionId: 'sess_1',
        timestamp: '2025-11-18T15:31:00.000Z',
        outcome: 'failure',
        command: 'npm install redis-node',
        error: 'not found ```\n# heading',
        exitCode: 1,
      },
    ]);
    expect(text).toBe(`# Add \\*Redis\\* caching

- Session: \`sess_1\`
- Project: my-app
- Started: 2025-11-18T15:30:00.000Z

## User (2025-11-18T15:30:00.000Z)

Add Redis caching

Files: \`src/api.ts\`

**Failed** (exit 1): \`npm install redis-node\`

\`\`\`\`
not found \`\`\`
# heading
\`\`\`\`
`);
  });
});
