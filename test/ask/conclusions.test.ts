import { expect, it } from 'vitest';
import { listConclusions } from '../../src/ask/conclusions.ts';
import { storedRows } from '../rows.ts';
import { Story } from './guard/story.ts';

/** A question of an agent with the answer, as Claude Code reports it. */
function answers(story: Story, pairs: Readonly<Record<string, string>>, sessionId = 'one'): void {
  const questions = Object.keys(pairs).map((question) => ({ question, header: 'Choice', options: [] }));
  const said = Object.entries(pairs).map(([question, answer]) => `"${question}"="${answer}"`);
  const output = `User has answered your questions: ${said.join(', ')}. You can now continue with the user's answers in mind.`;
  story.works('', { tool: 'AskUserQuestion', input: { questions }, sessionId }, output);
}

it('keeps what the user answered, with the question', () => {
  const story = new Story();
  answers(story, { 'Which port does the relay use?': '8443 (Recommended)', 'Ready to push?': 'Yes' });
  const rows = storedRows(story.folder);
  expect(rows.ask((each) => listConclusions(each))).toMatchObject([
    {
      kind: 'decision',
      source: 'answer',
      text: 'Which port does the relay use? 8443',
      life: 'durable',
      sessionId: 'one',
      state: 'current',
      isByUser: true,
    },
  ]);
});

it('reads the answers of other agents', () => {
  const story = new Story();
  const question = 'How are results synced?';
  const call = (tool: string, input: Readonly<Record<string, unknown>>, output: string): void =>
    void story.works('', { tool, input }, output);
  call('ask_user', { question, choices: [] }, 'User selected: Push to a temporary branch and open a request');
  call(
    'request_user_input',
    { questions: [{ id: 'store', question: 'Where are traces kept?', header: 'Store' }] },
    '{"answers":{"store":{"answers":["SQLite"]}}}',
  );
  const rows = storedRows(story.folder);
  expect(rows.ask((each) => listConclusions(each).map(({ text }) => text))).toEqual([
    'Where are traces kept? SQLite',
    'How are results synced? Push to a temporary branch and open a request',
  ]);
});

it('says what a later answer replaced', () => {
  const story = new Story();
  answers(story, { 'Which port does the relay use?': '8443' });
  answers(story, { 'Which port should the relay use now?': '9000' }, 'two');
  const rows = storedRows(story.folder);
  expect(rows.ask((each) => listConclusions(each))).toMatchObject([
    { text: 'Which port should the relay use now? 9000', replaced: [{ text: 'Which port does the relay use? 8443' }] },
  ]);
  expect(rows.ask((each) => listConclusions(each, { all: true, sessionId: 'one' }))).toMatchObject([
    { state: 'replaced' },
  ]);
});
