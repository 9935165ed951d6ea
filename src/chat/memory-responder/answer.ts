import { answerCommand } from './command-answer.ts';
import { answerFailures, answerWhy } from './failure-answers.ts';
import type { Asked, MemorySource } from './memory-source.ts';
import { said } from './memory-text.ts';
import { answerProject } from './project-answer.ts';
import { readQuestion } from './question.ts';
import { answerRecap } from './recap-answer.ts';
import { subjectOf } from './subject.ts';
import { answerTopic } from './topic-answer.ts';

/** What the memory of a project says to a question, as Markdown; every fact with its day and its session. */
export function answer(asked: Asked, source: MemorySource): string {
  const question = readQuestion(asked.question, source.now());
  const words = subjectOf(asked.question);
  switch (question.kind) {
    case 'recap':
      return answerRecap(question.span, asked, source);
    case 'greeting':
      return greeting(source);
    case 'remark':
      return 'That stays with the session. Ask me what was worked on, what failed, or how something is done here.';
    case 'failures':
      return answerFailures(question.span, asked, source);
    case 'why':
      return answerWhy(words, asked, source) ?? answerTopic(asked, source, { isWhy: true });
    case 'command':
      return answerCommand(question.task, words, asked, source) ?? answerTopic(asked, source);
    case 'project':
      return answerProject(asked, source);
    case 'decision':
      return answerTopic(asked, source, { decisionsFirst: true });
    case 'topic':
      return answerTopic(asked, source);
  }
}

function greeting({ project }: MemorySource): string {
  return [
    `I am the memory of ${said(project.info.displayName)}. No model is set: I answer from what was recorded here, with the day and the session of each fact.`,
    '',
    'Ask for example:',
    '',
    '- what have we worked on this week?',
    '- what failed?',
    '- how do I run the tests?',
    '- did we ever use redis? (or any package, file or error)',
    '',
    'For more than that, set a model: `yore config set model.provider anthropic`, then `model.name`.',
  ].join('\n');
}
