import { describe, expect, it } from 'vitest';
import { openHome } from '../../src/project/index.ts';
import { temporaryFolder } from '../temp-folder.ts';

const DAY = 86_400_000;

/** Two projects with the same words in different sessions, branches, files and times. */
function searched() {
  let now = Date.parse('2026-03-10T12:00:00Z');
  const home = openHome({ home: temporaryFolder(), now: () => now });
  const say = (folder: string, sessionId: string, more: object = {}): void =>
    void home
      .openProject(folder)
      .history.append({ sessionId, role: 'assistant', content: 'raise the timeout', ...more });
  const [api, web] = [temporaryFolder(), temporaryFolder()];
  say(api, 'aaaa1111', { branch: 'main', agent: 'claude-code', filesModified: ['src/net/client.ts'] });
  now += 2 * DAY;
  say(api, 'bbbb2222', { branch: 'fix/timeout', agent: 'codex', filesModified: ['src/client.ts'] });
  now += 2 * DAY;
  say(web, 'cccc3333', { branch: 'main', agent: 'codex' });
  const idOf = (folder: string): string => home.openProject(folder).info.projectHash;
  const find = (text: string) => home.search({ text }).hits.map(({ sessionId }) => sessionId);
  return { home, find, api: idOf(api) };
}

describe('a filter in the text of a search', () => {
  it.each([
    ['timeout session:aaaa', ['aaaa1111']],
    ['timeout branch:fix/timeout', ['bbbb2222']],
    ['timeout agent:claude', ['aaaa1111']],
    ['agent:codex timeout', ['cccc3333', 'bbbb2222']],
    ['timeout before:2026-03-12', ['aaaa1111']],
    ['timeout after:2026-03-12', ['cccc3333', 'bbbb2222']],
    ['timeout file:src/net/client.ts', ['aaaa1111']],
    ['timeout file:client.ts', ['bbbb2222', 'aaaa1111']],
    ['timeout file:lient.ts', []],
    ['agent:codex branch:main', ['cccc3333']],
  ])('limits what is found: %s', (text, sessions) => {
    expect(searched().find(text)).toEqual(sessions);
  });

  it('names a project by its id', () => {
    const { find, api } = searched();
    expect(find(`timeout project:${api}`)).toEqual(['bbbb2222', 'aaaa1111']);
  });

  it('that names nothing known, or is in quotes, is text', () => {
    const { home, find } = searched();
    const content = 'the label says project:unknown and "branch:main"';
    home.openProject(temporaryFolder()).history.append({ sessionId: 'dddd4444', role: 'user', content });
    expect(find('project:unknown')).toEqual(['dddd4444']);
    expect(find('"branch:main"')).toEqual(['dddd4444']);
  });

  it('does not replace a filter of the caller', () => {
    const { home } = searched();
    const { hits } = home.search({ text: 'timeout agent:codex', agent: 'claude-code' });
    expect(hits.map(({ sessionId }) => sessionId)).toEqual(['aaaa1111']);
  });
});
