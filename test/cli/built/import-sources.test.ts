import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createPlace, type Place, yore, yoreJson } from './run-yore.ts';

function write(path: string, content: object | readonly object[]): void {
  mkdirSync(dirname(path), { recursive: true });
  const isLines = path.endsWith('.jsonl') && Array.isArray(content);
  writeFileSync(path, isLines ? content.map((line) => `${JSON.stringify(line)}\n`).join('') : JSON.stringify(content));
}

type Entry = Readonly<Record<string, unknown>>;

function exported(place: Place): readonly Entry[] {
  return yore(place, ['export', '--format', 'jsonl'])
    .stdout.split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Entry);
}

describe('an import and export again keeps every field', () => {
  it('of the prompt history of M31A', () => {
    const here = createPlace();
    const entries = [
      { text: 'water the plants', score: 31.2, last_used: '2026-06-20T18:00:00.250Z', use_count: 7 },
      { text: 'open the windows', score: 9, last_used: '2026-06-19T07:00:00.000Z', use_count: 2 },
    ];
    write(join(here.folder, '.m31a', 'history.json'), entries);
    const expected = entries.map(({ text, last_used, use_count }) => ({
      text,
      lastUsed: last_used,
      useCount: use_count,
    }));
    for (let round = 0; round < 2; round++) {
      yore(here, ['import', 'm31a']);
      const { prompts } = yoreJson(here, ['prompts']) as { prompts: readonly Entry[] };
      expect(prompts).toHaveLength(2);
      for (const prompt of expected) expect(prompts).toContainEqual(expect.objectContaining(prompt));
      write(join(here.folder, '.m31a', 'history.json'), [...entries, { text: 'no time' }]);
    }
    const [first] = entries;
    write(join(here.folder, '.m31a', 'history.json'), [{ ...first, last_used: '2026-06-21T08:00:00Z', use_count: 8 }]);
    yore(here, ['import', 'm31a']);
    const { prompts } = yoreJson(here, ['prompts', 'water']) as { prompts: readonly Entry[] };
    expect(prompts).toMatchObject([{ useCount: 8, lastUsed: '2026-06-21T08:00:00.000Z' }]);
  });

  it('of the memory of Autohand', () => {
    const here = createPlace();
    const folder = join(here.folder, '.autohand-cli', 'projects', 'a7b3c2d4');
    const failure = {
      timestamp: '2025-11-18T15:30:00.000Z',
      sessionId: '2025-11-18_one',
      tool: 'run_command',
      command: 'pip install greenhouze',
      error: 'No matching distribution found for greenhouze',
      context: 'Reading the sensors',
      tags: ['dependency', 'sensors'],
    };
    const success = {
      timestamp: '2025-11-18T16:00:00.000Z',
      sessionId: '2025-11-18_one',
      tool: 'run_command',
      command: 'uv add greenhouse',
      result: 'Installed 1 package',
      context: 'Reading the sensors',
      tags: ['dependency', 'sensors'],
    };
    const practice = {
      timestamp: '2025-11-19T10:30:00.000Z',
      sessionId: '2025-11-19_two',
      pattern: 'calibrate_first',
      description: 'Calibrate the sensors before a reading',
      tags: ['workflow', 'sensors'],
    };
    const knowledge = {
      updatedAt: '2025-11-19T14:32:00.000Z',
      summary: 'Greenhouse controller in Python.',
      antiPatterns: [{ pattern: 'pip install', reason: 'The project uses uv', occurredAt: '2025-11-18T15:30:00.000Z' }],
      bestPractices: [{ pattern: 'Run uv sync after a pull', reason: 'The lock file changes', confidence: 0.95 }],
      conventions: { formatter: 'ruff' },
    };
    write(join(folder, 'index.json'), { projectPath: here.cwd });
    write(join(folder, 'failures.jsonl'), [failure]);
    write(join(folder, 'successes.jsonl'), [success, practice]);
    write(join(folder, 'knowledge.json'), knowledge);
    yore(here, ['import', 'autohand']);

    const entries = exported(here);
    const find = (fields: object) => expect(entries).toContainEqual(expect.objectContaining(fields));
    for (const { tags, ...fields } of [failure, success, practice]) {
      find({ ...fields, tags: expect.arrayContaining(tags) });
    }
    expect(entries.filter(({ type }) => type === 'message')).toEqual([]);
    const [avoid] = knowledge.antiPatterns;
    const [best] = knowledge.bestPractices;
    find({ outcome: 'failure', pattern: avoid?.pattern, description: avoid?.reason, timestamp: avoid?.occurredAt });
    find({ outcome: 'success', pattern: best?.pattern, description: best?.reason, args: { confidence: 0.95 } });
    find({ pattern: 'formatter: ruff' });
    find({ pattern: knowledge.summary, timestamp: knowledge.updatedAt });

    const known = yoreJson(here, ['knowledge']) as { bestPractices: readonly Entry[]; antiPatterns: readonly Entry[] };
    expect(known.bestPractices).toContainEqual(expect.objectContaining({ pattern: 'calibrate_first' }));
    expect(known.antiPatterns).toContainEqual(expect.objectContaining({ pattern: 'pip install' }));
    expect(yoreJson(here, ['sessions'])).toMatchObject({ total: 2 });

    write(join(folder, 'knowledge.json'), { ...knowledge, updatedAt: '2025-11-20T00:00:00Z', summary: 'New.' });
    yore(here, ['import', 'autohand']);
    expect(exported(here)).toHaveLength(entries.length + 1);
  });

  it('of the history of AC-DC', () => {
    const here = createPlace();
    const lines = [
      {
        id: '1760000000000-aaaa1111',
        session_id: 'sess_1760000000000_abc123',
        timestamp: '2025-10-09T08:53:20.000Z',
        role: 'user',
        content: 'Yes',
        files: ['src/parser.ts', 'src/lexer.ts'],
      },
      {
        id: '1760000001000-bbbb2222',
        session_id: 'sess_1760000000000_abc123',
        timestamp: '2025-10-09T08:53:21.000Z',
        role: 'assistant',
        content: 'Done, but for one place.',
        files_modified: ['src/parser.ts'],
        edit_results: [
          { file_path: 'src/parser.ts', status: 'applied', lines: 4 },
          { file_path: 'src/lexer.ts', status: 'failed', message: 'anchor not found' },
        ],
      },
    ];
    const path = join(here.cwd, '.ac-dc', 'history.jsonl');
    write(path, lines);
    yore(here, ['import', '--file', path]);
    // Another message with the same words soon after: its id shows that it is not the same.
    write(path, [...lines, { ...lines[0], id: '1760000002000-cccc3333', timestamp: '2025-10-09T08:53:22.000Z' }]);
    yore(here, ['import', '--file', path]);
    const messages = exported(here).filter(({ type }) => type === 'message');
    expect(messages).toMatchObject([
      { id: '1760000000000-aaaa1111', content: 'Yes', files: lines[0]?.files, timestamp: lines[0]?.timestamp },
      {
        id: '1760000001000-bbbb2222',
        sessionId: 'sess_1760000000000_abc123',
        filesModified: ['src/parser.ts'],
        editResults: lines[1]?.edit_results ?? [],
      },
      { id: '1760000002000-cccc3333' },
    ]);
    expect(yore(here, ['show', 'sess_1760000000000_abc123']).stdout).toMatch(/x .*src\/lexer\.ts/);
  });
});
