import { recapQuestion, recapText } from '../../memory/index.ts';
import { answerFromHistory } from './answer-from-history.ts';
import type { MemorySource } from './memory-source.ts';
import { cite, code, day, oneLine } from './memory-text.ts';
import { questionKind } from './question-kind.ts';

const LONGEST_RECAP = 4000;
const MOST_FAILURES = 8;
const MOST_PRACTICES = 8;

/** What the memory of a project says to a question, as Markdown; every fact with its day and its session or command. */
export function answer(question: string, source: MemorySource): string {
  const span = recapQuestion(question, source.now());
  if (span !== undefined) {
    const told = recapText(source.project.memory.recap(span), LONGEST_RECAP);
    return `As recorded in this project:\n\n${told}`;
  }
  switch (questionKind(question)) {
    case 'greeting':
      return greeting(source);
    case 'failures':
      return failures(source);
    case 'command':
      return commands(question, source) ?? answerFromHistory(question, source);
    case 'project':
      return project(source);
    case 'other':
      return answerFromHistory(question, source);
  }
}

function greeting({ project }: MemorySource): string {
  return [
    `I am the memory of ${project.info.displayName}. No model is set, so I answer from what was recorded here, word for word.`,
    '',
    'Ask for example:',
    '- what have we worked on this week?',
    '- what failed?',
    '- how do I run the tests?',
    '- anything that was said or done here: a package, a file, an error',
    '',
    'With a model I can do more: `yore config set model.provider anthropic` and `yore config set model.name NAME`.',
  ].join('\n');
}

function failures({ project }: MemorySource): string {
  const known = project.memory.failures();
  if (known.length === 0) return 'Nothing that failed here is still open, as far as was recorded.';
  const lines = known.slice(0, MOST_FAILURES).map(({ at, what, error, resolution, sessions }) => {
    const why = error === '' ? '' : `: ${oneLine(error)}`;
    const instead = resolution === undefined ? '' : ` Worked instead: ${code(resolution)}.`;
    return `- ${code(what)} failed on ${day(at)}${why}.${instead} ${cite(sessions.at(-1))}`;
  });
  const more = known.length - lines.length;
  return [
    'What failed here and would fail again:',
    '',
    ...lines,
    ...(more > 0 ? ['', `${more} more: \`yore failures\`.`] : []),
  ].join('\n');
}

/** Which command does it here: as the project's files and its successes say. */
function commands(question: string, { project }: MemorySource): string | undefined {
  const { knowledge } = project.memory.synthesise();
  const { testCommand, buildCommand } = project.info.patterns ?? {};
  const found: string[] = [];
  if (/\btests?\b/i.test(question) && testCommand !== undefined) found.push(testCommand);
  if (/\b(?:build|compile)\b/i.test(question) && buildCommand !== undefined) found.push(buildCommand);
  const words =
    question.toLowerCase().match(/\b(?:tests?|lint|format|install|start|deploy|build|check|run)\b/g) ?? [];
  const practices = knowledge.bestPractices.filter(({ pattern }) =>
    words.some((word) => word !== 'run' && pattern.toLowerCase().includes(word.replace(/s$/, ''))),
  );
  if (found.length === 0 && practices.length === 0) return undefined;
  return [
    'In this project:',
    '',
    ...practices.map(({ pattern, reason, evidence }) => `- ${pattern}: ${reason} (${evidence})`),
    ...found.flatMap((command) => ['', `CMD: ${command}`]),
  ].join('\n');
}

function project({ project: { info, memory } }: MemorySource): string {
  const { knowledge } = memory.synthesise();
  const practices = knowledge.bestPractices
    .slice(0, MOST_PRACTICES)
    .map(({ pattern, reason, evidence }) => `- ${pattern}: ${reason} (${evidence})`);
  const avoid = knowledge.antiPatterns
    .slice(0, MOST_PRACTICES)
    .map(
      ({ pattern, reason, occurredAt, alternative }) =>
        `- ${code(pattern)}: ${oneLine(reason)} (${day(occurredAt)})${alternative === undefined ? '' : `; ${code(alternative)} worked`}`,
    );
  if (knowledge.summary === '' && practices.length + avoid.length === 0) {
    return `Nothing is known of ${info.displayName} yet. \`yore import\` reads what agents have recorded on this machine.`;
  }
  return [
    knowledge.summary,
    ...(practices.length > 0 ? ['', 'What works:', '', ...practices] : []),
    ...(avoid.length > 0 ? ['', 'What to avoid:', '', ...avoid] : []),
  ]
    .join('\n')
    .trim();
}
