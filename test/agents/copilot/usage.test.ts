import { describe, expect, test } from 'vitest';
import { copilotTranscripts } from '../../../src/agents/copilot/transcripts.ts';
import { readLines } from '../transcript-laws.ts';

let count = 0;
function line(type: string, data: object): object {
  return { type, data, id: `e${count++}`, timestamp: '2026-06-25T01:50:34.000Z', parentId: null };
}

const START = line('session.start', { sessionId: 'mill-1', context: { cwd: '/code/mill' } });

describe('sessions of Copilot CLI', () => {
  test('report usage at their end that was not reported before', () => {
    const shutdown = (input: number, output: number, cached: number) =>
      line('session.shutdown', {
        modelMetrics: { a: { usage: { inputTokens: input, outputTokens: output, cacheReadTokens: cached } } },
      });
    const events = readLines(copilotTranscripts, [
      START,
      line('assistant.message', { messageId: 'x', content: 'one', toolRequests: [], outputTokens: 7 }),
      shutdown(100, 10, 60),
      line('session.resume', { sessionId: 'mill-1' }),
      line('assistant.message', { messageId: 'y', content: 'two', toolRequests: [], outputTokens: 7 }),
      shutdown(300, 30, 160),
    ]);
    const usages = events.flatMap((event) => (event.type === 'message' && event.isSystem ? [event.usage] : []));
    expect(usages).toEqual([
      { inputTokens: 40, outputTokens: 3, cacheReadTokens: 60, cacheWriteTokens: 0 },
      { inputTokens: 100, outputTokens: 13, cacheReadTokens: 100, cacheWriteTokens: 0 },
    ]);
  });

  test('report the usage of each request with its reply, and none of it again at the end', () => {
    const record = (apiCallId: string) =>
      line('session.usage_record', {
        usage: { apiCallId, inputTokens: 100, outputTokens: 7, cacheReadTokens: 60, cacheWriteTokens: 0 },
      });
    const answer = (apiCallId: string, content: string) =>
      line('assistant.message', { messageId: 'x', content, toolRequests: [], apiCallId });
    const events = readLines(copilotTranscripts, [
      START,
      record('r1'),
      answer('r1', 'one'),
      record('r2'),
      answer('r2', 'two'),
      line('session.shutdown', {
        modelMetrics: { a: { usage: { inputTokens: 200, outputTokens: 14, cacheReadTokens: 120 } } },
      }),
    ]);
    const usage = { inputTokens: 40, outputTokens: 7, cacheReadTokens: 60, cacheWriteTokens: 0 };
    expect(events.slice(1)).toMatchObject([
      { text: 'one', usage },
      { text: 'two', usage },
    ]);
  });
});
