import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Conclusion, listConclusions } from '../../src/ask/conclusions.ts';
import { appendRecord } from '../../src/log/index.ts';
import { type Message, newMessageId, RECORD_VERSION } from '../../src/record/index.ts';
import { storedRows } from '../rows.ts';
import { MINUTE, Story } from './guard/story.ts';

/** What is said and done in a project, and what is concluded from it. */
class Talk extends Story {
  user(content: string, fields: Partial<Message> = {}): this {
    return this.#say('user', content, fields);
  }

  agent(content: string): this {
    return this.#say('assistant', content, {});
  }

  /** A question of an agent with the answer, as Claude Code reports it. */
  answers(pairs: Readonly<Record<string, string>>): this {
    const questions = Object.keys(pairs).map((question) => ({ question, header: 'Choice', options: [] }));
    const said = Object.entries(pairs).map(([question, answer]) => `"${question}"="${answer}"`);
    const output = `User has answered your questions: ${said.join(', ')}. You can now continue with the user's answers in mind.`;
    this.works('', { tool: 'AskUserQuestion', input: { questions } }, output);
    return this;
  }

  conclusions(filter: Parameters<typeof listConclusions>[1] = {}): readonly Conclusion[] {
    return storedRows(this.folder).ask((rows) => listConclusions(rows, filter)) ?? [];
  }

  texts(): readonly string[] {
    return this.conclusions().map(({ text }) => text);
  }

  #say(role: Message['role'], content: string, fields: Partial<Message>): this {
    const timestamp = new Date(this.now).toISOString();
    const base = { v: RECORD_VERSION, id: newMessageId(this.now), sessionId: 'one', timestamp, agent: 'claude-code' };
    appendRecord(join(this.folder, 'history.jsonl'), { ...base, role, content, ...fields });
    return this.pass(MINUTE) as this;
  }
}

it('keeps what the user answered, with the question', () => {
  const talk = new Talk().answers({ 'Which port does the relay use?': '8443 (Recommended)', 'Ready to push?': 'Yes' });
  expect(talk.conclusions()).toMatchObject([
    {
      ...{ kind: 'decision', source: 'answer', text: 'Which port does the relay use? 8443' },
      ...{ life: 'durable', sessionId: 'one', state: 'current' },
    },
  ]);
});

it('reads the answers of other agents', () => {
  const talk = new Talk();
  const question = 'How are results synced?';
  talk.works(
    '',
    { tool: 'ask_user', input: { question, choices: [] } },
    'User selected: Push to a branch and open a request',
  );
  talk.works(
    '',
    { tool: 'request_user_input', input: { questions: [{ id: 'store', question: 'Where are traces kept?' }] } },
    '{"answers":{"store":{"answers":["SQLite"]}}}',
  );
  expect(talk.texts()).toEqual([
    'Where are traces kept? SQLite',
    'How are results synced? Push to a branch and open a request',
  ]);
});

it('tells decisions and corrections from requests, questions and what was pasted', () => {
  const talk = new Talk()
    .user('we no longer need docker for the dashboard, just run it directly going forward')
    .user("don't use git add -A, name the files")
    .user('can you fix the failing tests?')
    .user('should the relay always reconnect?')
    .user('error: the server should always be running')
    .user('> never merge without a review\nwhat does this mean?')
    .user('no, keep the tables for now');
  expect(talk.conclusions().map(({ kind, life, text }) => `${kind} ${life}: ${text}`)).toEqual([
    'correction session: no, keep the tables for now',
    "correction durable: don't use git add -A, name the files",
    'decision durable: we no longer need docker for the dashboard, just run it directly going forward',
  ]);
});

it('takes nothing from sub-agents, strangers, programs and questions to yore for the word of the user', () => {
  const order = 'we should always use pnpm instead of npm';
  const talk = new Talk()
    .user(order, { sessionId: 'child', parentSessionId: 'one' })
    .user(order, { foreign: true })
    .user(order, { agent: 'yore', sessionId: 'chat' })
    .user(order, { systemEvent: true })
    .user(`<system-reminder>${order}</system-reminder>`)
    .agent(order);
  expect(talk.texts()).toEqual([]);
});

it('tells what a reply chose of what was proposed', () => {
  const talk = new Talk()
    .user('how do we plan the batches of the sync?')
    .agent('Two ways:\n\nA. Probe each batch first.\nB. Estimate from the commit count and split on a rejection.')
    .user("let's do B")
    .agent("I'd drop the hint from the relay error and keep it where a capability is missing. Want me to?")
    .user('yes please')
    .agent('Done. Anything else?')
    .user('yes');
  expect(talk.conclusions()).toMatchObject([
    {
      source: 'reply',
      text: "I'd drop the hint from the relay error and keep it where a capability is missing.",
      quote: 'yes please',
    },
    { source: 'reply', text: 'Estimate from the commit count and split on a rejection.' },
  ]);
});

it('links a correction to the call that the user refused before it', () => {
  const talk = new Talk().user('set up the tables');
  const refused = talk.record('psql -f drop-all.sql', { status: 'rejected', output: 'The user rejected it' });
  talk.user('never drop the tables of the staging database');
  expect(talk.conclusions()).toMatchObject([
    { kind: 'correction', source: 'refusal', corrects: { recordId: refused.id, what: 'psql -f drop-all.sql' } },
  ]);
});

it('tells what was asked before with words that mean nothing alone', () => {
  const talk = new Talk()
    .user('how about the commit sha in the metadata?')
    .agent('Possible.')
    .user("no, i don't want that");
  expect(talk.texts()).toEqual(["how about the commit sha in the metadata? → no, i don't want that"]);
});

it('keeps approved plans but those that repair something, and lines that the user had added to instructions', () => {
  const talk = new Talk()
    .user('Implement the following plan:\n\n# Move shell completion out of enable\n\n1. …')
    .user('Implement the following plan:\n\n# Fix the flaky test\n\n1. …');
  const edits = (path: string, added: string): void => {
    const call = {
      outcome: 'success',
      tool: 'Edit',
      path,
      args: { old_string: '# Tests', new_string: `# Tests\n${added}` },
    };
    const timestamp = new Date(talk.pass(MINUTE).now).toISOString();
    const context = 'put into AGENTS.md how we test';
    const record = { v: RECORD_VERSION, id: newMessageId(talk.now), sessionId: 'one', timestamp, context, ...call };
    appendRecord(join(talk.folder, 'successes.jsonl'), record);
  };
  edits('AGENTS.md', '- Run `make test:ci` before each push');
  edits('notes.md', '- Some more words here');
  expect(talk.conclusions().map(({ source, text }) => `${source}: ${text}`)).toEqual([
    'instructions: Run `make test:ci` before each push',
    'plan: Move shell completion out of enable',
  ]);
});

it('says what a later statement replaced, and counts what was repeated', () => {
  const talk = new Talk()
    .user('the relay should use port 8443', { sessionId: 'one' })
    .user('The relay should use port 8443', { sessionId: 'two' })
    .user('the relay should use port 9000', { sessionId: 'three' });
  expect(talk.conclusions()).toMatchObject([
    { text: 'the relay should use port 9000', replaced: [{ text: 'The relay should use port 8443' }] },
  ]);
  expect(talk.conclusions({ all: true, sessionId: 'two' })).toMatchObject([{ state: 'replaced', count: 2 }]);
});

it('is filtered by kind, words, session, branch, file and time', () => {
  const talk = new Talk()
    .user('we should keep the retries in src/relay/retry.ts', { branch: 'relay' })
    .pass(MINUTE)
    .user("don't use sleeps in tests", { sessionId: 'two', branch: 'main' });
  const found = (filter: Parameters<typeof listConclusions>[1]): readonly string[] =>
    talk.conclusions(filter).map(({ kind }) => kind);
  expect(found({ kind: 'correction' })).toEqual(['correction']);
  expect(found({ words: 'retry keeping' })).toEqual(['decision']);
  expect(found({ sessionId: 'two' })).toEqual(['correction']);
  expect(found({ branch: 'relay' })).toEqual(['decision']);
  expect(found({ file: 'lib/retry.ts' })).toEqual(['decision']);
  expect(found({ since: talk.now - MINUTE })).toEqual(['correction']);
  expect(found({ limit: 1 })).toEqual(['correction']);
});
