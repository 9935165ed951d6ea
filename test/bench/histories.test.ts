import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { claudeCodeTranscripts } from '../../src/agents/claude-code/transcripts.ts';
import { codexTranscripts } from '../../src/agents/codex/transcripts.ts';
import { copilotTranscripts } from '../../src/agents/copilot/transcripts.ts';
import { geminiTranscripts } from '../../src/agents/gemini/transcripts.ts';
import { piTranscripts } from '../../src/agents/pi/transcripts.ts';
import type { AgentTranscripts, TranscriptSource } from '../../src/agents/transcript/transcript.ts';
import { generateHistory } from './generate-history.ts';

const BYTES = 3_000_000;

function sourcesIn(transcripts: AgentTranscripts, folder: string): readonly TranscriptSource[] {
  return transcripts.find({ home: folder, env: {}, platform: process.platform, projects: [] });
}

const AGENTS: readonly AgentTranscripts[] = [
  claudeCodeTranscripts,
  codexTranscripts,
  piTranscripts,
  copilotTranscripts,
  geminiTranscripts,
];

describe.each(AGENTS.map((transcripts) => ({ agent: transcripts.agent, transcripts })))(
  'a generated history of $agent',
  ({ agent, transcripts }) => {
    it('has the requested size and is deterministic except for its folder', () => {
      const [one, other] = [generateHistory(agent, BYTES), generateHistory(agent, BYTES)];
      const contents = [one, other].map(({ folder }) =>
        sourcesIn(transcripts, folder).map((source) => readFileSync(source.path, 'utf8').replaceAll(folder, '')),
      );
      expect(contents[0]).toEqual(contents[1]);
      const size = contents[0]?.join('').length ?? 0;
      expect(size).toBeGreaterThan(BYTES * 0.8);
      expect(size).toBeLessThan(BYTES * 2);
      expect(one.lines).toBe(other.lines);
    });

    it('can be read except for torn lines, and has failures, images and compactions', () => {
      const { folder } = generateHistory(agent, BYTES);
      const seen = new Set<string>();
      for (const source of sourcesIn(transcripts, folder)) {
        const isTorn = !readFileSync(source.path, 'utf8').trimEnd().endsWith('}');
        const open = new Set<string>();
        for (const event of transcripts.read(source).events) {
          if (event.type === 'session' && event.cwd !== undefined) expect(event.cwd).toContain(`${folder}/code/`);
          if (event.type === 'call') open.add(event.callId);
          if (event.type === 'result') open.delete(event.callId);
          if (event.type === 'skip') expect(event).not.toHaveProperty('isProblem');
          seen.add(event.type === 'result' ? event.result.status : event.type);
          if (event.type !== 'message') continue;
          seen.add(event.kind ?? event.role);
          if (event.images) seen.add('image');
        }
        expect(open.size).toBeLessThanOrEqual(isTorn ? 1 : 0);
      }
      for (const kind of ['session', 'user', 'assistant', 'call', 'ok', 'error', 'image', 'checkpoint']) {
        expect(seen).toContain(kind);
      }
    });
  },
);
