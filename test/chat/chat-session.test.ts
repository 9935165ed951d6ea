import { describe, expect, it } from 'vitest';
import { ChatSession } from '../../src/chat/chat-session.ts';
import { CHAT_AGENT } from '../../src/chat/index.ts';
import { HistoryStore } from '../../src/history/index.ts';
import { temporaryFolder } from '../temp-folder.ts';

function newLog(): { readonly log: ChatSession; readonly history: HistoryStore } {
  let now = Date.parse('2026-03-01T10:00:00Z');
  const history = new HistoryStore(temporaryFolder(), { project: 'abcd1234', now: () => (now += 1000) });
  return { log: new ChatSession(history), history };
}

/** A question and its reply as the chat writes them. */
function exchange(log: ChatSession, question: string, reply: string): void {
  const asked = log.write({ role: 'user', content: question });
  const answered = log.write({ role: 'assistant', content: reply });
  log.addTurns([asked.id, answered.id]);
}

function contents(history: HistoryStore, sessionId: string): readonly string[] {
  return history.getSessionMessagesForContext(sessionId).map(({ content }) => content);
}

describe('the session of a chat', () => {
  it("starts with its first message, under the chat's agent name", () => {
    const { log, history } = newLog();
    expect(log.sessionId).toBeUndefined();
    exchange(log, 'One?', 'Two.');
    const { sessionId = '' } = log;
    expect(history.getSessionMessages(sessionId)).toMatchObject([
      { role: 'user', agent: CHAT_AGENT },
      { role: 'assistant', agent: CHAT_AGENT },
    ]);
  });

  it('is a new one after startNew', () => {
    const { log } = newLog();
    const first = log.begin();
    expect(log.begin()).toBe(first);
    const second = log.startNew();
    expect(second).not.toBe(first);
    expect(log.begin()).toBe(second);
  });

  it('is restored as it was compacted: summary, then the kept messages', () => {
    const { log, history } = newLog();
    exchange(log, 'One?', '1');
    exchange(log, 'Two?', '2');
    exchange(log, 'Three?', '3');
    const sessionId = log.begin();
    log.compact(sessionId, 4, { text: 'They counted.', turns: 2 });
    const expected = contents(history, sessionId);
    expect(expected[0]).toContain('They counted.');
    expect(expected.slice(-2)).toEqual(['Three?', '3']);
    const { turns } = new ChatSession(history).load(sessionId);
    expect(turns.map(({ content }) => content)).toEqual(expected);
  });

  it('can be compacted again after a restart and after turns were dropped', () => {
    const { log, history } = newLog();
    for (const name of ['One', 'Two', 'Three', 'Four']) exchange(log, `${name}?`, name);
    const sessionId = log.begin();
    log.compact(sessionId, 4, { text: 'First summary.', turns: 2 });
    const again = new ChatSession(history);
    again.load(sessionId);
    exchange(again, 'Five?', 'Five');
    again.compact(sessionId, 4, { text: 'Second summary.', turns: 2 });
    expect(contents(history, sessionId).slice(2)).toEqual(['Four?', 'Four', 'Five?', 'Five']);
    again.dropTurns(4);
    again.compact(sessionId, 0, { text: '', turns: 0 });
    expect(contents(history, sessionId)).toEqual(['Five?', 'Five']);
  });

  it('stays the same when loading a missing one fails', () => {
    const { log } = newLog();
    const sessionId = log.begin();
    expect(() => log.load('nowhere')).toThrow(/There is no session nowhere/);
    expect(log.sessionId).toBe(sessionId);
  });

  it('is found as the newest one of the chat, not of another agent', () => {
    const { log, history } = newLog();
    exchange(log, 'One?', '1');
    const first = log.begin();
    log.startNew();
    exchange(log, 'Two?', '2');
    const second = log.begin();
    history.append({ sessionId: 'theirs', role: 'user', content: 'Three?', agent: 'claude-code' });
    expect(log.findNewest()?.sessionId).toBe(second);
    history.append({ sessionId: first, role: 'user', content: 'Again?', agent: CHAT_AGENT });
    expect(log.findNewest()?.sessionId).toBe(first);
  });
});
