import { describe, expect, it, onTestFinished } from 'vitest';
import { CHAT_AGENT, ChatService } from '../../src/chat/index.ts';
import { openHome } from '../../src/project/index.ts';
import type { Attempt } from '../../src/record/index.ts';
import { playSessions, REDIS } from '../cli/built/agent.ts';
import { createPlace } from '../cli/built/run-yore.ts';
import { type OpenedChat, openChat } from './open-chat.ts';
import { ScriptedResponder } from './scripted-responder.ts';

const FAILS = 'node -e "console.error(\'Error: no such table\'); process.exit(3)"';
const WORKS = 'node -e "console.log(1 + 1)"';

function attempts({ chat, project }: OpenedChat): readonly Attempt[] {
  return project.session(chat.state().sessionId ?? '').records.filter((record) => 'outcome' in record);
}

function userMessages({ chat, project }: OpenedChat): readonly string[] {
  const { records } = project.session(chat.state().sessionId ?? '');
  return records.flatMap((record) => ('role' in record && record.role === 'user' ? [record.content] : []));
}

describe('a command in the chat', () => {
  it('is recorded with its outcome and the request it belongs to', async () => {
    const opened = openChat(new ScriptedResponder());
    await opened.chat.send('Show me the sum of one and one');
    await opened.chat.commands.run(WORKS);
    expect(attempts(opened)).toMatchObject([
      {
        outcome: 'success',
        tool: 'Bash',
        command: WORKS,
        agent: CHAT_AGENT,
        result: expect.stringContaining('2'),
      },
    ]);
    expect(attempts(opened)[0]?.context).toBe('Show me the sum of one and one');
  });

  it('still belongs to the request after a short answer', async () => {
    const opened = openChat(new ScriptedResponder());
    await opened.chat.send('Migrate the database');
    await opened.chat.send('yes please');
    await opened.chat.commands.run(FAILS);
    expect(attempts(opened)).toMatchObject([{ outcome: 'failure', context: 'Migrate the database', exitCode: 3 }]);
  });

  it('belongs to the request of its own session', async () => {
    const opened = openChat(new ScriptedResponder());
    await opened.chat.send('Migrate the database');
    opened.chat.newSession();
    await opened.chat.send('Build the docs');
    await opened.chat.commands.run(WORKS);
    expect(attempts(opened)).toMatchObject([{ context: 'Build the docs' }]);
  });

  it('is reported to the model with the next question, once', async () => {
    const responder = new ScriptedResponder();
    const { chat } = openChat(responder);
    await chat.send('Show me the sum');
    await chat.commands.run(WORKS);
    await chat.send('And now?');
    expect(responder.lastAsked()).toMatch(/^I ran `node -e .*`: exit code 0\.\nIt printed:\n2\n\nAnd now\?/);
    await chat.send('Go on with the docs');
    expect(responder.lastAsked()).not.toContain('I ran');
  });

  it('is reported again when the reply to the question failed', async () => {
    const responder = new ScriptedResponder('Fine.', undefined, 'Fine.');
    const { chat } = openChat(responder);
    await chat.send('Show me the sum');
    await chat.commands.run(WORKS);
    await expect(chat.send('And now?')).rejects.toMatchObject({ code: 'MODEL' });
    await chat.send('And now again?');
    expect(responder.lastAsked()).toContain('I ran `node');
  });

  it('is warned about if it failed before, and the warning is recorded', async () => {
    const place = createPlace();
    playSessions(place, [REDIS]);
    const home = openHome({ home: place.home, env: {} });
    onTestFinished(() => home.close());
    const project = home.openProject(place.cwd);
    const chat = new ChatService({ home, project, root: place.cwd, responder: new ScriptedResponder() });
    expect(chat.commands.warn('bun add ioredis')).toBeUndefined();
    expect(chat.commands.warn('npm install redis-node')).toMatchObject({
      reason: 'Package not found: redis-node',
      fix: 'bun add ioredis',
      sessionId: 'redis-1',
    });
    expect(project.memory.warnings(1)[0]?.warning).toMatchObject({ sessionId: chat.state().sessionId });
    await chat.close();
  });
});

describe('feedback on the previous attempt', () => {
  it.each([
    ['perfect, that worked', 'success'],
    ['that failed, try again', 'failure'],
  ])('records "%s" as a %s of the request, and the message once', async (said, outcome) => {
    const opened = openChat(new ScriptedResponder());
    await opened.chat.send('Migrate the database');
    await opened.chat.commands.run(WORKS);
    await opened.chat.send(said);
    expect(attempts(opened)).toMatchObject([
      { tool: 'Bash' },
      { kind: 'feedback', outcome, context: 'Migrate the database', command: WORKS, description: said },
    ]);
    expect(userMessages(opened)).toEqual(['Migrate the database', said]);
  });

  it('counts after the session was reloaded', async () => {
    const opened = openChat(new ScriptedResponder());
    await opened.chat.send('Migrate the database');
    const again = opened.home.openProject(opened.root);
    const sessionId = opened.chat.state().sessionId ?? '';
    const recorder = again.recorder();
    const feedback = recorder.notePrompt({
      sessionId,
      text: 'that worked',
      timestamp: new Date().toISOString(),
    });
    expect(feedback).toMatchObject({ kind: 'feedback', outcome: 'success', context: 'Migrate the database' });
  });

  it('is not recorded without an earlier request, or for a question', async () => {
    const opened = openChat(new ScriptedResponder());
    await opened.chat.send('that worked');
    await opened.chat.send('did that work?');
    expect(attempts(opened)).toEqual([]);
  });

  it('is not recorded while recording is paused', async () => {
    const opened = openChat(new ScriptedResponder());
    opened.project.setRecording(false);
    await opened.chat.send('Migrate the database');
    await opened.chat.send('that worked');
    opened.project.setRecording(true);
    expect(() => attempts(opened)).toThrow(/There is no session/);
  });
});
