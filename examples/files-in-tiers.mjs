// @ts-check
// Files in cache tiers: those that do not change move to the front of the prompt, where the provider caches them; the one
// that is edited stays at the end.
//   node examples/files-in-tiers.mjs
import { fileURLToPath } from 'node:url';
import { ContextManager } from 'yore/context';

const root = fileURLToPath(new URL('..', import.meta.url));
const context = new ContextManager({ model: 'claude-sonnet-4-5', root, systemPrompt: 'You write code.' });

for (const path of ['README.md', 'AGENTS.md', 'docs/architecture.md', 'docs/search.md']) {
  const result = context.files.add(path);
  if (!result.added) console.log(result.message);
}

for (let request = 1; request <= 8; request++) {
  // The user keeps editing one file; the others are only read.
  context.files.add('src/draft.ts', `export const version = ${request};\n`);

  const messages = context.assemble({ prompt: `Request ${request}: what does the draft do?` });
  context.addExchange(`Request ${request}`, 'It exports a version.');
  context.updateTiers();

  console.log(`request ${request}: ${messages.length} messages, ${markers(messages)} cache markers`);
  printTiers();
}

/** Each item with the number of requests since its last change; of the history only the number of turns. */
function printTiers() {
  for (const [tier, { tokens, items }] of Object.entries(context.tierReport()?.tiers ?? {})) {
    if (items.length === 0) continue;
    const files = items
      .filter(({ key }) => key.startsWith('file:'))
      .map(({ key, unchangedRequests }) => `${key} (${unchangedRequests})`);
    const turns = items.length - files.length;
    const list = [...files, ...(turns > 0 ? [`${turns} turns`] : [])].join(', ');
    console.log(`  ${tier.padEnd(6)} ${String(tokens).padStart(6)} tokens: ${list}`);
  }
}

/** @param {readonly import('yore/context').PromptMessage[]} messages */
function markers(messages) {
  const blocks = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content));
  return blocks.filter((block) => block.type === 'text' && block.cacheMarker).length;
}
