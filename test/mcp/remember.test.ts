import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AUTHENTICATION, playSessions, REDIS } from '../cli/built/agent.ts';
import { createPlace } from '../cli/built/run-yore.ts';
import { connect } from './serve.ts';

describe('remember', () => {
  it('saves a fact or something to avoid, which the knowledge includes from then on', async () => {
    const made = createPlace();
    playSessions(made, [REDIS, AUTHENTICATION]);
    const { call, client } = await connect(made);
    const fact = await call('remember', { text: 'Migrations run with\nmake migrate', tags: ['database'] });
    expect(fact).toMatchObject({
      isError: false,
      data: { kind: 'fact', text: 'Migrations run with make migrate', project: 'my-app', redacted: false },
    });
    await call('remember', { text: 'Never push on Fridays', kind: 'avoid' });
    const { contents } = await client.readResource({ uri: 'yore://knowledge' });
    const text = JSON.stringify(contents);
    expect(text).toContain('Migrations run with make migrate');
    expect(text).toMatch(/What to avoid.*Never push on Fridays.*What works/);
  });

  it('registers a new folder, removes secrets, and refuses while recording is paused', async () => {
    const made = createPlace();
    const { call } = await connect(made);
    const secret = ['ghp_', 'Zk3vQ9xR2mB7tL5wY8nC1pD4sF6hJ0aGeUiO'].join('');
    const noted = await call('remember', { text: `The token is ${secret}` });
    expect(noted).toMatchObject({ isError: false, data: { redacted: true } });
    expect(JSON.stringify(noted)).not.toContain(secret);
    writeFileSync(join(made.home, 'config.json'), '{ "recording": { "enabled": false } }');
    expect(await call('remember', { text: 'x' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('recording is paused in my-app'),
    });
  });
});
