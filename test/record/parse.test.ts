import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Attempt, type Message, parseAttempt, parseHistoryRecord } from '../../src/record/index.ts';

const MESSAGE: Message = {
  v: 1,
  id: '1763000000000-0a1b2c3d',
  sessionId: 'sess_1763000000000_0a1b2c',
  timestamp: '2025-11-18T15:30:00.000Z',
  role: 'assistant',
  content: 'Done.',
  usage: { inputTokens: 12, outputTokens: 3 },
  imageRefs: ['0123456789ab.png'],
  filesModified: ['src/cache/redis.ts'],
  editResults: [{ path: 'src/cache/redis.ts', status: 'applied', diff: '-a\n+b' }],
  agent: 'claude-code',
  systemEvent: true,
};

const ATTEMPT: Attempt = {
  v: 1,
  id: '1763000000000-0a1b2c3d',
  sessionId: 's1',
  timestamp: '2025-11-18T15:30:00.000Z',
  outcome: 'failure',
  tool: 'run_command',
  command: 'npm install redis-node',
  args: { cwd: '.' },
  exitCode: 1,
  tags: ['dependency'],
};

describe('parsing a record', () => {
  it('restores what was written', () => {
    expect(parseHistoryRecord(JSON.parse(JSON.stringify(MESSAGE)))).toEqual({ ok: true, record: MESSAGE });
    expect(parseAttempt(JSON.parse(JSON.stringify(ATTEMPT)))).toEqual({ ok: true, record: ATTEMPT });
  });

  it('tells a newer version from an invalid record', () => {
    expect(parseHistoryRecord({ ...MESSAGE, v: 2 })).toEqual({ ok: false, reason: 'newer', version: 2 });
    expect(parseAttempt({ ...ATTEMPT, v: 7 })).toEqual({ ok: false, reason: 'newer', version: 7 });
  });

  it('treats a record without a version as version 1', () => {
    const { v: _version, ...rest } = MESSAGE;
    expect(parseHistoryRecord(rest)).toEqual({ ok: true, record: MESSAGE });
  });

  it('reads the number of images in older records', () => {
    expect(parseHistoryRecord({ ...MESSAGE, images: 2 })).toEqual({ ok: true, record: { ...MESSAGE, images: 2 } });
  });

  it('normalises times so that they sort as text', () => {
    const parsed = parseHistoryRecord({ ...MESSAGE, timestamp: '2025-11-18T16:30:00+01:00' });
    expect(parsed).toMatchObject({ record: { timestamp: '2025-11-18T15:30:00.000Z' } });
    const commented = parseHistoryRecord({ ...MESSAGE, timestamp: '2026-1-1 (T<h1>PWN    )Z' });
    expect(commented).toMatchObject({ record: { timestamp: '2026-01-01T00:00:00.000Z' } });
  });

  it('names the invalid field', () => {
    expect(parseHistoryRecord({ ...MESSAGE, role: 'system' })).toMatchObject({
      problem: expect.stringContaining('role'),
    });
    expect(parseHistoryRecord({ ...MESSAGE, timestamp: 'soon' })).toMatchObject({
      problem: expect.stringContaining('timestamp'),
    });
    expect(parseAttempt({ ...ATTEMPT, outcome: 'maybe' })).toMatchObject({
      problem: expect.stringContaining('outcome'),
    });
  });

  it('never throws and never returns a field of the wrong type', () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.dictionary(fc.constantFrom(...Object.keys(MESSAGE), ...Object.keys(ATTEMPT)), fc.jsonValue()),
        (value, fields) => {
          parseHistoryRecord(value);
          parseAttempt(value);
          const message = parseHistoryRecord({ ...MESSAGE, ...fields });
          if (message.ok && message.record.kind !== 'tombstone') {
            expect(typeof message.record.content).toBe('string');
            for (const name of message.record.imageRefs ?? []) expect(typeof name).toBe('string');
          }
          const attempt = parseAttempt({ ...ATTEMPT, ...fields });
          if (attempt.ok && attempt.record.exitCode !== undefined)
            expect(typeof attempt.record.exitCode).toBe('number');
        },
      ),
    );
  });
});
