import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { pipedChat } from '../../../src/cli/chat/piped-chat.ts';
import { openChat } from '../../chat/open-chat.ts';
import { ScriptedResponder } from '../../chat/scripted-responder.ts';
import { temporaryFolder } from '../../temp-folder.ts';
import { printedOutput } from './typed-terminal.ts';

function input(...pieces: readonly (string | Buffer)[]): Readable {
  return Readable.from(pieces);
}

describe('a question from a pipe', () => {
  it('is answered on standard output, with a line break at its end', async () => {
    const { chat } = openChat(new ScriptedResponder('**Yes**, it is.'));
    const { output, printed } = printedOutput();
    await pipedChat(chat, input('Is it', ' so?\n'), { output, folder: '/' });
    expect(printed).toEqual({ out: '**Yes**, it is.\n', error: '' });
    expect(chat.state().messages[0]?.content).toBe('Is it so?');
  });

  it('has its Markdown shown on a terminal', async () => {
    const { chat } = openChat(new ScriptedResponder('**Yes**, it is.'));
    const { output, printed } = printedOutput(true);
    await pipedChat(chat, input('Is it so?'), { output, folder: '/' });
    expect(printed.out).toBe('Yes, it is.\n');
  });

  it('may come in pieces that split a character', async () => {
    const { chat } = openChat(new ScriptedResponder());
    const bytes = Buffer.from('Größe?');
    await pipedChat(chat, input(bytes.subarray(0, 3), bytes.subarray(3)), {
      output: printedOutput().output,
      folder: '/',
    });
    expect(chat.state().messages[0]?.content).toBe('Größe?');
  });

  it('suggests commands and runs none', async () => {
    const { chat, project } = openChat(new ScriptedResponder('Try\nCMD: node -e 0'));
    const { output, printed } = printedOutput();
    await pipedChat(chat, input('How?'), { output, folder: '/' });
    expect(printed.out).toBe('Try\nCMD: node -e 0\n');
    expect(project.history.getSessionRecords(chat.state().sessionId ?? '').attempts).toEqual([]);
  });

  it('takes the images along that it names', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'shot.png'), Buffer.from('iVBORw0KGgo=', 'base64'));
    const { chat, project } = openChat(new ScriptedResponder());
    await pipedChat(chat, input('What is in shot.png?'), { output: printedOutput().output, folder });
    const [asked] = project.history.getSessionMessages(chat.state().sessionId ?? '');
    expect(asked?.images).toEqual(['data:image/png;base64,iVBORw0KGgo=']);
  });

  it('that is empty or far too long is an error that says what to do', async () => {
    const { chat } = openChat(new ScriptedResponder());
    const to = { output: printedOutput().output, folder: '/' };
    await expect(pipedChat(chat, input(' \n'), to)).rejects.toMatchObject({ code: 'USAGE' });
    const much = Array.from({ length: 5 }, () => Buffer.alloc(1024 * 1024, 'a'));
    await expect(pipedChat(chat, input(...much), to)).rejects.toMatchObject({ code: 'LIMIT' });
  });

  it('whose reply cannot be printed as it is has it made safe', async () => {
    const { chat } = openChat(new ScriptedResponder('a\x1b[2Jb'));
    const { output, printed } = printedOutput();
    await pipedChat(chat, input('Well?'), { output, folder: '/' });
    expect(printed.out).not.toContain('\x1b');
  });
});
