import { describe, expect, it } from 'vitest';
import type { AgentName } from '../../src/agents/agent-name.ts';
import type { AgentTranscripts } from '../../src/agents/transcript/transcript-source.ts';
import { groupSources } from '../../src/import/group-sources.ts';
import type { BegunSource } from '../../src/import/order-sources.ts';

const NOBODY = {} as AgentTranscripts;

function source(
  path: string,
  told: Pick<BegunSource, 'folder' | 'sessionId' | 'parentSessionId'>,
  { agent = 'claude-code', size = 1 }: { readonly agent?: AgentName; readonly size?: number } = {},
): BegunSource {
  return { transcripts: NOBODY, source: { agent, path, size, stamp: '1' }, ...told };
}

function pathsOf(sources: readonly BegunSource[]): readonly (readonly string[])[] {
  const groups = groupSources(sources, (folder) => folder.split('/')[1] ?? '');
  return groups.map((group) => group.map((each) => each.source.path));
}

describe('sources in groups', () => {
  it('keeps what is of one project together and in order, whichever folder or agent it is of', () => {
    const sources = [
      source('1', { folder: '/app' }),
      source('2', { folder: '/tool' }, { agent: 'codex', size: 9 }),
      source('3', { folder: '/app/web' }, { agent: 'codex' }),
      source('4', { folder: '/tool/src' }),
    ];
    expect(pathsOf(sources)).toEqual([
      ['2', '4'],
      ['1', '3'],
    ]);
  });

  it('puts sub-agents that name no folder with their parent, which may come after them', () => {
    const sources = [
      source('child', { sessionId: 'c', parentSessionId: 'p' }),
      source('other', { folder: '/tool', sessionId: 'o' }, { size: 5 }),
      source('parent', { folder: '/app', sessionId: 'p' }),
    ];
    expect(pathsOf(sources)).toEqual([['other'], ['child', 'parent']]);
  });

  it('puts sub-agents of an unknown parent with those of the same folder of transcripts', () => {
    const sources = ['a/1', 'b/2', 'a/3'].map((path) => source(path, { parentSessionId: 'gone' }));
    expect(pathsOf(sources)).toEqual([['a/1', 'a/3'], ['b/2']]);
  });

  it('keeps a database of all projects together with what else its agent left', () => {
    const sources = [
      source('database', { folder: '/app', sessionId: 'a' }, { agent: 'opencode' }),
      source('export', { folder: '/tool', sessionId: 'b' }, { agent: 'opencode' }),
      source('other', { folder: '/tool', sessionId: 'c' }),
    ];
    expect(pathsOf(sources)).toEqual([['database', 'export'], ['other']]);
  });
});
