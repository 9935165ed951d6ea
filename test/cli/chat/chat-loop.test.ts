import { describe, expect, it } from 'vitest';
import { offerCommand } from '../../../src/cli/chat/chat-loop.ts';
import { createSymbols } from '../../../src/cli/output/terminal.ts';
import { type OpenedChat, openChat } from '../../chat/open-chat.ts';
import { ScriptedResponder } from '../../chat/scripted-responder.ts';
import { printedOutput, type TypedTerminal, typedTerminal } from './typed-terminal.ts';

interface Offered {
  readonly opened: OpenedChat;
  readonly terminal: TypedTerminal;
  readonly ended: Promise<void>;
  readonly shows: (text: string) => Promise<void>;
}

function offer(command: string): Offered {
  const opened = openChat(new ScriptedResponder());
  const terminal = typedTerminal();
  const { prompter } = terminal;
  const { output } = printedOutput();
  const ended = offerCommand(command, { commands: opened.chat.commands, prompter, output });
  const shows = (text: string): Promise<void> => expect.poll(() => terminal.drawn(), { timeout: 5000 }).toContain(text);
  return { opened, terminal, ended, shows };
}

function commandsRun({ chat, project }: OpenedChat): readonly unknown[] {
  const { sessionId } = chat.state();
  const { attempts } = project.history.getSessionRecords(sessionId ?? '');
  return attempts.map(({ command, outcome }) => [command, outcome]);
}

describe('a suggested command', () => {
  it('runs after a yes; its output is shown and its outcome recorded', async () => {
    const { opened, terminal, ended, shows } = offer('node -e "console.log(6 * 7)"');
    await shows('Run node -e');
    terminal.type('y');
    await ended;
    expect(terminal.drawn()).toContain('42');
    expect(terminal.drawn()).toContain('done');
    expect(commandsRun(opened)).toEqual([['node -e "console.log(6 * 7)"', 'success']]);
  });

  it('shows the exit code when it fails', async () => {
    const { terminal, ended } = offer('node -e "process.exit(4)"');
    terminal.type('Y');
    await ended;
    expect(terminal.drawn()).toContain('failed with exit code 4');
  });

  it.each([
    ['n', 'n'],
    ['Ctrl-C', '\x03'],
    ['Ctrl-D', '\x04'],
  ])('does not run after %s', async (_, key) => {
    const { opened, terminal, ended } = offer('node -e 0');
    terminal.type(key);
    await ended;
    expect(terminal.drawn()).toContain('not run: node -e 0');
    expect(commandsRun(opened)).toEqual([]);
  });

  it('can be edited, and is then offered again', async () => {
    const { opened, terminal, ended, shows } = offer('node -e 0');
    terminal.type('e');
    await shows(`${createSymbols(true).pointer} node -e 0`);
    terminal.type('+1\r');
    await shows('Run node -e 0+1');
    terminal.type('y');
    await ended;
    expect(commandsRun(opened)).toEqual([['node -e 0+1', 'success']]);
  });

  it('does not run when editing it is cancelled', async () => {
    const { opened, terminal, ended, shows } = offer('node -e 0');
    terminal.type('e');
    await shows(`${createSymbols(true).pointer} node -e 0`);
    terminal.type('\x15\x03');
    await ended;
    expect(terminal.drawn()).toContain('not run');
    expect(commandsRun(opened)).toEqual([]);
  });

  it('does not run because of a y in a word being typed', async () => {
    const { opened, terminal, ended } = offer('node -e 0');
    terminal.type('why not');
    await new Promise((resolve) => setTimeout(resolve, 50));
    terminal.type('\x03');
    await ended;
    expect(commandsRun(opened)).toEqual([]);
  });

  it('has its output sanitised', async () => {
    const { terminal, ended } = offer('node -e "process.stdout.write(String.fromCharCode(27) + \'[2Jgone\')"');
    terminal.type('y');
    await ended;
    expect(terminal.drawn()).toContain('gone');
    expect(terminal.drawn()).not.toContain('\x1b[2Jgone');
  });
});
