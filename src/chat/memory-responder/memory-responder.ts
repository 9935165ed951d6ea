import { redact } from '../../redact/index.ts';
import type { Responder, ResponderRequest, ResponsePart } from '../responder.ts';
import { parseIntent } from './intent.ts';
import {
  checkCommand,
  describeLatest,
  listCommand,
  listCost,
  listDecisions,
  listFailures,
  listFailuresOf,
  listFileChanges,
  listKnowledge,
  listRecap,
} from './listings.ts';
import { formatText, type MemorySource } from './memory-text.ts';
import { listSearchResults } from './search-results.ts';

/** Options of a {@link MemoryResponder}. */
interface MemoryResponderOptions extends MemorySource {
  /** Answers in another thread. Default: `answerFromMemory` in this one. */
  readonly answer?: (message: string) => Promise<string>;
}

const NO_WORK = 'Nothing is recorded for that time. `yore recap` shows the latest days.';
const NO_SESSION = 'No session of work is recorded. `yore sessions` lists all sessions.';
const NO_USAGE = 'No agent reported what it used in that time. `yore usage` shows all.';
const NO_FAILURES = 'No such failures are recorded. `yore failures` lists all.';
const NO_DECISIONS = 'Nothing is recorded that you decided or corrected. `yore remember TEXT` notes something.';
const NO_KNOWLEDGE = 'Nothing is known about this project yet. `yore remember TEXT` notes something.';
const NOT_FOUND = [
  'Nothing in this project’s history is a good match.',
  '',
  '- try other words: a file, a package, the text of an error',
  '- `yore search TEXT` searches all projects',
  '- `help` shows what is answered without a model',
].join('\n');

const MASK = /\[redacted:[\w-]+\]/g;
/** The answer is streamed in chunks of this many words. */
const WORDS_PER_CHUNK = 6;

/** Answers without a model, from the project's memory. */
export class MemoryResponder implements Responder {
  readonly kind = 'memory';
  readonly name = 'memory';
  readonly #options: MemoryResponderOptions;

  constructor(options: MemoryResponderOptions) {
    this.#options = options;
  }

  async *respond({ prompt, signal }: ResponderRequest): AsyncIterable<ResponsePart> {
    const text = await (this.#options.answer?.(prompt) ?? answerFromMemory(prompt, this.#options));
    const words = text.match(/\S+\s*/g) ?? [];
    for (let at = 0; at < words.length; at += WORDS_PER_CHUNK) {
      if (signal.aborted) return;
      yield { type: 'text', text: words.slice(at, at + WORDS_PER_CHUNK).join('') };
      // Yields to the event loop, so that a cancellation can arrive.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

/**
 * Answers a message from the project's memory, as Markdown: with a listing that other doors give as well, or with search
 * results. Every line comes with its date and session. Secrets in the message are not repeated.
 */
export function answerFromMemory(message: string, source: MemorySource): string {
  const asked = redact(message).replace(MASK, '');
  const intent = parseIntent(asked, source.now());
  switch (intent?.kind) {
    case 'help':
      return explainUse(source);
    case 'remark':
      return 'Each message is answered by itself. Say what it is about: a file, a package, the text of an error.';
    case 'latest':
      return describeLatest(source) ?? explainNothing(NO_SESSION, source);
    case 'cost':
      return listCost(intent.of, source) ?? explainNothing(NO_USAGE, source);
    case 'recap':
      return listRecap(intent.span, source) ?? explainNothing(NO_WORK, source);
    case 'failures':
      return listFailures(intent.span, source) ?? explainNothing(NO_FAILURES, source);
    case 'failure':
      return listFailuresOf(intent.call, source) ?? answerBySearch(asked, source);
    case 'decisions':
      return (
        listDecisions(intent.about, source) ??
        (intent.about === undefined ? NO_DECISIONS : answerBySearch(asked, source))
      );
    case 'command':
      return listCommand(intent.purpose, source) ?? answerBySearch(asked, source);
    case 'knowledge':
      return listKnowledge(source) ?? explainNothing(NO_KNOWLEDGE, source);
    case 'file':
      return listFileChanges(intent.path, source) ?? answerBySearch(asked, source);
    default:
      return checkCommand(asked, source) ?? answerBySearch(asked, source);
  }
}

function answerBySearch(asked: string, source: MemorySource): string {
  return listSearchResults(asked, source) ?? explainNothing(NOT_FOUND, source);
}

/** Says that a project without a history has none, else what was not found. */
function explainNothing(what: string, { project }: MemorySource): string {
  if (project.memory.countWork() > 0) return what;
  return [
    `Nothing is recorded for ${formatText(project.info.displayName)} yet.`,
    '',
    '- `yore import` imports the history of the agents on this machine',
    '- `yore init` sets them up, so that their work is recorded from now on',
    '- `yore remember TEXT` saves a fact by hand',
  ].join('\n');
}

function explainUse({ project }: MemorySource): string {
  return [
    `No model is set, so replies come from the history of ${formatText(project.info.displayName)}. Some questions are answered with a list:`,
    '',
    '- what did we do last?',
    '- what have we worked on this week?',
    '- what did it cost this month?',
    '- what failed? what failed yesterday? why did `npm test` fail?',
    '- what failed? what failed yesterday?',
    '- what did we decide about the cache? why do we use redis?',
    '- how do I run the tests?',
    '- who changed src/x.ts?',
    '- what do you know about this project?',
    '- a command: whether it failed before, and what worked instead',
    '',
    'For anything else, the best results of a search are shown. A model can say more: `yore config set model.provider anthropic`, then `model.name`.',
  ].join('\n');
}
