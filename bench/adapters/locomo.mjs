// The history and its search over JSON lines: messages of conversations, "ready", and queries within a conversation,
// each of which is answered with the messages and sessions found, best first. A conversation is a project; who speaks
// is recorded as the agent.
//   node bench/adapters/locomo.mjs [--dist DIR]     --dist: use another build
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { loadBuilt } from '../build-modules.mjs';
import { benchHome, embedAll } from './embedder.mjs';

const { openHome } = await loadBuilt('project/index.js');
const folder = mkdtempSync(join(tmpdir(), 'yore-locomo-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const home = openHome({ home: benchHome(join(folder, 'home')) });
const projects = new Map();

function openConversation(id) {
  if (!projects.has(id)) {
    const checkout = join(folder, 'conversations', id);
    mkdirSync(checkout, { recursive: true });
    projects.set(id, { project: home.openProject(checkout), firstSpeaker: undefined });
  }
  return projects.get(id);
}

const handlers = {
  message({ conversation, session, id, speaker, timestamp, text }) {
    const opened = openConversation(conversation);
    opened.firstSpeaker ??= speaker;
    const role = speaker === opened.firstSpeaker ? 'user' : 'assistant';
    opened.project.history.append({ id, sessionId: session, timestamp, role, content: text, agent: speaker });
  },
  async ready() {
    home.catchUp();
    await embedAll(home);
    return { type: 'ready' };
  },
  async query({ conversation, text, limit }) {
    const { project } = openConversation(conversation);
    const query = await home.embeddings.embedQuery({ text, projects: [project.info.projectHash], limit });
    const { hits, sessions } = home.search(query);
    return { messages: hits.map(({ id }) => id), sessions: sessions.map(({ sessionId }) => sessionId) };
  },
};

for await (const line of createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
  if (line.trim() === '') continue;
  const request = JSON.parse(line);
  const answer = await handlers[request.type]?.(request);
  if (answer !== undefined) process.stdout.write(`${JSON.stringify(answer)}\n`);
}
