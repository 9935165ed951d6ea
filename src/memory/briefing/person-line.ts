import type { KnowledgeFile } from '../knowledge/knowledge-file.ts';

/**
 * What a person is told at session start, on one line: `📚 yore: 3 previous sessions · ✅ 8 successful patterns ·
 * ⚠️ 2 failed attempts to avoid`. Empty for a project without previous sessions.
 */
export function personLine(previousSessions: number, knowledge: KnowledgeFile | undefined): string {
  if (previousSessions === 0) return '';
  const works = knowledge?.bestPractices.length ?? 0;
  const fails = knowledge?.antiPatterns.length ?? 0;
  return [
    `📚 yore: ${count(previousSessions, 'previous session')}`,
    ...(works === 0 ? [] : [`✅ ${count(works, 'successful pattern')}`]),
    ...(fails === 0 ? [] : [`⚠️ ${count(fails, 'failed attempt')} to avoid`]),
  ].join(' · ');
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}
