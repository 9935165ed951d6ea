import { describe, expect, it } from 'vitest';
import type { AgentName } from '../../src/agents/agent-name.ts';
import type { AgentTranscripts } from '../../src/agents/transcript/transcript.ts';
import { groupSources, type ScannedSource } from '../../src/import/find-sources.ts';

const NOBODY = {} as AgentTranscripts;

function source(
  path: string,
  header: Pick<ScannedSource, 'folder' | 'sessionId' | 'parentSessionId'>,
  { agent = 'claude-code', size = 1 }: { readonly agent?: AgentName; readonly size?: number } = {},
): ScannedSource {
  return { transcripts: NOBODY, source: { agent, path, size, stamp: '1' }, ...header };
}

function pathsOf(sources: readonly ScannedSource[]): readonly (readonly string[])[] {
  const groups = groupSources(sources, (folder) => folder.split('/')[1] ?? '');
  return groups.map((group) => group.map((each) => each.source.path));
}

describe('groupSources', () => {
  it('keeps the transcripts of a project together and in order, whatever their folder or agent', () => {
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

  it('groups sub-agents without a folder with their parent, which may come later', () => {
    const sources = [
      source('child', { sessionId: 'c', parentSessionId: 'p' }),
      source('other', { folder: '/tool', sessionId: 'o' }, { size: 5 }),
      source('parent', { folder: '/app', sessionId: 'p' }),
    ];
    expect(pathsOf(sources)).toEqual([['other'], ['child', 'parent']]);
  });

  it('groups sub-agents of an unknown parent by the folder of their transcripts', () => {
    const sources = ['a/1', 'b/2', 'a/3'].map((path) => source(path, { parentSessionId: 'gone' }));
    expect(pathsOf(sources)).toEqual([['a/1', 'a/3'], ['b/2']]);
  });

  it('keeps a database of all projects together with other transcripts of its agent', () => {
    const sources = [
      source('database', { folder: '/app', sessionId: 'a' }, { agent: 'opencode' }),
      source('export', { folder: '/tool', sessionId: 'b' }, { agent: 'opencode' }),
      source('other', { folder: '/tool', sessionId: 'c' }),
    ];
    expect(pathsOf(sources)).toEqual([['database', 'export'], ['other']]);
  });
});
