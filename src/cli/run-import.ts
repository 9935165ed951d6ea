import { type ImportOptions, type ImportReport, importTranscripts } from '../import/index.ts';
import type { Home } from '../project/index.ts';
import { type Ended, interruptible } from './interruptible.ts';
import { clipped } from './output/indented.ts';
import type { Output } from './output/output.ts';
import { countOf } from './output/quantity.ts';

/** Imports with a progress bar; Ctrl-C ends it and what was read by then is kept. */
export async function importWithProgress(
  home: Home,
  options: ImportOptions,
  output: Output,
): Promise<Ended<ImportReport>> {
  return await output.withProgress(
    PHASES.reading,
    (progress) =>
      interruptible(progress, (report) =>
        importTranscripts(home, {
          ...options,
          onProgress: ({ phase, done, total }) => report(done, total, PHASES[phase]),
        }),
      ),
    'bytes',
  );
}

const PHASES = { reading: 'Importing', learning: 'Learning', indexing: 'Indexing' } as const;

/** What an import did, in a few lines. */
export function importReportLines({ agents, projects }: ImportReport, output: Output): string[] {
  const { style, symbols, columns } = output;
  const sum = (count: (agent: ImportReport['agents'][number]) => number): number =>
    agents.reduce((total, agent) => total + count(agent), 0);
  const attempts = sum(({ counts }) =>
    Object.values(counts.attempts).reduce((total, each) => total + each, 0),
  );
  const messages = sum(({ counts }) => counts.messages);
  const text =
    messages + attempts === 0
      ? 'Nothing new to import'
      : `Imported ${countOf(messages, 'message')} and ${countOf(attempts, 'attempt')} of ${countOf(
          sum(({ sessions }) => sessions),
          'session',
        )} in ${countOf(projects.length, 'project')}`;
  return clipped(text, {
    by: 2,
    columns,
    ellipsis: symbols.ellipsis,
    sign: style.green(symbols.success),
    lines: 3,
  });
}

/** The report as JSON has it: by reason instead of in maps. */
export function importJson(report: ImportReport): unknown {
  return {
    ...report,
    agents: report.agents.map(({ counts, ...agent }) => ({
      ...agent,
      ...counts,
      skipped: Object.fromEntries(counts.skipped),
      problems: agent.problems,
      problemCount: counts.problems,
    })),
  };
}
