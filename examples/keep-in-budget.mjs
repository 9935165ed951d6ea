// @ts-check
// A long session that stays within its budget, without a model or a network. When the history exceeds the trigger, its
// oldest turns become a summary that keeps commands, paths and errors; when the topic has changed, they are dropped.
//   node examples/keep-in-budget.mjs
import { ContextManager } from 'yore/context';

const context = new ContextManager({
  model: 'gpt-4o',
  systemPrompt: 'You write code.',
  // Small values, so that a short session is enough. The defaults are 24,000, 4,000, 500 and 2.
  compaction: {
    triggerTokens: 1_000,
    verbatimWindowTokens: 400,
    summaryBudgetTokens: 200,
    minVerbatimExchanges: 2,
  },
});

let largest = 0;
for (const [user, assistant] of session()) {
  context.addExchange(user, assistant);
  largest = Math.max(largest, context.historyTokenCount());

  // In a chat, call this after the reply was shown: it takes effect with the next request.
  const compaction = await context.compactIfNeeded();
  if (compaction === undefined || compaction.case === 'none') continue;
  const { tokensBefore, tokensAfter, removed, summary } = compaction;
  console.log(`${compaction.case}: ${removed} turns, ${tokensBefore} -> ${tokensAfter} tokens`);
  // After a change of topic the earlier turns are not needed: their summary is reported, but not sent.
  if (compaction.case === 'summarise') console.log(indent(summary));
}

const { enabled, triggerTokens, currentTokens, percent } = context.getCompactionStatus();
console.log(
  `at most ${largest} tokens of history, now ${currentTokens} of ${triggerTokens} (${percent} %, ${enabled ? 'on' : 'off'})`,
);
console.log(`first turn now: ${context.getHistory()[0]?.content.split('\n')[0]}`);

/**
 * Plays a user and an agent: first they fix a cache, then they turn to the build.
 * @returns {Generator<[user: string, assistant: string]>}
 */
function* session() {
  for (let step = 1; step <= 12; step++) {
    yield [
      `The cache test number ${step} fails. Please look at src/cache/store-${step}.ts.`,
      `I ran \`npm test -- test/cache/store-${step}.test.ts\` and got "Error: connect ECONNREFUSED 127.0.0.1:637${step % 10}". ` +
        `I changed src/cache/store-${step}.ts so that it waits for the connection, up to ${step * 100} ms, and ran the test again: it passes. ` +
        'The store now says why it is not ready instead of throwing at the first call.',
    ];
  }
  yield ['That is done. Now let us work on the build: it takes too long.', 'I look at scripts/build.mjs first.'];
  for (let step = 1; step <= 8; step++) {
    yield [
      `What takes the time in step ${step} of the build?`,
      `Step ${step} bundles every entry on its own. I ran \`node scripts/build.mjs --profile ${step}\`: it took ${step * 3} s. ` +
        'With one bundle for all entries the shared modules are read only once, and the step takes less than a second.',
    ];
  }
}

/** @param {string} text */
function indent(text) {
  return text.replace(/^/gm, '  ');
}
