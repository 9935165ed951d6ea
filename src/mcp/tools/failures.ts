import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { FAILURE_ORDERS, type PastFailure } from '../../ask/past-failures.ts';
import type { FailureSummary } from '../../project/index.ts';
import { omitUndefined } from '../../record/index.ts';
import { formatCount } from '../../text/format-count.ts';
import { oneLine } from '../../text/one-line.ts';
import { FRAME_LENGTH, frameRecorded, quote, quoteCode, quoteId } from '../../text/recorded-text.ts';
import {
  type CallContext,
  type CallContexts,
  describeEmptyFolder,
  displayNameOf,
  findCalledProject,
} from '../call-context.ts';
import { fitLines, MAX_CHARACTERS, optionalLine, PROJECT, registerTool, type ToolResult } from '../tool.ts';

const INPUT = z.strictObject({
  sort: z
    .enum(FAILURE_ORDERS)
    .default('frequent')
    .describe('The order of past failures: the most frequent first, or the latest first.'),
  limit: z.int().min(1).max(50).default(10).describe('Maximum number of active warnings, and of past failures.'),
  project: PROJECT,
});

const CAUSE = z.object({
  error: z.string().describe('The latest error.'),
  count: z.number(),
  lastAt: z.string(),
  session: z.string().describe('The session in which it happened last, for the tool `session`.'),
});

const OUTPUT = z.object({
  project: z.string().optional(),
  active: z
    .array(
      z.object({
        failure: z.string().describe('Id of the failure, for `yore dismiss` and `yore pin`.'),
        what: z.string(),
        error: z.string(),
        at: z.string().describe('ISO 8601, UTC.'),
        fix: z.string().optional().describe('What worked instead.'),
      }),
    )
    .describe('What there would be a warning about now.'),
  past: z
    .array(
      z.object({
        what: z.string(),
        count: z.number(),
        firstAt: z.string(),
        lastAt: z.string(),
        fix: z.string().optional().describe('What worked instead.'),
        worked: z.boolean().describe('Whether the same call has worked since.'),
        causes: z.array(CAUSE),
      }),
    )
    .describe('What has failed so far, however old.'),
  total: z.number().describe('Number of different calls that have failed so far.'),
  calls: z.number().describe('How often they failed.'),
  hint: z.string().optional(),
});

type Input = z.infer<typeof INPUT>;
type Output = z.infer<typeof OUTPUT>;

const MAX_CAUSES = 3;

/** Adds `failures`, which lists what fails and what has failed. */
export function registerFailures(server: McpServer, contexts: CallContexts): void {
  registerTool(server, contexts, {
    name: 'failures',
    title: 'Which commands keep failing?',
    description:
      'Lists what fails in this project: active warnings, and everything that has failed so far by command and cause, with how often, when, and what worked instead. Answers "which commands keep failing here?".',
    input: INPUT,
    output: OUTPUT,
    run: listFailures,
  });
}

function listFailures({ sort, limit, project: name }: Input, context: CallContext): ToolResult<Output> {
  const project = findCalledProject(context, name);
  const none = { active: [], past: [], total: 0, calls: 0 };
  if (project === undefined) {
    const hint = describeEmptyFolder(context);
    return { text: hint, data: { ...none, hint } };
  }
  const displayName = displayNameOf(project);
  const { failures, total, calls } = project.memory.pastFailures({ order: sort, limit });
  const active = project.memory.failures().slice(0, limit).map(toActive);
  if (active.length + calls === 0) {
    const hint = `No failures are recorded for ${quoteId(displayName, 80)}.`;
    return { text: hint, data: { ...none, project: displayName, hint } };
  }
  const past = failures.map(toPast);
  const lines = [
    active.length === 0 ? `No active warnings: ${project.memory.explainNoWarnings()}.` : 'Active warnings:',
    ...active.map(
      ({ what, error, at, fix }) =>
        `- ${quoteCode(what, 160)}: ${quote(error, 160)} (${at.slice(0, 10)})${formatEnding({ fix })}`,
    ),
    `Past failures, ${formatCount(calls, 'failure')} of ${formatCount(total, 'different call')}:`,
    ...past.flatMap(pastLines),
  ];
  return {
    text: frameRecorded(fitLines(lines, MAX_CHARACTERS - FRAME_LENGTH).join('\n')),
    data: { project: displayName, active, past, total, calls },
  };
}

function toActive({ id, what, error, at, fix }: FailureSummary): Output['active'][number] {
  return {
    failure: id,
    what: oneLine(what, 160),
    error: oneLine(error, 160),
    at,
    ...omitUndefined({ fix: optionalLine(fix, 160) }),
  };
}

function toPast(failure: PastFailure): Output['past'][number] {
  const { what, count, firstAt, lastAt, fix, hasWorkedSince: worked, causes } = failure;
  return {
    what: oneLine(what, 160),
    count,
    firstAt,
    lastAt,
    ...omitUndefined({ fix: optionalLine(fix, 160) }),
    worked,
    causes: causes.slice(0, MAX_CAUSES).map((cause) => ({
      error: oneLine(cause.error, 160),
      count: cause.count,
      lastAt: cause.lastAt,
      session: oneLine(cause.sessionId, 200),
    })),
  };
}

function pastLines(failure: Output['past'][number]): readonly string[] {
  const { what, count, firstAt, lastAt, causes } = failure;
  const days = [...new Set([firstAt.slice(0, 10), lastAt.slice(0, 10)])].join(' to ');
  return [
    `- ${quoteCode(what, 160)}: ${formatCount(count, 'time')}, ${days}${formatEnding(failure)}`,
    ...causes.map(
      ({ error, session }) =>
        `  ${error === '' ? '(no error message)' : quote(error, 160)} (session ${quoteId(session)})`,
    ),
  ];
}

function formatEnding(failure: { readonly fix?: string | undefined; readonly worked?: boolean }): string {
  if (failure.fix !== undefined) return `; worked instead: ${quoteCode(failure.fix, 160)}`;
  return failure.worked === true ? '; worked again' : '';
}
