import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { aiderTranscripts } from '../../src/agents/aider/transcripts.ts';
import { clineTranscripts } from '../../src/agents/cline/transcripts.ts';
import { cursorTranscripts } from '../../src/agents/cursor/transcripts.ts';
import { opencodeTranscripts } from '../../src/agents/opencode/transcripts.ts';
import type { AgentTranscripts, TranscriptEvent, TranscriptSource } from '../../src/agents/transcript/transcript.ts';
import { generateHistory } from './generate-history.ts';

function sourcesIn(transcripts: AgentTranscripts, folder: string): readonly TranscriptSource[] {
  const code = join(folder, 'code');
  const projects = readdirSync(code).map((name) => join(code, name));
  return transcripts.find({ home: folder, env: {}, platform: process.platform, projects });
}

function eventsIn(transcripts: AgentTranscripts, folder: string): TranscriptEvent[] {
  return sourcesIn(transcripts, folder).flatMap((source) => [...transcripts.read(source).events]);
}

const ALL = ['session', 'user', 'assistant', 'call', 'ok', 'error', 'image', 'checkpoint'];
const AGENTS: readonly {
  transcripts: AgentTranscripts;
  kinds: readonly string[];
  problems: readonly string[];
}[] = [
  { transcripts: opencodeTranscripts, kinds: [...ALL, 'rejected'], problems: [] },
  { transcripts: clineTranscripts, kinds: [...ALL, 'rejected'], problems: ['broken JSON'] },
  // Neither stores images or summaries, and Cursor stores no results.
  {
    transcripts: aiderTranscripts,
    kinds: ['session', 'user', 'assistant', 'call', 'ok', 'error'],
    problems: [],
  },
  { transcripts: cursorTranscripts, kinds: ['session', 'user', 'assistant', 'call'], problems: [] },
];

describe.each(AGENTS.map((agent) => ({ ...agent, name: agent.transcripts.agent })))(
  'a generated history of $name',
  ({ name, transcripts, kinds, problems }) => {
    it('has the requested size and is deterministic except for its folder', () => {
      const bytes = 600_000;
      const [one, other] = [generateHistory(name, bytes), generateHistory(name, bytes)];
      const size = sourcesIn(transcripts, one.folder).reduce((sum, source) => sum + source.size, 0);
      expect(size).toBeGreaterThan(bytes * 0.7);
      expect(size).toBeLessThan(bytes * 3);
      expect(one.lines).toBe(other.lines);
      const [first, second] = [one, other].map(({ folder }) =>
        JSON.stringify(eventsIn(transcripts, folder)).replaceAll(folder, ''),
      );
      // The ids of aider and Cursor depend on the folder.
      const plain = (text: string | undefined) => text?.replace(/"(?:id|callId|sessionId)":"[^"]*"/g, '');
      expect(plain(first)).toBe(plain(second));
    });

    it('can be read except for torn parts, and has every kind of event that the format supports', () => {
      const { folder } = generateHistory(name, 4_000_000);
      const seen = new Set<string>();
      for (const event of eventsIn(transcripts, folder)) {
        if (event.type === 'session' && event.cwd !== undefined) expect(event.cwd).toContain(join(folder, 'code'));
        if (event.type === 'skip' && event.isProblem) expect(problems).toContain(event.reason);
        seen.add(event.type === 'result' ? event.result.status : event.type);
        if (event.type !== 'message') continue;
        seen.add(event.kind ?? event.role);
        if (event.images) seen.add('image');
      }
      for (const kind of kinds) expect(seen).toContain(kind);
    });
  },
);
