import type { ComponentChild, VNode } from 'preact';
import { useLayoutEffect, useMemo, useState } from 'preact/hooks';
import type { Attempt, ReaderRow, SessionCall } from '../../../src/server/rpc/api.ts';
import { copyWithNotice } from '../shell/notices.ts';
import { cleanText, formatDuration, formatQuantity, fullTime } from '../text/format.ts';
import { codeLines, highlighter, loadHighlighter } from './code-lines.ts';
import { ChangeView, LineCounts } from './diff-view.tsx';
import { fileHref, sessionHref } from './links.ts';
import { jumpTo, openedCalls, toggleCall } from './reader-store.ts';

/** Lines of an output that are shown before the rest is asked for. */
const MAX_LINES = 20;
const MAX_LINE_LENGTH = 2_000;

const OUTCOMES: Readonly<Record<Attempt['outcome'], readonly [sign: string, word: string]>> = {
  success: ['✓', 'Worked'],
  failure: ['✗', 'Failed'],
  rejected: ['⊘', 'Rejected by you'],
  denied: ['⊘', 'Denied'],
  interrupted: ['◌', 'Interrupted'],
  cancelled: ['◌', 'Cancelled'],
  noMatch: ['∅', 'No match'],
  unclear: ['?', 'Unclear'],
};

interface CallProps {
  readonly call: SessionCall;
  readonly project: string;
  readonly isMatch: boolean;
}

/** A tool call on one line; its button shows what went in, what came out and what it changed. */
export function CallView({ call, project, isMatch }: CallProps): VNode {
  const { attempt, label, changes } = call;
  const isOpen = openedCalls.value.has(attempt.id);
  const [sign, word] = OUTCOMES[attempt.outcome];
  const tone = attempt.outcome === 'success' || attempt.outcome === 'failure' ? attempt.outcome : 'other';
  const [firstLine = '', ...more] = cleanText(label).split('\n');
  const added = changes.reduce((sum, change) => sum + change.added, 0);
  const removed = changes.reduce((sum, change) => sum + change.removed, 0);
  return (
    <article
      class={`attempt ${tone}${isMatch ? ' is-match' : ''}`}
      data-message={attempt.id}
      aria-label={`${toolName(attempt)}: ${word.toLowerCase()}`}
    >
      <button type="button" class="attempt-line" aria-expanded={isOpen} onClick={() => toggleCall(attempt.id)}>
        <span class="sign" title={word}>
          {sign}
          <span class="hidden">{word}</span>
        </span>
        <span class="tool">{toolName(attempt)}</span>
        <code dir="ltr" title={cleanText(label)}>
          <CommandLine text={firstLine} />
          {more.length > 0 ? <span class="fact"> ⏎ {formatQuantity(more.length, 'more line')}</span> : null}
        </code>
        {changes.length > 1 ? <span class="fact">{changes.length} files</span> : null}
        <LineCounts added={added} removed={removed} />
        {attempt.durationMs === undefined || attempt.durationMs < 1 ? null : (
          <span class="fact duration">{formatDuration(attempt.durationMs)}</span>
        )}
      </button>
      {attempt.outcome === 'failure' ? <Failure call={call} project={project} isOpen={isOpen} /> : null}
      {isOpen ? <Details call={call} project={project} word={word} /> : null}
    </article>
  );
}

/** The folder that many agents enter before each command. Shortened, so that what they run is in sight. */
const ENTERED_FOLDER = /^cd (?:"[^"]*"|'[^']*'|[^\s;&|"']+)\s*(?:&&|;)\s*(?=\S)/;

function CommandLine({ text }: { readonly text: string }): VNode {
  const folder = ENTERED_FOLDER.exec(text)?.[0] ?? '';
  return (
    <>
      {folder === '' ? null : <span class="entered-folder">{folder}</span>}
      {text.slice(folder.length)}
    </>
  );
}

/** The first line of an error, and what solved it. */
function Failure({ call, project, isOpen }: Omit<CallProps, 'isMatch'> & { readonly isOpen: boolean }): VNode | null {
  const { attempt, fix, workedAgain } = call;
  const error = isOpen ? '' : firstLineOf(call.error ?? attempt.error ?? attempt.result ?? '');
  const later = fix ?? workedAgain;
  if (error === '' && later === undefined) return null;
  return (
    <p class="attempt-failure">
      {error === '' ? null : <span class="attempt-error">{error}</span>}
      {fix?.session === undefined ? null : (
        <a class="quiet later-call" href={sessionHref(project, fix.session, fix.id)}>
          → fixed in another session: {fix.text}
        </a>
      )}
      {later === undefined || fix?.session !== undefined ? null : (
        <button type="button" class="quiet later-call" onClick={() => jumpTo(later.id)}>
          → {fix === undefined ? 'worked' : 'fixed'}{' '}
          {formatDuration(Math.max(Date.parse(later.at) - Date.parse(attempt.timestamp), 0))} later
        </button>
      )}
    </p>
  );
}

/** The name of a tool; those of MCP servers with the name of their server. */
function toolName({ tool, kind, outcome }: Attempt): string {
  if (kind === 'feedback') return outcome === 'success' ? 'You said it worked' : 'You said it did not work';
  const [, mcpServer, mcpTool] = /^mcp__(.+?)__(.+)$/.exec(tool ?? '') ?? [];
  return cleanText(mcpServer === undefined ? (tool ?? 'Note') : `${mcpServer} · ${mcpTool}`);
}

function Details({ call, project, word }: Omit<CallProps, 'isMatch'> & { readonly word: string }): VNode {
  const { attempt, label, changes } = call;
  const output = attempt.error ?? attempt.result ?? '';
  const facts: ComponentChild[] = [
    word,
    ...(attempt.exitCode === undefined ? [] : [`exit code ${attempt.exitCode}`]),
    ...(attempt.cwd === undefined ? [] : [`in ${cleanText(attempt.cwd)}`]),
    fullTime(attempt.timestamp),
  ];
  return (
    <div class="attempt-details">
      <p class="facts">
        <span>{facts.join(' · ')}</span>
        <button type="button" class="quiet" onClick={() => void copyWithNotice(attempt.command ?? label)}>
          {attempt.command === undefined ? 'Copy input' : 'Copy command'}
        </button>
        <a class="quiet" href={sessionHref(project, attempt.sessionId, attempt.id)}>
          Link to this call
        </a>
      </p>
      {changes.length > 0 ? (
        changes.map((change) => <ChangeView key={change.path} change={change} project={project} />)
      ) : (
        <Input attempt={attempt} project={project} label={label} />
      )}
      {output === '' || (attempt.outcome === 'success' && changes.length > 0) ? null : (
        <Output text={output} cause={call.error} />
      )}
    </div>
  );
}

/** What went into a call: a command as code, other arguments as a table. */
function Input({
  attempt,
  project,
  label,
}: {
  readonly attempt: Attempt;
  readonly project: string;
  readonly label: string;
}): VNode | null {
  if (attempt.command !== undefined) return <Code text={attempt.command} language="bash" />;
  const entries = Object.entries(attempt.args ?? {});
  if (attempt.path === undefined && entries.length === 0)
    return label === '' ? null : <Code text={label} language="" />;
  return (
    <table class="arguments">
      <tbody>
        {attempt.path === undefined ? null : (
          <tr>
            <th scope="row">path</th>
            <td>
              <a href={fileHref(project, attempt.path)}>
                <bdi>{cleanText(attempt.path)}</bdi>
              </a>
            </td>
          </tr>
        )}
        {entries.map(([name, value]) => (
          <tr key={name}>
            <th scope="row">{cleanText(name)}</th>
            <td>
              <pre class="plain">{cleanText(typeof value === 'string' ? value : JSON.stringify(value, null, 2))}</pre>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A command or another text as code. */
function Code({ text, language }: { readonly text: string; readonly language: string }): VNode {
  useLayoutEffect(loadHighlighter, []);
  const code = highlighter.value;
  const clean = cleanText(text);
  const lines = useMemo(() => codeLines(clean.split('\n'), language), [clean, language, code]);
  return (
    <pre class="plain input" tabIndex={0}>
      <code dir="ltr">
        {lines === undefined
          ? clean
          : lines.flatMap((pieces, row) => [
              ...(row === 0 ? [] : ['\n']),
              ...pieces.map((piece, index) => (
                <span key={`${row} ${index}`} class={piece.className}>
                  {piece.text}
                </span>
              )),
            ])}
      </code>
    </pre>
  );
}

/** What came out of a call. Long ones are folded; the line that explains a failure is marked. */
function Output({ text, cause }: { readonly text: string; readonly cause: string | undefined }): VNode {
  const [isWhole, setWhole] = useState(false);
  const lines = cleanText(text)
    .replace(/(?<!\n)\n+$/, '')
    .split('\n');
  const hidden = lines.length - MAX_LINES;
  const shown = isWhole || hidden <= 0 ? lines : lines.slice(0, MAX_LINES);
  const wanted = cause === undefined ? undefined : cleanText(cause).trim();
  const isCause = (line: string) => line.trim() !== '' && line.trim() === wanted;
  return (
    <>
      <pre class="plain output" tabIndex={0}>
        {shown.map((line, index) => (
          <span
            key={index}
            class={isCause(line) ? 'attempt-error' : undefined}
          >{`${line.slice(0, MAX_LINE_LENGTH)}\n`}</span>
        ))}
      </pre>
      {hidden > 0 ? (
        <button type="button" class="quiet show-more" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show less' : `Show ${formatQuantity(hidden, 'more line')}`}
        </button>
      ) : null}
    </>
  );
}

function firstLineOf(text: string): string {
  const line = cleanText(text.slice(0, MAX_LINE_LENGTH))
    .split('\n')
    .find((part) => part.trim() !== '');
  return line ?? '';
}

interface LookupsProps {
  readonly row: Extract<ReaderRow, { readonly type: 'lookups' }>;
  readonly project: string;
  /** The record to show, or empty. */
  readonly match: string;
}

/** Calls that only read or searched, as one line; its button shows them. */
export function LookupsView({ row, project, match }: LookupsProps): VNode {
  const { calls, reads, searches } = row;
  const id = `lookups ${calls[0]?.attempt.id}`;
  const isMatch = match !== '' && calls.some(({ attempt }) => attempt.id === match);
  const isOpen = openedCalls.value.has(id) || isMatch;
  const [first, last] = [calls[0]?.attempt, calls.at(-1)?.attempt];
  const ms = Date.parse(last?.timestamp ?? '') - Date.parse(first?.timestamp ?? '') + (last?.durationMs ?? 0);
  const counts = [
    ...(reads === 0 ? [] : [formatQuantity(reads, 'read')]),
    ...(searches === 0 ? [] : [formatQuantity(searches, 'search', 'searches')]),
  ];
  return (
    <article class="lookups" data-lookups aria-label={counts.join(', ')}>
      <button
        type="button"
        class="attempt-line"
        aria-expanded={isOpen}
        onClick={() => {
          if (isMatch) jumpTo('');
          toggleCall(id, !isOpen);
        }}
      >
        <span class="sign" aria-hidden="true">
          {isOpen ? '▾' : '▸'}
        </span>
        <span class="tool">{counts.join(', ')}</span>
        <code dir="ltr" class="soft">
          {[...new Set(calls.map(({ label }) => cleanText(label).split('\n')[0]))].join(' · ')}
        </code>
        {ms >= 100 ? <span class="fact duration">{formatDuration(ms)}</span> : null}
      </button>
      {isOpen
        ? calls.map((call) => (
            <CallView key={call.attempt.id} call={call} project={project} isMatch={call.attempt.id === match} />
          ))
        : null}
    </article>
  );
}
