import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ModelServer } from '../../chat/model-server.ts';
import { playSessions, REDIS } from '../built/agent.ts';
import { createPlace, type Place, yore, yoreJson } from '../built/run-yore.ts';
import { KEYS, TerminalChat } from './terminal-chat.ts';

/** A place whose settings name a model on a server. */
function placeWith(server: ModelServer, settings: Readonly<Record<string, unknown>> = {}): Place {
  const place = createPlace();
  mkdirSync(place.home, { mode: 0o700 });
  const model = { provider: 'openai-compatible', name: 'test-model', baseUrl: server.url };
  writeFileSync(join(place.home, 'config.json'), JSON.stringify({ model, ...settings }));
  return place;
}

const INPUT = /› $|›$/m;

describe('yore chat on a terminal', () => {
  it('shows a start message, and replies from memory without a model', async () => {
    const place = createPlace();
    playSessions(place, [REDIS]);
    yore(place, ['knowledge']);
    const chat = TerminalChat.start(place);
    const start = await chat.shows(/yore v\d[\s\S]*model: none.*directory: .*my-app/);
    expect(start).toMatch(/Project knowledge from \d+ previous session/);
    await chat.shows('memory · 0 tokens');
    chat.type(`what failed?${KEYS.enter}`);
    await chat.shows(/redis-node/);
    chat.type(KEYS.ctrlD);
    expect(await chat.exitCode).toBe(0);
  });

  it('streams a reply as Markdown, and records it', async () => {
    const server = await ModelServer.start();
    let release = (): void => undefined;
    server.script([
      { say: 'Use **ioredis**, it ' },
      { until: new Promise<void>((resolve) => (release = resolve)) },
      { say: 'works.\n- fast\n' },
    ]);
    const place = placeWith(server);
    const chat = TerminalChat.start(place);
    await chat.shows('openai-compatible/test-model ·');
    chat.type(`Which client?${KEYS.enter}`);
    await chat.shows('Use ioredis, it');
    await chat.shows('Ctrl-C stops');
    release();
    await chat.shows(/Use ioredis, it works\.\n· fast\n/);
    chat.type(KEYS.ctrlD);
    expect(await chat.exitCode).toBe(0);
    expect(yore(place, ['search', 'ioredis']).stdout).toContain('ioredis');
  });

  it('suggests earlier prompts while typing, and steps through them', async () => {
    const server = await ModelServer.start();
    const place = placeWith(server);
    const chat = TerminalChat.start(place);
    await chat.shows('test-model ·');
    chat.type(`explain the cache layer${KEYS.enter}`);
    await chat.shows('Hello.');
    chat.type(`run the tests${KEYS.enter}`);
    await chat.shows(/Hello\.[\s\S]*Hello\./);
    chat.type('EXPL');
    await chat.shows('› EXPLain the cache layer');
    chat.type(KEYS.tab);
    await expect.poll(() => chat.screen.cursor().column).toBe('› explain the cache layer'.length);
    chat.type(KEYS.ctrlC);
    chat.type(`a draft${KEYS.up}`);
    await chat.shows(/› run the tests\n[^›]*$/);
    chat.type(KEYS.up);
    await chat.shows(/› explain the cache layer\n[^›]*$/);
    chat.type(KEYS.down + KEYS.down);
    await chat.shows(/› a draft\n[^›]*$/);
  });

  it('sends a paste and several lines as one message', async () => {
    const server = await ModelServer.start();
    const chat = TerminalChat.start(placeWith(server));
    await chat.shows('test-model ·');
    chat.type(`first${KEYS.newLine}${KEYS.pasteStart}pasted\rlines${KEYS.pasteEnd}${KEYS.enter}`);
    await chat.shows('Hello.');
    const sent = server.requests[0]?.body.messages.at(-1).content;
    expect(sent).toBe('first\npasted\nlines');
  });

  it('stops a reply with Ctrl-C and keeps it; twice more leaves', async () => {
    const server = await ModelServer.start();
    server.script([{ say: 'Once upon a time' }, { stall: true }]);
    const place = placeWith(server);
    const chat = TerminalChat.start(place);
    await chat.shows('test-model ·');
    chat.type(`Tell a story${KEYS.enter}`);
    await chat.shows('Once upon a time');
    chat.type(KEYS.ctrlC);
    await chat.shows('stopped');
    await chat.shows('test-model ·');
    chat.type(KEYS.ctrlC);
    await chat.shows('Press Ctrl-C again to leave');
    chat.type(KEYS.ctrlC);
    expect(await chat.exitCode).toBe(0);
    const { sessions } = yoreJson(place, ['sessions']) as { sessions: { messageCount: number }[] };
    expect(sessions[0]?.messageCount).toBe(2);
  });

  it('runs a suggested command after a yes, and warns before it fails again', async () => {
    const server = await ModelServer.start();
    const command = 'yore-no-such-tool --install';
    server.script([{ say: `Try this:\nCMD: ${command}\n` }]);
    const place = placeWith(server);
    const chat = TerminalChat.start(place);
    await chat.shows('test-model ·');
    chat.type(`How?${KEYS.enter}`);
    await chat.shows(`Run ${command}? (y/n/e to edit)`);
    chat.type('y');
    await chat.shows(/failed with exit code 127/);
    chat.type(`${KEYS.ctrlD}`);
    await chat.exitCode;

    const next = TerminalChat.start(place, ['--new']);
    await next.shows('test-model ·');
    next.type(`How?${KEYS.enter}`);
    const warned = await next.shows(/Run yore-no-such-tool --install anyway\?/);
    expect(warned).toMatch(/⚠ This was attempted on \d{4}-\d\d-\d\d and failed/);
    next.type('n');
    await next.shows('not run: yore-no-such-tool --install');
    next.type(KEYS.ctrlD);
    await next.exitCode;
    const { failures } = yoreJson(place, ['failures']) as { failures: { count: number }[] };
    expect(failures[0]?.count).toBe(1);
  });

  it('lets the user edit a command before it runs', async () => {
    const server = await ModelServer.start();
    server.script([{ say: 'CMD: echo wrong\n' }]);
    const chat = TerminalChat.start(placeWith(server));
    await chat.shows('test-model ·');
    chat.type(`How?${KEYS.enter}`);
    await chat.shows('(y/n/e to edit)');
    chat.type('e');
    await chat.shows('› echo wrong');
    chat.type(`${KEYS.backspace.repeat(5)}right${KEYS.enter}`);
    await chat.shows('Run echo right?');
    chat.type('y');
    await chat.shows(/\$ echo right\nright\n✓ done/);
  });

  it('continues after a restart, even after kill -9 during a reply', async () => {
    const server = await ModelServer.start();
    server.script([{ say: 'First answer.' }], [{ say: 'Half an' }, { stall: true }]);
    const place = placeWith(server);
    const chat = TerminalChat.start(place);
    await chat.shows('test-model ·');
    chat.type(`first question${KEYS.enter}`);
    await chat.shows('First answer.');
    chat.type(`second question${KEYS.enter}`);
    await chat.shows('Half an');
    chat.kill('SIGKILL');
    await chat.exitCode;
    server.script([{ say: 'Third answer.' }]);
    const again = TerminalChat.start(place);
    await again.shows(/Continuing with 3 messages/);
    again.type(`third question${KEYS.enter}`);
    await again.shows('Third answer.');
    const sent = JSON.stringify(server.requests.at(-1)?.body.messages);
    expect(sent).toContain('First answer.');
    expect(sent).toContain('second question');
  });

  it('redraws after the terminal is resized', async () => {
    const server = await ModelServer.start();
    const chat = TerminalChat.start(placeWith(server), [], { columns: 100, rows: 30 });
    await chat.shows('test-model ·');
    chat.type('a question that is written before the window changes');
    await chat.shows('before the window changes');
    chat.resize(40, 20);
    const text = await chat.shows(/› a question that is written before the *\n {2}window changes/);
    expect(text.split('a question')).toHaveLength(2);
    chat.type(KEYS.enter);
    await chat.shows('Hello.');
  });

  it('works in a narrow terminal without colour', async () => {
    const server = await ModelServer.start();
    server.script([{ say: 'one two three four five six seven eight nine ten' }]);
    const chat = TerminalChat.start(placeWith(server), ['--no-color'], { columns: 30, rows: 10 });
    await chat.shows(INPUT);
    chat.type(`Count${KEYS.enter}`);
    const text = await chat.shows(/one two three four five six\nseven eight nine ten/);
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(30);
  });

  it('runs slash commands, and rejects unknown ones', async () => {
    const server = await ModelServer.start();
    const place = placeWith(server);
    writeFileSync(join(place.cwd, 'notes.txt'), 'the answer is 42');
    const chat = TerminalChat.start(place, [], { rows: 50, columns: 100 });
    await chat.shows('test-model ·');
    for (const [line, shown] of [
      ['/help', '/compact'],
      ['/nonsense', 'Unknown command /nonsense'],
      ['/add notes.txt', 'notes.txt is sent with your next messages.'],
      ['/add ../outside.txt', 'outside'],
      ['/files', /notes\.txt {2}\d+ tokens/],
      ['what is the answer?', 'Hello.'],
      ['/status', /Messages +2/],
      ['/search answer', 'what is the answer?'],
      ['/sessions', /sess_\d+/],
      ['/recap today', /session/],
      ['/drop notes.txt', 'notes.txt is no longer sent.'],
      ['/compact', 'There is nothing to compact.'],
      ['/new', 'A new session starts'],
      ['/load nothing', /no session/i],
    ] as const) {
      chat.type(`${line}${KEYS.enter}`);
      await chat.shows(shown);
    }
    expect(JSON.stringify(server.requests[0]?.body)).toContain('the answer is 42');
  });

  it('shows an error of the model and continues', async () => {
    const server = await ModelServer.start();
    server.script([{ status: 401, message: 'wrong key' }], [{ say: 'Now it works.' }]);
    const chat = TerminalChat.start(placeWith(server));
    await chat.shows('test-model ·');
    chat.type(`one${KEYS.enter}`);
    await chat.shows(/rejected the API key/);
    chat.type(`two${KEYS.enter}`);
    await chat.shows('Now it works.');
  });
});

describe('yore chat in a pipe', () => {
  it('answers one question and ends', async () => {
    const place = createPlace();
    playSessions(place, [REDIS]);
    const ran = yore(place, ['chat'], { input: 'what failed?\n' });
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(ran.stdout).toMatch(/redis-node/);
    expect(ran.stdout).not.toContain('\x1b');
  });

  it('says what to do without a question, provider or key', () => {
    const place = createPlace();
    expect(yore(place, ['chat'], { input: ' \n' })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Standard input is empty'),
    });
    expect(yore(place, ['chat', '--model', 'some-model'], { input: 'x' })).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('model.provider'),
    });
    expect(yore(place, ['chat', '--model', 'anthropic/claude-x'], { input: 'x' })).toMatchObject({
      code: 8,
      stderr: expect.stringContaining('ANTHROPIC_API_KEY'),
    });
    expect(yore(place, ['chat', '--session', 'none'], { input: 'x' }).code).toBe(4);
  });
});
