import { describe, expect, test } from 'vitest';
import { DAY, type Details, HOUR, NOT_FOUND_404, Story } from './story.ts';

const USAGE = 'usage: deploytool TARGET';

function failedIn(sessions: number, details: Details = {}): Story {
  const story = new Story();
  for (let session = 0; session < sessions; session++)
    story.fails('deploytool push', USAGE, { sessionId: `session-${session}`, ...details });
  return story;
}

test('confidence is between 0 and 1', () => {
  for (const sessions of [1, 2, 5, 20]) {
    const confidence = failedIn(sessions).confidence('deploytool push');
    expect(confidence).toBeGreaterThan(0);
    expect(confidence).toBeLessThanOrEqual(1);
  }
});

describe('confidence rises', () => {
  test('with every session with the same error', () => {
    const confidences = [1, 2, 3].map((sessions) => failedIn(sessions).confidence('deploytool push'));
    expect(confidences).toEqual(confidences.toSorted((a, b) => a - b));
    expect(new Set(confidences).size).toBe(3);
  });

  test('but not with repetitions in one session', () => {
    const story = new Story();
    story.fails('deploytool push', USAGE);
    const once = story.confidence('deploytool push');
    story.fails('deploytool push', USAGE);
    expect(story.confidence('deploytool push')).toBeCloseTo(once, 3);
  });

  test('when the program suggests a correction', () => {
    const plain = new Story();
    plain.fails('cargo biuld', 'error: no such command: `biuld`');
    const helped = new Story();
    helped.fails('cargo biuld', 'error: no such command: `biuld`\n\n  Did you mean `build`?');
    expect(helped.confidence('cargo biuld')).toBeGreaterThan(plain.confidence('cargo biuld'));
    expect(helped.check('cargo biuld')?.text).toContain('The tool proposed: `build`');
  });
});

describe('confidence falls', () => {
  test('with age', () => {
    const story = failedIn(2);
    const options = { failureLookbackDays: 365 };
    const fresh = story.confidence('deploytool push', {}, options);
    story.pass(30 * DAY);
    const month = story.confidence('deploytool push', {}, options);
    story.pass(30 * DAY);
    expect(month).toBeLessThan(fresh);
    expect(story.confidence('deploytool push', {}, options)).toBeCloseTo(fresh / 2, 1);
  });

  test('when the error was another one the second time', () => {
    const story = failedIn(1);
    story.fails('deploytool push', 'usage: deploytool TARGET --now', { sessionId: 'b' });
    expect(story.confidence('deploytool push')).toBeLessThan(failedIn(2).confidence('deploytool push'));
  });

  test('with every relapse', () => {
    const story = failedIn(1);
    const first = story.confidence('deploytool push');
    story.works('deploytool push');
    story.fails('deploytool push', USAGE);
    const second = story.confidence('deploytool push');
    expect(second).toBeLessThan(first);
    expect(second).toBeGreaterThan(0);
  });

  test('in another checkout, on another branch, with another agent, in another environment', () => {
    const story = failedIn(2);
    const same = story.confidence('deploytool push');
    expect(story.confidence('deploytool push', { root: '/srv/other', cwd: '/srv/other' })).toBeLessThan(same);
    expect(story.confidence('deploytool push', { branch: 'next' })).toBeLessThan(same);
    expect(story.confidence('deploytool push', { agent: 'codex' })).toBeLessThan(same);
    expect(story.confidence('CI=1 deploytool push')).toBeLessThan(same);
  });

  test('after successful overrides of warnings of the same kind, and recovers after failed ones', () => {
    const overridden = (succeeded: boolean): number => {
      const story = new Story();
      story.fails('npm i redis-node', NOT_FOUND_404('redis-node'));
      for (const sessionId of ['a', 'b', 'c']) {
        const name = `left-${sessionId}`;
        story.fails(`npm i ${name}`, NOT_FOUND_404(name), { sessionId: 'z' });
        expect(story.warn(story.call(`npm i ${name}`, { sessionId }))).toBeDefined();
        story.warnings.settle(
          succeeded
            ? story.works(`npm i ${name}`, { sessionId })
            : story.fails(`npm i ${name}`, NOT_FOUND_404(name), { sessionId }),
        );
      }
      return story.confidence('npm i redis-node');
    };
    expect(overridden(true)).toBeLessThan(overridden(false));
  });
});

describe("the user's choice", () => {
  const KEY = 'package:redis-node';

  test('silences a dismissed failure, also after it happens again', () => {
    const story = new Story();
    story.fails('npm i redis-node', NOT_FOUND_404('redis-node'));
    story.choose('dismiss', KEY);
    expect(story.check('npm i redis-node')).toBeUndefined();
    story.pass(HOUR).fails('npm i redis-node', NOT_FOUND_404('redis-node'));
    expect(story.check('npm i redis-node')).toBeUndefined();
    story.pass(HOUR).choose('reset', KEY);
    expect(story.check('npm i redis-node')).toBeDefined();
  });

  test('keeps a pinned failure past the lookback window', () => {
    const story = new Story();
    story.fails('npm i redis-node', NOT_FOUND_404('redis-node'));
    story.choose('pin', KEY);
    story.pass(200 * DAY);
    expect(story.check('npm i redis-node')).toMatchObject({ confidence: 1, key: KEY });
  });

  test('does not keep a pinned failure that has worked since', () => {
    const story = new Story();
    story.fails('npm i redis-node', NOT_FOUND_404('redis-node'));
    story.choose('pin', KEY);
    story.works('npm i redis-node');
    expect(story.check('npm i redis-node')).toBeUndefined();
  });
});
