import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runSlashCommand, SLASH_COMMANDS } from '../../../src/cli/chat/slash-commands.ts';
import { type OpenedChat, openChat } from '../../chat/open-chat.ts';
import { ScriptedResponder } from '../../chat/scripted-responder.ts';
import { printedOutput } from './typed-terminal.ts';

interface Chat extends OpenedChat {
  /** Runs a line and returns what is printed. */
  readonly run: (line: string, folder?: string) => Promise<string>;
  readonly picked: string[];
}

function newChat(): Chat {
  const opened = openChat(new ScriptedResponder());
  const picked: string[] = [];
  const run = (line: string, folder = opened.root): Promise<string> =>
    runSlashCommand(line, {
      chat: opened.chat,
      home: opened.home,
      project: opened.project,
      output: printedOutput().output,
      now: Date.now,
      folder,
      pickPrompt: async (query) => void picked.push(query),
      usage: () => '3 calls',
    });
  return { ...opened, run, picked };
}

describe('slash commands', () => {
  it('are all listed by /help', async () => {
    const help = await newChat().run('/help');
    for (const { name } of SLASH_COMMANDS) expect(help).toContain(name);
  });

  it('reject an unknown command and say what to do', async () => {
    await expect(newChat().run('/nothing at all')).rejects.toThrow(
      /Unknown command \/nothing\. \/help lists all commands/,
    );
  });

  it('start a new session and continue an old one', async () => {
    const { chat, run } = newChat();
    await chat.send('Add a cache');
    const { sessionId = '' } = chat.state();
    expect(await run('/new')).toContain('A new session starts');
    expect(chat.state().messages).toEqual([]);
    expect(await run(`/load ${sessionId}`)).toMatch(/^Continuing with 2 messages from .*: Add a cache$/);
    expect(chat.state().messages).toHaveLength(2);
    await expect(run('/load')).rejects.toMatchObject({ code: 'USAGE' });
    await expect(run('/load nowhere')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('list sessions and search messages', async () => {
    const { chat, run } = newChat();
    expect(await run('/sessions')).toBe('No sessions yet.');
    await chat.send('Where is the cache kept?');
    expect(await run('/sessions')).toContain('Where is the cache kept?');
    expect(await run('/search cache kept')).toContain('cache kept');
    expect(await run('/search kafka')).toBe('No results for "kafka".');
    await expect(run('/search')).rejects.toMatchObject({ code: 'USAGE' });
  });

  it('recap what was done, and reject an unknown time', async () => {
    const { chat, run } = newChat();
    await chat.send('Add a cache');
    await chat.commands.run('mkdir cache');
    expect(await run('/recap today')).toContain('Add a cache');
    expect(await run('/recap')).toContain('Add a cache');
    expect(await run('/recap yesterday')).toBe('Nothing was recorded in that period.');
    await expect(run('/recap at noon')).rejects.toThrow(/"at noon" is not a time/);
  });

  it('add and drop files by paths relative to the current folder or the project', async () => {
    const { root, run } = newChat();
    mkdirSync(join(root, 'src'));
    writeFileSync(join(root, 'src', 'two  words.ts'), 'export const a = 1;');
    expect(await run('/files')).toBe('No files. /add PATH sends one with your next messages.');
    const from = join(root, 'src');
    expect(await run('/add two  words.ts', from)).toBe('src/two words.ts is sent with your next messages.');
    expect(await run('/files')).toMatch(/^src\/two words\.ts {2}\d+ tokens$/);
    expect(await run('/drop two  words.ts', from)).toContain('is no longer sent.');
    expect(await run('/add src/two  words.ts', from)).toContain('src/two words.ts');
    expect(await run('/drop ./src/two  words.ts')).toContain('is no longer sent.');
    await expect(run('/drop src/two  words.ts')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(run('/add nowhere.ts')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(run('/add')).rejects.toMatchObject({ code: 'USAGE' });
    await expect(run('/drop')).rejects.toMatchObject({ code: 'USAGE' });
  });

  it('say when there is nothing to compact', async () => {
    expect(await newChat().run('/compact')).toBe('There is nothing to compact.');
  });

  it('show the status with the model usage', async () => {
    const text = await newChat().run('/STATUS');
    expect(text).toMatch(/^Model usage +3 calls$/m);
    expect(text).toMatch(/^Session +starts with your next message$/m);
  });

  it('pick from earlier prompts', async () => {
    const { run, picked } = newChat();
    expect(await run('/prompt-history add a cache')).toBe('');
    expect(picked).toEqual(['add a cache']);
  });
});
