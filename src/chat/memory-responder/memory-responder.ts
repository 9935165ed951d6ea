import { redact } from '../../redact/index.ts';
import type { Responder, ResponderRequest, ResponsePart } from '../responder.ts';
import { answerCommand } from './command-answer.ts';
import { answerFailures, answerFrequentFailures, answerWhy } from './failure-answers.ts';
import { answerFile } from './file-answer.ts';
import { formatText } from './memory-text.ts';
import { answerProject, answerRecap } from './project-answer.ts';
import { findSubject, type MemoryQuestion, type MemorySource, parseQuestion } from './question.ts';
import { answerTopic } from './topic-answer.ts';

const MASK = /\[redacted:[\w-]+\]/g;

const FOLLOW_UP =
  'I answer each question by itself. Ask it again with what it is about, for example: why did `npm install` fail?';

/** The answer is streamed in chunks of this many words. */
const WORDS_PER_CHUNK = 6;

/** Answers without a model, from the project's memory. */
export class MemoryResponder implements Responder {
  readonly kind = 'memory';
  readonly name = 'memory';
  readonly #source: MemorySource;

  constructor(source: MemorySource) {
    this.#source = source;
  }

  async *respond({ prompt, sessionId, signal }: ResponderRequest): AsyncIterable<ResponsePart> {
    const asked = { question: prompt, sessionId };
    const text = await (this.#source.answer?.(asked) ?? answerFromMemory(asked, this.#source));
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
 * Answers a question from the project's memory, as Markdown. Every fact comes with its date and session. Secrets in the
 * question are not repeated.
 */
export function answerFromMemory({ question: given, sessionId }: MemoryQuestion, source: MemorySource): string {
  const asked = { question: redact(given).replace(MASK, ''), sessionId };
  const question = parseQuestion(asked.question, source.now());
  const words = findSubject(asked.question);
  switch (question.kind) {
    case 'recap':
      return answerRecap(question.span, source);
    case 'greeting':
      return greet(source);
    case 'remark':
      return 'Noted with this session. Ask me what was worked on, what failed, or how something is done here.';
    case 'followUp':
      return FOLLOW_UP;
    case 'failures':
      return answerFailures(question.span, source);
    case 'frequentFailures':
      return answerFrequentFailures(source);
    case 'why':
      return answerWhy(words, source) ?? answerTopic(asked, source, { isWhy: true });
    case 'command':
      return answerCommand(question.task, words, source) ?? answerTopic(asked, source);
    case 'project':
      return answerProject(source);
    case 'file':
      return answerFile(question.path, source) ?? answerTopic(asked, source);
    case 'decision':
      return answerTopic(asked, source, { decisionsFirst: true });
    case 'topic':
      return answerTopic(asked, source);
  }
}

function greet({ project }: MemorySource): string {
  return [
    `I am the memory of ${formatText(project.info.displayName)}. No model is set, so I answer from what was recorded here, with the date and session of each fact.`,
    '',
    'For example, ask:',
    '',
    '- what have we worked on this week?',
    '- what failed? which commands keep failing?',
    '- how do I run the tests?',
    '- did we ever use redis? (or any package, file or error)',
    '- who changed src/x.ts, and why?',
    '',
    'For more than that, set a model: `yore config set model.provider anthropic`, then `model.name`.',
  ].join('\n');
}
