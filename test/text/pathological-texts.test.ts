import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { clineTranscripts } from '../../src/agents/cline/transcripts.ts';
import { joinLines } from '../../src/cli/picker.ts';
import { redact } from '../../src/redact/redact.ts';
import { normaliseRemoteUrl } from '../../src/registry/git-repository.ts';
import { safeText } from '../../src/text/one-line.ts';
import { sanitise } from '../../src/text/sanitise.ts';
import { eventsIn } from '../agents/read-transcript.ts';
import { temporaryFolder } from '../temp-folder.ts';

/** What reads the rest of such a text again from each of its places takes many minutes. */
const LENGTH = 1_000_000;
const SYMBOLS = { lineBreak: '↵' } as Parameters<typeof joinLines>[1];

function readClineTurn(content: string): number {
  const path = join(temporaryFolder(), 'api_conversation_history.json');
  const turns = [
    { role: 'user', content: '<task>\nFix the tests\n</task>' },
    { role: 'assistant', content },
  ];
  writeFileSync(path, JSON.stringify(turns));
  return eventsIn(clineTranscripts, path).length;
}

it.each([
  ['openings of control strings, shown', '\x9d', (text: string) => sanitise(text)],
  ['openings of control strings, for agents', '\x90a', (text: string) => safeText(text)],
  ['signs of addresses, redacted', '@', (text: string) => redact(text)],
  ['spaces of a prompt, on one line', '\t', (text: string) => joinLines(text, SYMBOLS)],
  ['slashes of a remote', '\\', (text: string) => normaliseRemoteUrl(text, '/srv')],
  ['line breaks of a turn of Cline', '\n', (text: string) => readClineTurn(text)],
])('a megabyte of %s is read once', (_, unit, read) => {
  expect(read(`a${unit.repeat(LENGTH / unit.length)}z`)).toBeTruthy();
});
