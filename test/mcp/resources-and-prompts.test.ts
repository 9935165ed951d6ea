import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AUTHENTICATION, playSessions, REDIS } from '../cli/built/agent.ts';
import { createPlace, type Place } from '../cli/built/run-yore.ts';
import { connect } from './serve.ts';

function place(): Place {
  const made = createPlace();
  playSessions(made, [REDIS, AUTHENTICATION]);
  return made;
}

type Client = Awaited<ReturnType<typeof connect>>['client'];

async function read(client: Client, uri: string): Promise<string> {
  const { contents } = await client.readResource({ uri });
  return contents.map((content) => ('text' in content ? content.text : '')).join('\n');
}

async function ask(client: Client, name: string, input: Record<string, string>): Promise<string> {
  const { messages } = await client.getPrompt({ name, arguments: input });
  return messages.map(({ role, content }) => `${role}: ${content.type === 'text' ? content.text : ''}`).join('\n');
}

describe('the resources', () => {
  it('are the briefing, the knowledge and the latest sessions', async () => {
    const { client } = await connect(place());
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual([
      'yore://briefing',
      'yore://knowledge',
      'yore://session/redis-1',
      'yore://session/auth-1',
    ]);
    for (const { title, mimeType, description } of resources) {
      expect([title, mimeType, description].every(Boolean)).toBe(true);
    }
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      'yore://session/{id}',
      'yore://session/{id}/{page}',
    ]);
  });

  it('hold facts with their evidence, up to the last record', async () => {
    const made = place();
    const { client } = await connect(made);
    const briefing = await read(client, 'yore://briefing');
    expect(briefing).toContain('from 2 previous sessions');
    expect(briefing).toContain('`npm install redis-node` failed: "Package not found: redis-node"');
    expect(await read(client, 'yore://knowledge')).toMatch(
      /## What to avoid\n[^#]*`npm install redis-node`: "Package not found: redis-node" \(\d{4}-\d\d-\d\d\); worked instead: `bun add ioredis`/,
    );
    playSessions(made, [
      { sessionId: 'late-1', daysAgo: 0, request: 'Paint the shed', done: [{ command: 'make paint' }] },
    ]);
    expect(await read(client, 'yore://briefing')).toContain('Paint the shed');
  });

  it('say what the project is made with', async () => {
    const made = place();
    const manifest = { dependencies: { express: '5' }, devDependencies: { typescript: '5' } };
    writeFileSync(join(made.cwd, 'package.json'), JSON.stringify(manifest));
    const { client } = await connect(made);
    expect(await read(client, 'yore://briefing')).toContain('Tech stack: "TypeScript | Express"');
    expect(await ask(client, 'catch-up', {})).toContain('Tech stack: "TypeScript | Express"');
  });

  it('include sessions by id and page, and say what does not exist', async () => {
    const { client } = await connect(place());
    expect(await read(client, 'yore://session/redis-1')).toContain('Add Redis caching');
    expect(await read(client, 'yore://session/redis-1/1')).toContain('Page 1 of 1 (last page).');
    await expect(read(client, 'yore://session/redis-1/2')).rejects.toThrow('no page 2');
    await expect(read(client, 'yore://session/nope')).rejects.toThrow('no session "nope"');
    await expect(read(client, 'yore://session/redis-1/x')).rejects.toThrow();
    await expect(read(client, 'yore://session/%E0%A4%A')).rejects.toThrow();
    await expect(read(client, 'yore://nothing')).rejects.toThrow();
    await expect(read(client, 'not a uri')).rejects.toThrow();
  });

  it('complete the ids of sessions', async () => {
    const { client } = await connect(place());
    const { completion } = await client.complete({
      ref: { type: 'ref/resource', uri: 'yore://session/{id}' },
      argument: { name: 'id', value: 're' },
    });
    expect(completion.values).toEqual(['redis-1']);
  });

  it('say what to do when nothing is recorded', async () => {
    const { client } = await connect(createPlace());
    expect((await client.listResources()).resources).toHaveLength(2);
    for (const uri of ['yore://briefing', 'yore://knowledge']) {
      expect(await read(client, uri)).toMatch(/Nothing is recorded for .*my-app` yet\..*yore init/);
    }
  });
});

describe('the prompts', () => {
  it('are listed with their arguments', async () => {
    const { client } = await connect(place());
    const { prompts } = await client.listPrompts();
    expect(prompts).toMatchObject([
      { name: 'catch-up', arguments: [{ name: 'days', required: false }] },
      {
        name: 'why-did-this-fail',
        arguments: [
          { name: 'command', required: true },
          { name: 'error', required: false },
        ],
      },
    ]);
  });

  it('include the records that answer them', async () => {
    const { client } = await connect(place());
    const catchUp = await ask(client, 'catch-up', { days: '3' });
    expect(catchUp).toMatch(/^user: Where does the work on this project stand\?/);
    expect(catchUp).toContain('Session redis-1');
    expect(catchUp).toContain('from 2 previous sessions');
    const why = await ask(client, 'why-did-this-fail', {
      command: 'npm install redis-node',
      error: 'Package not found: redis-node',
    });
    expect(why).toContain('What worked instead: `bun add ioredis`');
    expect(why.match(/session redis-1, id/g)).toHaveLength(1);
    expect(await ask(client, 'why-did-this-fail', { command: 'xyzzy plugh' })).toContain('Nothing similar is recorded');
  });

  it('say what is wrong with their arguments', async () => {
    const { client } = await connect(place());
    await expect(ask(client, 'catch-up', { days: 'many' })).rejects.toThrow('"many" is not an integer from 1 to 90');
    await expect(ask(client, 'why-did-this-fail', {})).rejects.toThrow('command');
    await expect(ask(client, 'why-did-this-fail', { command: ' ' })).rejects.toThrow('command is empty');
    await expect(ask(client, 'sing', {})).rejects.toThrow('sing');
    const empty = (await connect(createPlace())).client;
    expect(await ask(empty, 'catch-up', {})).toContain('yore init');
    expect(await ask(empty, 'why-did-this-fail', { command: 'ls' })).toContain('yore init');
  });
});
