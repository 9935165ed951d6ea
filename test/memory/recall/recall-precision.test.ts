import { describe, expect, it } from 'vitest';
import type { SessionDigest } from '../../../src/memory/digest/session-digest.ts';
import { recall } from '../../../src/memory/recall/recall.ts';
import { createRecallMemory } from '../../../src/memory/recall/recall-snapshot.ts';

interface Marina {
  readonly marinaDigests: () => readonly SessionDigest[];
  readonly MARINA_PROMPTS: readonly { readonly prompt: string; readonly sessionId: string }[];
}

interface Unrelated {
  readonly UNRELATED_PROMPTS: readonly string[];
  readonly SHORT_ANSWERS: readonly string[];
}

const folder = new URL('../../../bench/corpus/', import.meta.url);
const { marinaDigests, MARINA_PROMPTS }: Marina = await import(new URL('marina.mjs', folder).href);
const { UNRELATED_PROMPTS, SHORT_ANSWERS }: Unrelated = await import(new URL('unrelated-prompts.mjs', folder).href);

const memory = createRecallMemory(marinaDigests());
const options = { minConfidence: 0.75, now: new Date('2025-05-01T12:00:00Z') };

describe('recall in a project of forty sessions', () => {
  it('ignores prompts that are unrelated to the project, and short replies', () => {
    const prompts = [...UNRELATED_PROMPTS, ...SHORT_ANSWERS];
    const answered = prompts.filter((prompt) => recall(prompt, memory, options) !== undefined);
    expect(prompts.length).toBeGreaterThanOrEqual(90);
    expect(answered.length / prompts.length, answered.join('\n')).toBeLessThanOrEqual(0.03);
  });

  it('shows the decisive line of the right session for related prompts', () => {
    const missed = MARINA_PROMPTS.filter(({ prompt, sessionId }) => {
      const recollection = recall(prompt, memory, options);
      const commit = memory.digest(sessionId)?.commits[0]?.message ?? '';
      return recollection?.sessionId !== sessionId || !recollection.lines.some(({ text }) => text.includes(commit));
    });
    expect(MARINA_PROMPTS.length).toBeGreaterThanOrEqual(30);
    expect(missed.length / MARINA_PROMPTS.length, missed.map(({ prompt }) => prompt).join('\n')).toBeLessThanOrEqual(
      0.2,
    );
  });
});
