import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { geminiTranscripts } from '../../../src/agents/gemini/transcripts.ts';
import { temporaryFolder } from '../../temp-folder.ts';
import { createHome, findPaths, linesFile, messagesIn, readFile, readLines, textOfLines } from '../transcript-laws.ts';
import { call, framed, HEADER, record, SHELL, TOKENS, user } from './session-lines.ts';

describe('older sessions of Gemini CLI', () => {
  const MESSAGES = [
    user('u1', 'fire the kiln'),
    record('g1', 'gemini', 'I light it.', {
      tokens: TOKENS,
      toolCalls: [call('c1', SHELL, { command: 'fire kiln' }, 'success', framed('no wood', 2))],
    }),
  ];

  function document(messages: readonly unknown[], path?: string): string {
    const target = path ?? join(temporaryFolder(), 'session-2026-01-15T20-51-kiln-1.json');
    writeFileSync(target, JSON.stringify({ ...HEADER, messages }, undefined, 2));
    return target;
  }

  test('are one document with the same events as lines', () => {
    expect(readFile(geminiTranscripts, document(MESSAGES)).events).toEqual(
      readLines(geminiTranscripts, [HEADER, ...MESSAGES]),
    );
  });

  test('return only what was added since they were read', () => {
    const path = document(MESSAGES);
    const { position } = readFile(geminiTranscripts, path);
    expect(readFile(geminiTranscripts, path, position).events).toEqual([]);
    const grown = {
      ...MESSAGES[1],
      toolCalls: [
        ...(MESSAGES[1] as { toolCalls: object[] }).toolCalls,
        call('c2', 'read_file', { file_path: 'a' }, 'success', 'oak'),
      ],
    };
    document([MESSAGES[0], grown, user('u2', 'and now?')], path);
    expect(readFile(geminiTranscripts, path, position).events).toMatchObject([
      { type: 'call', callId: 'c2' },
      { type: 'result', callId: 'c2' },
      { type: 'message', id: 'u2' },
    ]);
  });

  test('are read again if they begin differently', () => {
    const path = document(MESSAGES);
    const { position } = readFile(geminiTranscripts, path);
    document([user('v1', 'another kiln')], path);
    expect(readFile(geminiTranscripts, path, position).events).toMatchObject([
      { type: 'session', sessionId: 'kiln-1' },
      { type: 'message', id: 'v1' },
    ]);
  });

  test('are a problem if damaged, and so is each damaged message', () => {
    const path = join(temporaryFolder(), 'session-x.json');
    writeFileSync(path, '{"sessionId":"kiln-1","messages":[');
    expect(readFile(geminiTranscripts, path).events).toMatchObject([{ type: 'skip', isProblem: true }]);
    const events = readFile(geminiTranscripts, document([null, 7, ...MESSAGES])).events;
    expect(events.filter((event) => event.type === 'skip')).toHaveLength(2);
    expect(messagesIn(events)).toHaveLength(2);
  });
});

describe('the files of Gemini CLI', () => {
  const LINES = textOfLines([HEADER, user('u1', 'fire the kiln')]);

  function createGeminiHome() {
    const { home, put } = createHome();
    return { home, put: (path: string, content: string) => put(`.gemini/${path}`, content) };
  }

  test('are found for each project, with its folder if known', () => {
    const { home, put } = createGeminiHome();
    const hash = (root: string) => createHash('sha256').update(root).digest('hex');
    put('projects.json', JSON.stringify({ projects: { '/code/kiln': 'kiln', '/code/clay': 'clay' } }));
    const marked = put('tmp/marked/chats/session-1.jsonl', LINES);
    put('tmp/marked/.project_root', '/code/marked\n');
    const registered = put('tmp/kiln/chats/session-1.jsonl', LINES);
    const hashed = put(`tmp/${hash('/code/clay')}/chats/session-1.json`, '{}');
    const known = put(`tmp/${hash('/code/known')}/chats/session-1.json`, '{}');
    const unknown = put(`tmp/${hash('/code/unknown')}/chats/session-1.json`, '{}');
    put('tmp/kiln/logs.json', '[]');
    const found = geminiTranscripts.find({ home, env: {}, platform: 'linux', projects: ['/code/known'] });
    expect(new Map(found.map((source) => [source.path, source.cwd]))).toEqual(
      new Map([
        [marked, '/code/marked'],
        [registered, '/code/kiln'],
        [hashed, '/code/clay'],
        [known, '/code/known'],
        [unknown, undefined],
      ]),
    );
  });

  test("name the project's folder, even if only their path is known", () => {
    const { put } = createGeminiHome();
    put('projects.json', JSON.stringify({ projects: { '/code/kiln': 'kiln' } }));
    const path = put('tmp/kiln/chats/session-1.jsonl', LINES);
    expect(readFile(geminiTranscripts, path).events[0]).toEqual({
      type: 'session',
      sessionId: 'kiln-1',
      cwd: '/code/kiln',
    });
  });

  test('are matched with their folder by its hash and the paths in their calls', () => {
    const { put } = createGeminiHome();
    const projectHash = createHash('sha256').update('/code/kiln').digest('hex');
    const reads = (path: string) =>
      record('g1', 'gemini', '', {
        toolCalls: [call('c1', 'read_file', { file_path: path }, 'success', 'x')],
      });
    const lines = (path: string) => textOfLines([{ ...HEADER, projectHash }, reads(path)]);
    const inside = put(`tmp/${projectHash}/chats/session-1.jsonl`, lines('/code/kiln/src/a b/wood.txt'));
    const outside = put(`tmp/${projectHash}/chats/session-2.jsonl`, lines('/code/other/wood.txt'));
    expect(readFile(geminiTranscripts, inside).events[0]).toMatchObject({ cwd: '/code/kiln' });
    expect(readFile(geminiTranscripts, outside).events[0]).not.toHaveProperty('cwd');
  });

  test('of sub-agents name the session that started them', () => {
    const { home, put } = createGeminiHome();
    const path = put(
      'tmp/kiln/chats/kiln-1/scout.jsonl',
      textOfLines([{ ...HEADER, sessionId: 'scout', kind: 'subagent' }]),
    );
    expect(findPaths(geminiTranscripts, home)).toEqual([path]);
    expect(readFile(geminiTranscripts, path).events).toEqual([
      { type: 'session', sessionId: 'scout', parentSessionId: 'kiln-1' },
    ]);
  });

  test('that continue as lines are no longer read as documents', () => {
    const { home, put } = createGeminiHome();
    put('tmp/kiln/chats/session-1.json', '{}');
    const lines = put('tmp/kiln/chats/session-1.jsonl', LINES);
    expect(findPaths(geminiTranscripts, home)).toEqual([lines]);
  });

  test('follow GEMINI_CLI_HOME', () => {
    const { home, put } = createGeminiHome();
    const path = put('tmp/kiln/chats/session-1.jsonl', LINES);
    expect(findPaths(geminiTranscripts, '/nowhere', { GEMINI_CLI_HOME: home })).toEqual([path]);
  });

  test('are recognised by their beginning', () => {
    expect(geminiTranscripts.recognises(linesFile([HEADER]))).toBe(true);
    expect(geminiTranscripts.recognises(linesFile([{ type: 'session', id: 'x' }]))).toBe(false);
    expect(geminiTranscripts.recognises(linesFile([JSON.stringify(HEADER, undefined, 2)], 'a.json'))).toBe(true);
    expect(geminiTranscripts.recognises(linesFile([{ sessionId: 'x' }], 'b.json'))).toBe(false);
  });
});
