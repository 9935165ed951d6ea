import { isAbsolute, relative, sep } from 'node:path';
import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { BlamedRange } from '../../project/index.ts';
import { omitUndefined } from '../../record/index.ts';
import { oneLine } from '../../text/one-line.ts';
import { FRAME_LENGTH, frameRecorded, quote, quoteCode, quoteId } from '../../text/recorded-text.ts';
import {
  type CallContext,
  type CallContexts,
  describeEmptyFolder,
  displayNameOf,
  findCalledProject,
} from '../call-context.ts';
import {
  fitLines,
  formatMinute,
  MAX_CHARACTERS,
  optionalLine,
  PROJECT,
  registerTool,
  type ToolResult,
} from '../tool.ts';

const INPUT = z.strictObject({
  file: z.string().min(1).max(2000).describe('Path of the file, relative to the checkout.'),
  line: z.int().min(1).optional().describe('Only this line, or the first line of a range. Default: the whole file.'),
  endLine: z.int().min(1).optional().describe('The last line of the range. Default: `line`.'),
  project: PROJECT,
});

const RANGE = z.object({
  from: z.number().describe('First line, counted from 1.'),
  to: z.number(),
  commit: z.string().optional().describe('Hash; absent when the lines are not committed.'),
  subject: z.string().optional().describe('First line of the commit message.'),
  session: z.string().optional().describe('Id, for the tool `session`; absent when no session is recorded.'),
  title: z.string().optional(),
  request: z.string().optional().describe('What the user, or the colleague, asked for.'),
  agent: z.string().optional(),
  author: z.string().optional().describe('The colleague whose session it was; absent when it was the user.'),
  at: z.string().optional().describe('When the lines were written; ISO 8601, UTC.'),
  basis: z
    .enum(['text', 'commit', 'time'])
    .optional()
    .describe('`text`: a recorded change added these lines. `commit`: the session made the commit. `time`: a guess.'),
});

const OUTPUT = z.object({
  project: z.string().optional(),
  file: z.string(),
  ranges: z.array(RANGE),
  more: z.boolean().describe('Whether ranges were left out to keep the result short.'),
  hint: z.string().optional(),
});

type Input = z.infer<typeof INPUT>;
type Output = z.infer<typeof OUTPUT>;

const MAX_RANGES = 40;

/** Adds `blame`, which says which session and request wrote a line. */
export function registerBlame(server: McpServer, contexts: CallContexts): void {
  registerTool(server, contexts, {
    name: 'blame',
    title: 'Why is this line so?',
    description:
      'Says for the lines of a file which session, user request and agent wrote them, with the commit. Answers "why is this line so?" and "who changed this, and what for?".',
    input: INPUT,
    output: OUTPUT,
    run: blameFile,
  });
}

function blameFile({ file, line, endLine, project: name }: Input, context: CallContext): ToolResult<Output> {
  const project = findCalledProject(context, name);
  if (project === undefined) {
    const hint = describeEmptyFolder(context);
    return { text: hint, data: { file: oneLine(file, 400), ranges: [], more: false, hint } };
  }
  const { home, folder } = context;
  const isHere = home.findProject(folder)?.info.projectHash === project.info.projectHash;
  const root = isHere ? home.findCheckoutRoot(folder) : project.info.projectPath;
  const path = (isAbsolute(file) ? relative(root, file) : file).replaceAll(sep, '/');
  const { ranges } = home.files.blame(project.info.projectHash, root, path);
  const [first, last] = [line ?? 1, endLine ?? line ?? Number.MAX_SAFE_INTEGER];
  const wanted = ranges
    .filter(({ from, to }) => to >= first && from <= last)
    .map((range) => toData({ ...range, from: Math.max(range.from, first), to: Math.min(range.to, last) }));
  const shown = wanted.slice(0, MAX_RANGES);
  const lines = fitLines(shown.map(formatRange), MAX_CHARACTERS - FRAME_LENGTH - 300);
  const more = lines.length < wanted.length;
  const data = { project: displayNameOf(project), file: oneLine(path, 400), ranges: shown, more };
  if (wanted.length === 0) return { text: `${quoteCode(path, 200)} has no such line.`, data };
  const rest = more ? '\nMore was left out. Ask for a line or a range.' : '';
  return { text: `${frameRecorded([`${quoteCode(path, 200)}:`, ...lines].join('\n'))}${rest}`, data };
}

function toData({ from, to, commit, change, basis }: BlamedRange): z.infer<typeof RANGE> {
  return {
    from,
    to,
    ...omitUndefined({
      commit: commit?.hash,
      subject: optionalLine(commit?.subject, 160),
      session: optionalLine(change?.sessionId, 200),
      title: optionalLine(change?.title || undefined, 120),
      request: optionalLine(change?.request, 300),
      agent: optionalLine(change?.agent, 40),
      author: optionalLine(change?.author, 60),
      at: change?.at,
      basis,
    }),
  };
}

function formatRange(range: z.infer<typeof RANGE>): string {
  const { from, to, commit, subject, session, title, request, agent, author, at, basis } = range;
  const lines = from === to ? `line ${from}` : `lines ${from}-${to}`;
  const committed =
    commit === undefined ? 'not committed' : `commit ${commit.slice(0, 10)} ${quote(subject ?? '', 160)}`;
  if (session === undefined || at === undefined) return `- ${lines}: no session recorded; ${committed}`;
  const asked = request ?? title;
  const what = asked === undefined ? '' : `${quote(asked, 300)} `;
  const guess = basis === 'time' ? ', probably' : '';
  const whose = author === undefined ? '' : `colleague ${quoteId(author, 60)}, `;
  const by = `${whose}${agent === undefined ? '' : `${quoteId(agent, 40)}, `}${formatMinute(at)}${guess}`;
  return `- ${lines}: ${what}(${by}; session ${quoteId(session)}); ${committed}`;
}
