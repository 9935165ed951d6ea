import type { KnowledgeFile } from '../../memory/index.ts';
import { clipped } from './indented.ts';
import type { Output } from './output.ts';
import { countOf } from './quantity.ts';
import { sanitiseLine } from './sanitise.ts';
import { relativeTime } from './time.ts';

/** What works in a project, each with its reason and evidence. */
export function practiceLines(practices: KnowledgeFile['bestPractices'], output: Output): string[] {
  const { style, symbols, columns } = output;
  const room = { columns, ellipsis: symbols.ellipsis };
  return practices.flatMap(({ pattern, reason, evidence }) => {
    const notes = [reason, evidence]
      .map(sanitiseLine)
      .filter((note) => note !== '' && note !== sanitiseLine(pattern));
    return [
      ...clipped(sanitiseLine(pattern), { ...room, by: 4, sign: style.green(symbols.success) }),
      ...clipped(notes.join(` ${symbols.separator} `), { ...room, by: 6, paint: style.dim }),
    ];
  });
}

/** What fails in a project, each with its reason and what works instead. */
export function avoidLines(patterns: KnowledgeFile['antiPatterns'], output: Output, now: number): string[] {
  const { style, symbols, columns } = output;
  const room = { columns, ellipsis: symbols.ellipsis };
  return patterns.flatMap(({ pattern, reason, occurredAt, count, alternative }) => {
    const what = sanitiseLine(pattern);
    const why = sanitiseLine(reason);
    const when = `${count > 1 ? `${countOf(count, 'time')}, last ` : ''}${relativeTime(occurredAt, now)}`;
    const notes = [...(why === '' || why === what ? [] : [why]), when].join(` ${symbols.separator} `);
    return [
      ...clipped(what, { ...room, by: 4, sign: style.red(symbols.failure) }),
      ...clipped(notes, { ...room, by: 6, paint: style.dim }),
      ...(alternative === undefined
        ? []
        : clipped(`worked instead: ${sanitiseLine(alternative)}`, { ...room, by: 6, paint: style.green })),
    ];
  });
}
