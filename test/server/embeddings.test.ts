import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openHome } from '../../src/project/index.ts';
import { EmbeddingServer } from '../embedding/embedding-server.ts';
import { connect } from '../mcp/serve.ts';
import { call, newPlace, serve } from './serving.ts';

const SLOWLY = { timeout: 60_000, interval: 500 };
const QUESTION = 'trouble with the authentication again';

async function setUp() {
  const server = await EmbeddingServer.start();
  const place = newPlace();
  writeFileSync(join(place.home, 'config.json'), JSON.stringify({ embeddings: { url: server.url, model: 'm' } }));
  const home = openHome({ home: place.home });
  const { history } = home.openProject(place.cwd);
  const timestamp = '2026-03-03T09:00:00.000Z';
  history.append({ sessionId: 's1', timestamp, role: 'user', content: 'Signin fails for every customer' });
  history.append({ sessionId: 's2', timestamp, role: 'user', content: 'The parser accepts trailing commas' });
  return { place, home, history };
}

it('the server computes vectors in the background, and finds by meaning', async () => {
  const { place, home, history } = await setUp();
  home.close();
  const server = await serve({ place });
  const search = async () => (await call(server, 'history.search', { query: QUESTION })).sessions[0];
  // On a busy machine a question may miss its time, after which the embedder is left alone for a while.
  await expect.poll(search, SLOWLY).toMatchObject({ sessionId: 's1', hits: [{ reason: 'similar in meaning' }] });
  history.append({ sessionId: 's3', timestamp: '2026-03-04T09:00:00.000Z', role: 'user', content: 'Login is broken' });
  await expect.poll(async () => (await search())?.sessionId, SLOWLY).toBe('s3');
  expect(server.errors).toEqual([]);
});

it('the MCP tool search finds by meaning', async () => {
  const { place, home } = await setUp();
  home.catchUp();
  await home.embeddings.embedMissing();
  home.close();
  const { call: callTool } = await connect({ ...place, folder: place.cwd });
  const { text } = await callTool('search', { query: QUESTION });
  expect(text).toContain('Signin fails');
});
