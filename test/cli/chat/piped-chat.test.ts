import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { answerPipedQuestions } from '../../../src/cli/chat/piped-chat.ts';
import { openChat } from '../../chat/open-chat.ts';
import { ScriptedResponder } from '../../chat/scripted-responder.ts';
import { temporaryFolder } from '../../temp-folder.ts';
import { printedOutput } from './typed-terminal.ts';

function input(...pieces: readonly (string | Buffer)[]): Readable {
  return Readable.from(pieces);
}

describe('a piped question', () => {
  it('is answered on standard output, with a line break at its end', async () => {
    const { chat } = openChat(new ScriptedResponder('**Yes**, it is.'));
    const { output, printed } = printedOutput();
    await answerPipedQuestions(chat, input('Is it', ' so?\n'), { output, folder: '/' });
    expect(printed).toEqual({ out: '**Yes**, it is.\n', error: '' });
    expect(chat.state().messages[0]?.content).toBe('Is it so?');
  });

  it('has the Markdown of its reply rendered on a terminal', async () => {
    const { chat } = openChat(new ScriptedResponder('**Yes**, it is.'));
    const { output, printed } = printedOutput(true);
    await answerPipedQuestions(chat, input('Is it so?'), { output, folder: '/' });
    expect(printed.out).toBe('Yes, it is.\n');
  });

  it('may arrive in pieces that split a character', async () => {
    const { chat } = openChat(new ScriptedResponder());
    const bytes = Buffer.from('Größe?');
    await answerPipedQuestions(chat, input(bytes.subarray(0, 3), bytes.subarray(3)), {
      output: printedOutput().output,
      folder: '/',
    });
    expect(chat.state().messages[0]?.content).toBe('Größe?');
  });

  it('is one question for each line without a model, and all lines with one', async () => {
    const asked = async (kind: 'memory' | 'model') => {
      const responder = Object.assign(new ScriptedResponder('Yes.', 'No.'), { kind });
      const { output, printed } = printedOutput();
      await answerPipedQuestions(openChat(responder).chat, input('Is it?\n\nWas it?\n'), { output, folder: '/' });
      return { prompts: responder.requests.map(({ prompt }) => prompt), out: printed.out };
    };
    expect(await asked('memory')).toEqual({
      prompts: ['Is it?', 'Was it?'],
      out: '> Is it?\n\nYes.\n\n> Was it?\n\nNo.\n',
    });
    expect(await asked('model')).toEqual({ prompts: ['Is it?\n\nWas it?'], out: 'Yes.\n' });
  });

  it('runs no suggested command', async () => {
    const { chat, project } = openChat(new ScriptedResponder('Try\nCMD: node -e 0'));
    const { output, printed } = printedOutput();
    await answerPipedQuestions(chat, input('How?'), { output, folder: '/' });
    expect(printed.out).toBe('Try\nCMD: node -e 0\n');
    expect(project.history.getSessionRecords(chat.state().sessionId ?? '').attempts).toEqual([]);
  });

  it('attaches the images that it names', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'shot.png'), Buffer.from('iVBORw0KGgo=', 'base64'));
    const { chat, project } = openChat(new ScriptedResponder());
    await answerPipedQuestions(chat, input('What is in shot.png?'), {
      output: printedOutput().output,
      folder,
    });
    const [asked] = project.history.getSessionMessages(chat.state().sessionId ?? '');
    expect(asked?.images).toEqual(['data:image/png;base64,iVBORw0KGgo=']);
  });

  it('is rejected when it is empty or too large', async () => {
    const { chat } = openChat(new ScriptedResponder());
    const to = { output: printedOutput().output, folder: '/' };
    await expect(answerPipedQuestions(chat, input(' \n'), to)).rejects.toMatchObject({ code: 'USAGE' });
    const much = Array.from({ length: 5 }, () => Buffer.alloc(1024 * 1024, 'a'));
    await expect(answerPipedQuestions(chat, input(...much), to)).rejects.toMatchObject({ code: 'LIMIT' });
  });

  it('has its reply sanitised', async () => {
    const { chat } = openChat(new ScriptedResponder('a\x1b[2Jb'));
    const { output, printed } = printedOutput();
    await answerPipedQuestions(chat, input('Well?'), { output, folder: '/' });
    expect(printed.out).not.toContain('\x1b');
  });
});
