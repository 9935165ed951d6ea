// @ts-check
// A session without a tokenizer or compaction: only the newest turns are sent, and the commands that the model suggests are
// parsed from its replies.
//   node examples/sliding-window.mjs
import { estimateTokens, slideWindow, suggestedCommands } from 'yore/context';

const SYSTEM = 'You help with a Node.js project. Suggest a shell command on a line that begins with "CMD: ".';
const MAX_TURNS = 4;

/** @type {import('yore/context').Turn[]} */
let turns = [];

for (const question of ['How do I add Redis?', 'Is it running?', 'Where are its keys?', 'How do I remove them all?']) {
  const reply = modelSays(question);
  turns.push({ role: 'user', content: question }, { role: 'assistant', content: reply });

  const slid = slideWindow(turns, MAX_TURNS);
  turns = slid.turns;

  console.log(`user: ${question}`);
  for (const command of suggestedCommands(reply)) console.log(`  suggested: ${command}`);
  if (slid.evicted > 0) console.log(`  (${slid.evicted} oldest turns left out)`);
  console.log(`  ${turns.length} turns, about ${estimateTokens(SYSTEM, turns)} tokens`);
}

/**
 * Plays the model, so that this runs offline.
 * @param {string} question
 */
function modelSays(question) {
  const replies = new Map([
    ['How do I add Redis?', 'With the client that this project uses:\nCMD: npm install ioredis\nCMD: npm test'],
    ['Is it running?', 'Ask it.\nCMD: redis-cli ping'],
    ['Where are its keys?', 'They are listed by:\nCMD: redis-cli --scan'],
    // Inside a code block a command is quoted, not suggested.
    ['How do I remove them all?', 'Take care: this is not undone.\n```\nCMD: redis-cli flushall\n```'],
  ]);
  return replies.get(question) ?? 'I do not know.';
}
