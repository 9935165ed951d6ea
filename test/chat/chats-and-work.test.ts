import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CHAT_AGENT, MemoryResponder } from '../../src/chat/index.ts';
import type { Home, Project } from '../../src/project/index.ts';
import { playSessions, REDIS } from '../cli/built/agent.ts';
import { createPlace } from '../cli/built/run-yore.ts';
import { type OpenedChat, openChat } from './open-chat.ts';
import { ScriptedResponder } from './scripted-responder.ts';

const QUESTION = 'what did we do about redis?';

/** A chat about a project in which an agent worked once. */
function openedChat(): OpenedChat {
  const place = createPlace();
  playSessions(place, [REDIS]);
  const responder = new ScriptedResponder('We decided to use ioredis and installed it.');
  return openChat(responder, place.cwd, place.home);
}

/** The number of sessions wherever one is shown. */
function sessionCounts(home: Home, project: Project): Readonly<Record<string, number | string | undefined>> {
  project.maintain();
  const { line, text } = project.memory.briefing();
  const stored = JSON.parse(readFileSync(join(project.directory, 'index.json'), 'utf8'));
  home.catchUp();
  return {
    recap: project.memory.recap().totals.sessions,
    timeline: project.memory.timeline().reduce((sum, { sessions }) => sum + sessions, 0),
    overview: project.memory.overview().previousSessions,
    counted: project.memory.countWork(),
    stored: stored.sessionCount,
    status: home.status(project).sessions,
    line: /(\d+) previous sessions?/.exec(line)?.[1],
    briefing: /from (\d+) previous sessions?/.exec(text)?.[1],
  };
}

const all = (count: number) => ({
  recap: count,
  timeline: count,
  overview: count,
  counted: count,
  stored: count,
  status: count,
  line: `${count}`,
  briefing: `${count}`,
});

describe('a chat in which nothing is run', () => {
  it('is no session of work, whatever is asked and answered', async () => {
    const { chat, home, project } = openedChat();
    expect(sessionCounts(home, project)).toEqual(all(1));
    await chat.send(QUESTION);
    await chat.send('perfect, thanks');
    chat.newSession();
    await chat.send('Add a release script to the checkout');
    expect(sessionCounts(home, project)).toEqual(all(1));
    expect(home.status(project).withoutWork).toBe(2);
    expect(project.memory.briefing().text).not.toContain('release script');
    expect(JSON.stringify(project.memory.recap())).not.toContain(QUESTION);
    expect(project.memory.recall('Add a release script to the checkout')).toBeUndefined();
  });

  it('stays in the history: it is listed, shown and found, after the work', async () => {
    const { chat, home, project } = openedChat();
    await chat.send(QUESTION);
    const { sessions } = home.listSessions();
    expect(sessions.map(({ agent }) => agent)).toEqual([CHAT_AGENT, 'claude-code']);
    expect(project.session(sessions[0]?.sessionId ?? '').records).toHaveLength(2);
    for (const text of [QUESTION, 'redis']) {
      const agents = home.search({ text }).sessions.map(({ hits }) => hits[0]?.agent);
      expect(agents).toEqual(['claude-code', CHAT_AGENT]);
    }
  });

  it('is no answer to the same question', async () => {
    const place = createPlace();
    playSessions(place, [REDIS]);
    const opened = openChat(new ScriptedResponder(), place.cwd, place.home);
    const { home, project } = opened;
    const { chat } = openChat(new MemoryResponder({ home, project, now: Date.now }), place.cwd, place.home);
    for (const question of [QUESTION, 'tell me about the redis cache', 'explain our redis caching please']) {
      const first = await chat.send(question);
      expect(first.text).toContain('redis-1');
      chat.newSession();
      expect((await chat.send(question)).text).toBe(first.text);
      expect(first.text).not.toContain(question);
    }
    expect(sessionCounts(home, project)).toEqual(all(1));
  });
});

describe('a chat in which a command was run', () => {
  it('is a session of work', async () => {
    const { chat, home, project } = openedChat();
    await chat.send(QUESTION);
    await chat.send('perfect, thanks');
    await chat.send('Count the words in the manual');
    await chat.commands.run('node -e "process.exit(0)"');
    expect(sessionCounts(home, project)).toEqual(all(2));
    expect(home.status(project).withoutWork).toBe(0);
    const { text } = project.memory.briefing();
    expect(text).toContain('Count the words in the manual');
    expect(`${text}${JSON.stringify(project.memory.recap())}`).not.toContain(QUESTION);
    const recalled = JSON.stringify(project.memory.recall(QUESTION));
    expect(recalled).toContain('redis-1');
    expect(recalled).not.toContain(QUESTION);
    expect(project.memory.recall('Count the words in the manual')?.lines[0]?.text).toContain('Count the words');
  });
});
