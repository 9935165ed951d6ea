import { describe, expect, it } from 'vitest';
import { exportMarkdown } from '../../../src/project/index.ts';
import type { Attempt, Message } from '../../../src/record/index.ts';

const summary = {
  sessionId: 'sess_1',
  title: 'Add *Redis* caching',
  preview: '',
  project: 'abcdef01',
  firstRole: 'user' as const,
  timestamp: '2025-11-18T15:30:00.000Z',
  lastActivity: '2025-11-18T15:31:00.000Z',
  messageCount: 1,
  failures: 1,
  successes: 0,
};

describe('a session as Markdown', () => {
  it('has its messages and attempts in order', () => {
    const records: readonly (Message | Attempt)[] = [
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
    ];
    const text = exportMarkdown(
      { info: { displayName: 'my-app' } },
      { summary, records, calls: new Map(), warnings: [] },
    );
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
