// @ts-check
// A complete chat loop with a model: files in cache tiers, the history within its budget, and the hit rate of the provider's
// cache. Every argument is a user message; PROJECT and FILES are what it is about.
//   ANTHROPIC_API_KEY=… node examples/ai-sdk-loop.mjs "What does this project do?" "Where would you begin to read?"
import { fileURLToPath } from 'node:url';
import { createAnthropic } from '@ai-sdk/anthropic';
import { generateText } from 'ai';
import { ContextManager, suggestedCommands, toAiSdkPrompt, usageFromAiSdk } from 'yore/context';

const {
  ANTHROPIC_API_KEY,
  ANTHROPIC_BASE_URL,
  MODEL = 'claude-sonnet-4-5',
  PROJECT = fileURLToPath(new URL('..', import.meta.url)),
  FILES = 'README.md AGENTS.md docs/context.md',
} = process.env;
const prompts = process.argv.slice(2);

if (!ANTHROPIC_API_KEY) {
  console.error('Set ANTHROPIC_API_KEY to your key; ANTHROPIC_BASE_URL for another address; MODEL for another model.');
  process.exit(2);
}
if (prompts.length === 0) {
  console.error('Say something: node examples/ai-sdk-loop.mjs "What does this project do?"');
  process.exit(2);
}

const anthropic = createAnthropic({
  apiKey: ANTHROPIC_API_KEY,
  ...(ANTHROPIC_BASE_URL && { baseURL: ANTHROPIC_BASE_URL }),
});
const context = new ContextManager({
  model: MODEL,
  root: PROJECT,
  systemPrompt: 'You answer questions about a project. Suggest a shell command on a line that begins with "CMD: ".',
});
for (const path of FILES.split(' ')) {
  const result = context.files.add(path);
  if (!result.added) console.log(`(${result.message})`);
}

for (const prompt of prompts) {
  console.log(`\n> ${prompt}`);
  const reply = await ask(prompt);
  console.log(reply);
  for (const command of suggestedCommands(reply)) console.log(`suggested: ${command}`);
}

/** @param {string} prompt */
async function ask(prompt) {
  // Files that were edited since the last request are read again.
  const { changed, dropped } = context.files.reload();
  for (const path of changed) console.log(`(${path} has changed)`);
  for (const { message } of dropped) console.log(`(${message})`);

  // Two of the three layers of the budget; the third, compaction, comes after the reply.
  for (const { path } of context.shedFilesIfNeeded(prompt)) console.log(`(${path} is left out: no room)`);
  const cut = context.emergencyTruncateIfNeeded();
  if (cut > 0) console.log(`(${cut} oldest turns are left out: no room)`);

  const messages = context.assemble({ prompt });
  const { text, usage } = await generateText({ model: anthropic(MODEL), ...toAiSdkPrompt(messages) });

  context.addExchange(prompt, text);
  context.updateTiers();
  const hitRate = context.recordUsage(usageFromAiSdk(usage)) ?? 0;
  console.log(`(${usage.inputTokens} tokens sent, ${Math.round(hitRate * 100)} % of all so far from the cache)`);

  const compaction = await context.compactIfNeeded();
  if (compaction && compaction.case !== 'none') console.log(`(${compaction.removed} turns were shortened)`);
  return text;
}
