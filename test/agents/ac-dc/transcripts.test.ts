import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { acDcTranscripts } from '../../../src/agents/ac-dc/transcripts.ts';
import { temporaryFolder } from '../../temp-folder.ts';
import { eventsOf, skipped, withoutSkips } from '../read-transcript.ts';
import { jsonAbout, linesFile, testTranscriptLaws } from '../transcript-laws.ts';

const LINES = [
  {
    id: '1760000000000-aaaa1111',
    session_id: 'sess_1760000000000_abc123',
    timestamp: '2025-10-09T08:53:20Z',
    role: 'user',
    content: 'Rename the parser',
    files: ['src/parser.ts'],
    image_refs: ['1760000000000-cafe.png', '../../secret.png'],
  },
  {
    id: '1760000001000-bbbb2222',
    session_id: 'sess_1760000000000_abc123',
    timestamp: '2025-10-09T08:53:21Z',
    role: 'assistant',
    content: 'Done, but for one place.',
    files_modified: ['src/parser.ts'],
    edit_results: [
      { file: 'src/parser.ts', status: 'applied' },
      { file_path: 'src/lexer.ts', status: 'failed', message: 'anchor not found' },
      { file: 'src/other.ts', status: 'skipped' },
    ],
  },
  {
    id: '1760000002000-cccc3333',
    session_id: 'sess_1760000002000_def456',
    timestamp: '2025-10-09T08:53:22Z',
    role: 'user',
    content: '[History Summary - 12 earlier messages]\n\nThe parser was renamed.',
  },
];

test('reports messages with their session and repository', () => {
  const { project } = projectWith(LINES);
  const events = eventsOf(acDcTranscripts, acDcTranscripts.find(placesOf(project)));
  expect(withoutSkips(events).slice(0, 2)).toEqual([
    { type: 'session', sessionId: 'sess_1760000000000_abc123', cwd: project },
    {
      type: 'message',
      sessionId: 'sess_1760000000000_abc123',
      id: '1760000000000-aaaa1111',
      keepsId: true,
      timestamp: '2025-10-09T08:53:20.000Z',
      role: 'user',
      text: 'Rename the parser',
      files: ['src/parser.ts'],
      images: [{ mediaType: 'image/png', base64: Buffer.from('a picture').toString('base64') }],
    },
  ]);
});

test('reports the edits of a reply as calls with their outcome', () => {
  const { project } = projectWith(LINES);
  const events = eventsOf(acDcTranscripts, acDcTranscripts.find(placesOf(project)));
  expect(withoutSkips(events).filter(({ type }) => type === 'call' || type === 'result')).toMatchObject([
    { type: 'call', tool: 'edit_file', input: { path: 'src/parser.ts' } },
    { type: 'result', result: { status: 'ok' } },
    { type: 'call', tool: 'edit_file', input: { path: 'src/lexer.ts' } },
    { type: 'result', result: { status: 'error', output: 'anchor not found' } },
  ]);
  expect(skipped(events)).toEqual(['edit without an outcome']);
});

test('reports the summary of a compaction as a checkpoint', () => {
  const { project } = projectWith(LINES);
  const [last] = eventsOf(acDcTranscripts, acDcTranscripts.find(placesOf(project))).slice(-1);
  expect(last).toMatchObject({ kind: 'checkpoint', isSystem: true, text: 'The parser was renamed.' });
});

test('recognises a history by its first line', () => {
  expect(acDcTranscripts.recognises(linesFile(LINES))).toBe(true);
  expect(acDcTranscripts.recognises(linesFile([{ role: 'user', content: 'x' }]))).toBe(false);
});

testTranscriptLaws(acDcTranscripts, {
  lines: LINES,
  garbage: ['{"role":', '[1]', { role: 'user', session_id: 7 }, { role: 'tool' }],
  anyLine: jsonAbout('id session_id timestamp role content image_refs edit_results file status', [
    'user',
    'assistant',
    'sess_1',
    'applied',
    '2025-13-45',
    'a.png',
    '/etc/passwd',
  ]),
});

function projectWith(lines: readonly unknown[]): { readonly project: string } {
  const project = temporaryFolder();
  mkdirSync(join(project, '.ac-dc', 'images'), { recursive: true });
  writeFileSync(join(project, '.ac-dc', 'images', '1760000000000-cafe.png'), 'a picture');
  writeFileSync(join(project, 'secret.png'), 'not to be read');
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  writeFileSync(join(project, '.ac-dc', 'history.jsonl'), text);
  return { project };
}

function placesOf(project: string) {
  return {
    home: '/nowhere',
    env: {},
    platform: 'linux' as const,
    projects: [project, join(project, 'missing')],
  };
}
