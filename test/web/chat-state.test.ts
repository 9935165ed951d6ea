import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ChatNotification } from '../../src/server/rpc/api.ts';
import { applyEvent, fromSnapshot, mergeSnapshot, requiresFetch } from '../../web/src/chat/chat-state.ts';
import { FakeChat } from './fake-chat.ts';

/** A chat of some questions and pieces of answers, with its snapshot after each event. */
function record(answers: readonly (readonly string[])[]) {
  const events: ChatNotification[] = [];
  const chat = new FakeChat((event) => events.push(event));
  const start = fromSnapshot(structuredClone(chat.snapshot()));
  const snapshots = [start];
  const note = () => snapshots.push(fromSnapshot(structuredClone(chat.snapshot())));
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

test('a client that applies all events has the state of the server', () => {
  fc.assert(
    fc.property(answers, (pieces) => {
      const { events, snapshots, start } = record(pieces);
      const end = events.reduce(applyEvent, start);
      expect(end.messages).toEqual(snapshots.at(-1)?.messages);
      expect(end.streaming).toBeNull();
    }),
  );
});

test('a client that connects in between has the same state, without lost or repeated messages', () => {
  fc.assert(
    fc.property(answers, fc.nat(), fc.nat(), (pieces, at, back) => {
      const { events, snapshots, start } = record(pieces);
      const joined = at % snapshots.length;
      const heardFrom = Math.max(joined - (back % 4), 0);
      // Events from before the snapshot may arrive after it.
      const end = events.slice(heardFrom).reduce(applyEvent, snapshots[joined] ?? start);
      expect(end.messages).toEqual(snapshots.at(-1)?.messages);
    }),
  );
});

test('an event that is applied twice changes nothing', () => {
  const { events, start } = record([['a', 'b'], ['c']]);
  expect(events.flatMap((event) => [event, event]).reduce(applyEvent, start)).toEqual(events.reduce(applyEvent, start));
});

test('a compaction that had nothing to do leaves no trace', () => {
  const { start } = record([]);
  const place = { project: start.project } as const;
  const compacting = applyEvent(start, { ...place, sequence: 1, type: 'compaction-start' });
  expect(compacting.isCompacting).toBe(true);
  const nothing = {
    type: 'compaction-complete',
    case: 'none',
    summary: '',
    tokensBefore: 5,
    tokensAfter: 5,
  } as const;
  const event: ChatNotification = { ...place, sequence: 2, ...nothing };
  expect(applyEvent(compacting, event)).toEqual({ ...start, sequence: 2 });
  expect(requiresFetch(event)).toBe(false);
});

test('an interrupted reply is kept until the next question', () => {
  const chat = new FakeChat(() => undefined);
  chat.ask('Why?');
  chat.say('Because');
  const before = fromSnapshot(structuredClone(chat.snapshot()));
  chat.streaming = null;
  const broken = mergeSnapshot(fromSnapshot(structuredClone(chat.snapshot())), before);
  expect(broken.interrupted).toBe('Because');
  expect(mergeSnapshot(fromSnapshot(structuredClone(chat.snapshot())), broken).interrupted).toBe('Because');
  chat.ask('Once more?');
  expect(mergeSnapshot(fromSnapshot(structuredClone(chat.snapshot())), broken).interrupted).toBeUndefined();
  expect(mergeSnapshot({ ...fromSnapshot(chat.snapshot()), project: 'another' }, broken).interrupted).toBeUndefined();
});

test('a reply that the server continues is not interrupted', () => {
  const chat = new FakeChat(() => undefined);
  chat.ask('Why?');
  chat.say('Bec');
  const before = fromSnapshot(structuredClone(chat.snapshot()));
  chat.say('ause');
  const fresh = mergeSnapshot(fromSnapshot(structuredClone(chat.snapshot())), before);
  expect(fresh.interrupted).toBeUndefined();
  expect(fresh.streaming?.text).toBe('Because');
});

test('the error of the first question of a session survives a fetch', () => {
  const chat = new FakeChat(() => undefined);
  chat.ask('Are you there?');
  chat.streaming = null;
  const fresh = fromSnapshot(structuredClone(chat.snapshot()));
  // A session has no id before its first message, and events do not tell it.
  const { sessionId: _unknown, ...begun } = fresh;
  const failed = { ...begun, error: 'The key is not known.' };
  expect(mergeSnapshot({ ...fresh, sessionId: 'sess-1' }, failed).error).toBe('The key is not known.');
  expect(mergeSnapshot({ ...fresh, sessionId: 'sess-1', messages: [] }, failed).error).toBeUndefined();
});
