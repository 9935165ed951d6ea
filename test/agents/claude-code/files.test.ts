import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { claudeCodeTranscripts } from '../../../src/agents/claude-code/transcripts.ts';
import { temporaryFolder } from '../../temp-folder.ts';
import { linesFile, readFile, textOfLines } from '../transcript-laws.ts';
import { result, SESSION, shellResult, user } from './session-lines.ts';

describe('finding transcripts', () => {
  const places = (home: string, env: Record<string, string> = {}) =>
    ({ home, env, platform: 'linux', projects: [] }) as const;

  it('finds sessions and sub-agents only, and follows no links', () => {
    const home = temporaryFolder();
    const project = join(home, '.claude', 'projects', '-home-ada-code-kettle');
    mkdirSync(join(project, SESSION, 'subagents', 'workflows', 'wf_1'), { recursive: true });
    mkdirSync(join(project, SESSION, 'tool-results'));
    writeFileSync(join(project, `${SESSION}.jsonl`), textOfLines([user('a')]));
    writeFileSync(join(project, 'agent-old.jsonl'), textOfLines([user('a')]));
    writeFileSync(join(project, SESSION, 'subagents', 'agent-1.jsonl'), '');
    writeFileSync(join(project, SESSION, 'subagents', 'agent-1.meta.json'), '{}');
    writeFileSync(join(project, SESSION, 'subagents', 'workflows', 'wf_1', 'agent-2.jsonl'), '');
    writeFileSync(join(project, SESSION, 'tool-results', 'x.jsonl'), '');
    symlinkSync(home, join(project, 'loop'));
    const found = claudeCodeTranscripts.find(places(home)).map((source) => source.path.slice(project.length + 1));
    expect(found).toEqual([
      join(SESSION, 'subagents', 'agent-1.jsonl'),
      join(SESSION, 'subagents', 'workflows', 'wf_1', 'agent-2.jsonl'),
      `${SESSION}.jsonl`,
      'agent-old.jsonl',
    ]);
  });

  it('follows CLAUDE_CONFIG_DIR, and finds nothing in missing folders', () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'projects', 'p'), { recursive: true });
    writeFileSync(join(folder, 'projects', 'p', 's.jsonl'), 'x');
    expect(claudeCodeTranscripts.find(places('/nowhere', { CLAUDE_CONFIG_DIR: folder }))).toEqual([
      {
        agent: 'claude-code',
        path: join(folder, 'projects', 'p', 's.jsonl'),
        size: 1,
        stamp: expect.any(String),
      },
    ]);
    expect(claudeCodeTranscripts.find(places('/nowhere'))).toEqual([]);
  });

  it('recognises its files by their content', () => {
    const own = linesFile([{ type: 'permission-mode', sessionId: SESSION }, user('a')]);
    const other = linesFile([
      { type: 'session', version: 3, id: 'x', cwd: '/' },
      { timestamp: 't', type: 'event_msg', payload: {} },
    ]);
    expect(claudeCodeTranscripts.recognises(own)).toBe(true);
    expect(claudeCodeTranscripts.recognises(other)).toBe(false);
    expect(claudeCodeTranscripts.recognises('/nowhere.jsonl')).toBe(false);
  });
});

describe('large outputs', () => {
  it('are read from their file, with their beginning and end', () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, SESSION, 'tool-results'), { recursive: true });
    const saved = `first line\n${'x'.repeat(100_000)}\nlast line`;
    writeFileSync(join(folder, SESSION, 'tool-results', 'toolu_1.txt'), saved);
    writeFileSync(join(folder, 'secret.txt'), 'secret');
    const path = join(folder, `${SESSION}.jsonl`);
    const persisted = (to: string) => ({ persistedOutputPath: to, persistedOutputSize: 1 });
    writeFileSync(
      path,
      textOfLines([
        shellResult('toolu_1', 'cut', persisted(`/elsewhere/${SESSION}/tool-results/toolu_1.txt`)),
        result(
          'toolu_2',
          `<persisted-output>\nOutput too large. Full output saved to: /x/tool-results/toolu_1.txt\n\nPreview`,
        ),
        shellResult('toolu_3', 'cut', persisted(join(folder, 'secret.txt'))),
        shellResult('toolu_4', 'cut', persisted('/x/tool-results/../secret.txt')),
        shellResult('toolu_5', 'cut', persisted('/x/tool-results/gone.txt')),
      ]),
    );
    const outputs = readFile(claudeCodeTranscripts, path).events.flatMap((event) =>
      event.type === 'result' ? [event.result.output ?? ''] : [],
    );
    for (const output of outputs.slice(0, 2)) {
      expect(output).toMatch(/^first line\n/);
      expect(output).toMatch(/bytes left out …[\s\S]*\nlast line$/);
      expect(output.length).toBeLessThan(40_000);
    }
    expect(outputs.slice(2)).toEqual(['cut', 'cut', 'cut']);
  });
});
