import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ChatNotification } from '../../src/server/rpc/api.ts';
import { afterEvent, needsFetch, stateOf, withKnown } from '../../web/src/chat/chat-state.ts';
import { InventedChat } from './invented-chat.ts';

/** A chat of some questions and pieces of answers, with its snapshot after each event. */
function record(answers: readonly (readonly string[])[]) {
  const events: ChatNotification[] = [];
  const chat = new InventedChat((event) => events.push(event));
  const start = stateOf(structuredClone(chat.snapshot()));
  const snapshots = [start];
  const note = () => snapshots.push(stateOf(structuredClone(chat.snapshot())));
  for (const [index, pieces] of answers.entries()) {
    chat.ask(`Question ${index}`);
    note();
    for (const piece of pieces) {
      chat.say(piece);
      note();
    }
    chat.end();
    note();
  }
  return { events, snapshots, start };
}

const answers = fc.array(fc.array(fc.string({ minLength: 1 }), { maxLength: 5 }), { maxLength: 4 });

test('a client that follows the events shows what the server holds', () => {
  fc.assert(
    fc.property(answers, (pieces) => {
      const { events, snapshots, start } = record(pieces);
      const end = events.reduce(afterEvent, start);
      expect(end.messages).toEqual(snapshots.at(-1)?.messages);
      expect(end.streaming).toBeNull();
    }),
  );
});

test('a client that connects in the middle shows the same: nothing twice, nothing missing', () => {
  fc.assert(
    fc.property(answers, fc.nat(), fc.nat(), (pieces, at, back) => {
      const { events, snapshots, start } = record(pieces);
      const joined = at % snapshots.length;
      const heardFrom = Math.max(joined - (back % 4), 0);
      // Events from before the snapshot may arrive after it.
      const end = events.slice(heardFrom).reduce(afterEvent, snapshots[joined] ?? start);
      expect(end.messages).toEqual(snapshots.at(-1)?.messages);
    }),
  );
});

test('an event that is told twice makes no difference', () => {
  const { events, start } = record([['a', 'b'], ['c']]);
  expect(events.flatMap((event) => [event, event]).reduce(afterEvent, start)).toEqual(
    events.reduce(afterEvent, start),
  );
});

test('a compaction that found nothing to shorten leaves no trace', () => {
  const { start } = record([]);
  const place = { project: start.project } as const;
  const compacting = afterEvent(start, { ...place, sequence: 1, type: 'compaction-start' });
  expect(compacting.isCompacting).toBe(true);
  const nothing = {
    type: 'compaction-complete',
    case: 'none',
    summary: '',
    tokensBefore: 5,
    tokensAfter: 5,
  } as const;
  const event: ChatNotification = { ...place, sequence: 2, ...nothing };
  expect(afterEvent(compacting, event)).toEqual({ ...start, sequence: 2 });
  expect(needsFetch(event)).toBe(false);
});

test('what was said of a reply is kept when the server has forgotten it, until there is another question', () => {
  const chat = new InventedChat(() => undefined);
  chat.ask('Why?');
  chat.say('Because');
  const before = stateOf(structuredClone(chat.snapshot()));
  chat.streaming = null;
  const broken = withKnown(stateOf(structuredClone(chat.snapshot())), before);
  expect(broken.brokenOff).toBe('Because');
  expect(withKnown(stateOf(structuredClone(chat.snapshot())), broken).brokenOff).toBe('Because');
  chat.ask('Once more?');
  expect(withKnown(stateOf(structuredClone(chat.snapshot())), broken).brokenOff).toBeUndefined();
  expect(withKnown({ ...stateOf(chat.snapshot()), project: 'another' }, broken).brokenOff).toBeUndefined();
});

test('a reply that goes on at the server is not broken off', () => {
  const chat = new InventedChat(() => undefined);
  chat.ask('Why?');
  chat.say('Bec');
  const before = stateOf(structuredClone(chat.snapshot()));
  chat.say('ause');
  const fresh = withKnown(stateOf(structuredClone(chat.snapshot())), before);
  expect(fresh.brokenOff).toBeUndefined();
  expect(fresh.streaming?.text).toBe('Because');
});

test('why the first question of a session failed is still shown when the state is fetched again', () => {
  const chat = new InventedChat(() => undefined);
  chat.ask('Are you there?');
  chat.streaming = null;
  const fresh = stateOf(structuredClone(chat.snapshot()));
  // A session has no id before its first message, and events do not tell it.
  const { sessionId: _unknown, ...begun } = fresh;
  const failed = { ...begun, error: 'The key is not known.' };
  expect(withKnown({ ...fresh, sessionId: 'sess-1' }, failed).error).toBe('The key is not known.');
  expect(withKnown({ ...fresh, sessionId: 'sess-1', messages: [] }, failed).error).toBeUndefined();
});
