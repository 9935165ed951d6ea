import type { ProjectOverview } from '../../../project/index.ts';
import type { Output } from '../../output/output.ts';
import { countOf } from '../../output/quantity.ts';
import { sanitiseLine } from '../../output/sanitise.ts';
import { wrap } from '../../output/width.ts';

/** What is said when a chat starts. */
export interface StartFacts {
  readonly version: string;
  /** `anthropic/claude-…`, or `memory`. */
  readonly responder: string;
  /** As people write it. */
  readonly folder: string;
  readonly overview: ProjectOverview;
  /** The session that is gone on with. */
  readonly restored?:
    | { readonly messages: number; readonly when: string; readonly preview: string }
    | undefined;
}

/** Who answers, where, and what is known of the project. */
export function startMessage(facts: StartFacts, output: Output, columns: number): string {
  const { style, symbols } = output;
  const { overview, restored } = facts;
  const { unicode } = output.out.terminal;
  const model = facts.responder === 'memory' ? 'none, the memory of this project answers' : facts.responder;
  const lines = [
    style.bold(`yore v${facts.version}`),
    style.dim(`model: ${sanitiseLine(model)} | directory: ${sanitiseLine(facts.folder)}`),
  ];
  if (overview.previousSessions > 0) {
    lines.push(
      `${unicode ? '📚 ' : ''}Project knowledge from ${countOf(overview.previousSessions, 'previous session')}`,
    );
    if (overview.successfulPatterns > 0) {
      const sign = unicode ? '✅' : symbols.success;
      lines.push(`${sign} Found ${countOf(overview.successfulPatterns, 'successful pattern')}`);
    }
    if (overview.failuresToAvoid > 0) {
      const sign = unicode ? '⚠️' : symbols.warning;
      lines.push(`${sign} Found ${countOf(overview.failuresToAvoid, 'failed attempt')} to avoid`);
    }
    if (overview.summary !== '') lines.push(`Summary: ${sanitiseLine(overview.summary)}`);
  }
  if (restored !== undefined) {
    const what = restored.preview === '' ? '' : `: ${sanitiseLine(restored.preview)}`;
    lines.push(
      style.dim(
        `Going on with ${countOf(restored.messages, 'message')} from ${restored.when}${what} (/new starts afresh)`,
      ),
    );
  } else if (overview.previousSessions === 0) {
    lines.push(style.dim('Nothing is recorded here yet. Ask something, or /help.'));
  }
  return lines.flatMap((line) => wrap(line, columns)).join('\n');
}
