import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { findAgent } from '../../src/agents/registry.ts';

const folder = new URL('recorded/', import.meta.url);

/** What agents sent to hooks in the first two sessions of the stories, see `npm run test:agents -- --record`. */
const recordings = readdirSync(folder).map((name) => {
  const lines = readFileSync(new URL(name, folder), 'utf8').split('\n').filter(Boolean);
  return [name, lines.map((line) => JSON.parse(line))] as const;
});

describe('what a real agent sends to hooks', () => {
  it.each(recordings)('is understood: %s', async (_name, events) => {
    const protocol = await findAgent(events[0].agent)?.hooks?.loadProtocol();
    const messages = events.map(({ payload, event }) => protocol?.decode(payload, event));
    expect(messages).not.toContain(undefined);
    const found = messages.flatMap((message) => (message ? [message] : []));
    const prompts = found.flatMap(({ event }) => (event.type === 'prompt' ? [event.text] : []));
    expect(prompts.map((text) => text.replaceAll('"', ''))).toEqual([
      'Connect to the database',
      'Set up the connection pool',
    ]);
    const before = found.flatMap(({ event }) => (event.type === 'beforeCall' ? [commandOf(event.call.input)] : []));
    expect(before.filter(Boolean)).toEqual(
      expect.arrayContaining([
        'pip install psycopg3',
        'uv add psycopg',
        'pip install psycopg3',
        'pip install psycopg3',
      ]),
    );
    const after = found.flatMap(({ event }) => (event.type === 'afterCall' ? [event] : []));
    const failed = after.filter(({ call }) => commandOf(call.input) === 'pip install psycopg3');
    // Codex does not say how a command ended; its rollout does.
    const status = events[0].agent === 'codex' ? 'unknown' : 'error';
    expect(failed.map(({ result }) => result.status)).toEqual([status, status]);
    expect(failed[0]?.result.output).toContain('No matching distribution found for psycopg3');
    const worked = after.find(({ call }) => commandOf(call.input) === 'uv add psycopg');
    expect(worked?.result.status).toBe(events[0].agent === 'codex' ? 'unknown' : 'ok');
  });
});

function commandOf(input: Readonly<Record<string, unknown>>): unknown {
  return input.command ?? input.cmd;
}
