import { describe, expect, it } from 'vitest';
import type { ChatEvent } from '../../src/chat/index.ts';
import { openChat } from './open-chat.ts';
import { ScriptedResponder } from './scripted-responder.ts';

describe('the end of a request', () => {
  it('is told once, also when a listener throws at it', async () => {
    const { chat } = openChat(new ScriptedResponder());
    const ends: string[] = [];
    chat.on(({ type }) => {
      if (type !== 'complete' && type !== 'failed') return;
      ends.push(type);
      throw new Error('listener');
    });
    await expect(chat.send('Hello there')).rejects.toThrow('listener');
    expect(ends).toEqual(['complete']);
    expect(chat.isStreaming).toBe(false);
  });

  it('is waited for when the chat is closed meanwhile', async () => {
    const { chat, project } = openChat(new ScriptedResponder('A long reply.'));
    const asking = chat.send('Tell me something long');
    await new Promise((resolve) => setImmediate(resolve));
    await chat.close();
    expect(chat.isStreaming).toBe(false);
    expect(await asking).toMatchObject({ cancelled: true });
    const { sessionId = '' } = chat.state();
    expect(project.history.getSessionMessages(sessionId)[0]?.content).toBe('Tell me something long');
  });
});

describe('the end of a compaction', () => {
  it('is told also when there was nothing to leave out', async () => {
    const { chat } = openChat(new ScriptedResponder());
    const events: ChatEvent[] = [];
    await chat.send('One short question');
    chat.on((event) => events.push(event));
    expect(await chat.compact()).toBe(false);
    expect(events).toMatchObject([
      { type: 'compaction-start' },
      { type: 'compaction-complete', case: 'none', summary: '' },
    ]);
  });
});

describe('the status of a chat', () => {
  it('tells what each tier of the prompt holds', async () => {
    const { chat } = openChat(new ScriptedResponder());
    expect(chat.status().tiers?.active).toMatchObject({ items: 0, tokens: 0, cached: false });
    await chat.send('One question');
    const { tiers } = chat.status();
    expect(tiers?.active.items).toBe(2);
    expect(tiers?.active.tokens).toBeGreaterThan(0);
    expect(Object.keys(tiers ?? {})).toEqual(['L0', 'L1', 'L2', 'L3', 'active']);
  });
});

describe('a file of a chat', () => {
  it('is dropped by any way of writing its path', async () => {
    const { root } = openChat(new ScriptedResponder());
    const { writeFileSync } = await import('node:fs');
    writeFileSync(`${root}/a.txt`, 'text');
    const { chat } = openChat(new ScriptedResponder(), root);
    for (const path of ['a.txt', './a.txt', `${root}/a.txt`]) {
      expect(chat.addFile('a.txt')).toBe('a.txt');
      expect(chat.dropFile(path)).toBe(true);
      expect(chat.state().files).toEqual([]);
      expect(chat.dropFile(path)).toBe(false);
    }
  });
});
