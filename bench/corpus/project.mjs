import { createTextMaker } from './text.mjs';

const AGENTS = ['claude-code', 'claude-code', 'claude-code', 'codex', 'gemini-cli'];
const MODELS = { 'claude-code': 'claude-sonnet', codex: 'gpt-codex', 'gemini-cli': 'gemini-pro' };
const SPAN_MS = 180 * 86_400_000;

/**
 * Generates the records of a project in time order: sessions of 10 to 60 messages, with attempts in between.
 * @param {object} project
 * @param {ReturnType<typeof import('./random.mjs').createRandom>} project.random
 * @param {ReturnType<typeof import('./vocabulary.mjs').createVocabulary>} project.vocabulary
 * @param {number} project.messages
 * @param {number} project.start epoch milliseconds
 * @returns {Generator<{log: 'history' | 'failures' | 'successes', record: object}>}
 */
export function* projectRecords({ random, vocabulary, messages, start }) {
  const text = createTextMaker(vocabulary, random);
  const pause = Math.floor((SPAN_MS / messages) * 35 * 1.6);
  let time = start;
  for (let left = messages; left > 0; ) {
    const count = Math.min(left, random.between(10, 60));
    time += random.between(Math.floor(pause / 10), pause);
    const agent = random.pick(AGENTS);
    const session = {
      sessionId: `sess_${time}_${random.hex(6)}`,
      agent,
      branch: random.chance(0.6) ? 'main' : `feature/${text.word()}`,
    };
    let context = '';
    for (let index = 0; index < count; index++) {
      time += random.between(1_000, 40_000);
      const isUser = index % 2 === 0;
      const content = isUser ? text.request() : text.reply();
      if (isUser) context = content.slice(0, 200);
      yield { log: 'history', record: message(random, session, time, isUser, content, MODELS[agent]) };
      while (!isUser && random.chance(0.42)) {
        time += random.between(200, 9_000);
        yield attempt(random, text, session, time, context);
      }
    }
    left -= count;
  }
}

function message(random, { sessionId, agent, branch }, time, isUser, content, model) {
  return {
    v: 1,
    id: `${time}-${random.hex(8)}`,
    sessionId,
    timestamp: new Date(time).toISOString(),
    role: isUser ? 'user' : 'assistant',
    content,
    agent,
    ...(isUser ? {} : { model }),
    branch,
  };
}

function attempt(random, text, { sessionId, agent, branch }, time, context) {
  const failed = random.chance(0.25);
  const isEdit = random.chance(0.35);
  const path = text.path();
  const command = text.command();
  return {
    log: failed ? 'failures' : 'successes',
    record: {
      v: 1,
      id: `${time}-${random.hex(8)}`,
      timestamp: new Date(time).toISOString(),
      sessionId,
      outcome: failed ? 'failure' : 'success',
      callId: `call_${random.hex(12)}`,
      agent,
      tool: isEdit ? 'Edit' : 'Bash',
      ...(isEdit ? { path } : { command, exitCode: failed ? 1 : 0 }),
      ...(failed ? { error: text.failure() } : { result: text.output() }),
      durationMs: random.below(20_000),
      context,
      branch,
    },
  };
}
