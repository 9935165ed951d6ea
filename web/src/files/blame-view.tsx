import type { VNode } from 'preact';
import { useLayoutEffect, useMemo } from 'preact/hooks';
import type { BlamedRange, FileBlame } from '../../../src/server/rpc/api.ts';
import { AgentIcon } from '../history/session-row.tsx';
import { Placeholder, useLiveData } from '../project/live-data.tsx';
import { codeLines, highlighter, languageOf, loadHighlighter } from '../reader/code-lines.ts';
import { fileHref, sessionHref } from '../reader/links.ts';
import { server } from '../rpc/server.ts';
import { currentProjectId } from '../shell/project-store.ts';
import { EmptyState } from '../shell/states.tsx';
import { cleanText, fullTime } from '../text/format.ts';
import { InlineCode } from '../text/inline-code.tsx';
import { Time } from '../text/time-view.tsx';

/** More lines are not shown: a page with them would be slow. */
const MAX_LINES = 5000;

/** The file as it is now, with the session and request that wrote each line. */
export function BlameView({ path }: { readonly path: string }): VNode {
  const project = currentProjectId.value;
  const { value, error } = useLiveData(project, () => server.call('changes.blame', { project, path }));
  if (value !== undefined) return <Blame blame={value} project={project} />;
  if (error === undefined) return <Placeholder error={error} />;
  return (
    <EmptyState title="The file cannot be shown">
      <InlineCode text={error} /> What sessions changed in it is under <a href={fileHref(project, path)}>Changes</a>.
    </EmptyState>
  );
}

function Blame({ blame, project }: { readonly blame: FileBlame; readonly project: string }): VNode {
  const { lines, ranges, hasGit, path } = blame;
  const code = highlighter.value;
  useLayoutEffect(loadHighlighter, []);
  const shown = lines.slice(0, MAX_LINES);
  const coloured = useMemo(() => codeLines(shown.map(cleanText), languageOf(path)), [blame, code]);
  return (
    <>
      {hasGit ? null : <p class="fact">Git does not know this file, so lines are matched by recorded text alone.</p>}
      <div class="wide" tabIndex={0} role="region" aria-label="Lines and who wrote them">
        <table class="blame">
          <tbody>
            {ranges
              .filter(({ from }) => from <= MAX_LINES)
              .map((range) =>
                shown.slice(range.from - 1, range.to).map((_, offset) => {
                  const number = range.from + offset;
                  return (
                    <tr key={number} id={`L${number}`} class={offset === 0 ? 'first' : undefined}>
                      {offset === 0 ? (
                        <th scope="rowgroup" rowSpan={Math.min(range.to, MAX_LINES) - range.from + 1}>
                          <Origin range={range} project={project} hasGit={hasGit} />
                        </th>
                      ) : null}
                      <td class="number">{number}</td>
                      <td class="code">
                        <code dir="ltr">
                          {(
                            coloured?.[number - 1] ?? [{ text: cleanText(shown[number - 1] ?? ''), className: '' }]
                          ).map((piece, index) => (
                            <span key={index} class={piece.className}>
                              {piece.text}
                            </span>
                          ))}
                        </code>
                      </td>
                    </tr>
                  );
                }),
              )}
          </tbody>
        </table>
      </div>
      {lines.length > MAX_LINES ? (
        <p class="fact">
          Only the first {MAX_LINES.toLocaleString()} of {lines.length.toLocaleString()} lines are shown.
        </p>
      ) : null}
    </>
  );
}

const BASIS = {
  text: 'A recorded change added these lines.',
  commit: 'The session made the commit.',
  time: 'A guess: the change is recorded only in part, and was the last one before the commit.',
} as const;

interface OriginProps {
  readonly range: BlamedRange;
  readonly project: string;
  readonly hasGit: boolean;
}

function Origin({ range, project, hasGit }: OriginProps): VNode {
  const { change, commit, basis } = range;
  const commitTitle = commit && `${commit.hash}\n${cleanText(commit.subject)}\n${fullTime(commit.committedAt)}`;
  return (
    <div class="origin">
      {change === undefined ? (
        <span class="fact">{commit === undefined ? 'Not recorded' : cleanText(commit.subject)}</span>
      ) : (
        <a
          href={sessionHref(project, change.sessionId, change.id)}
          title={`${cleanText(change.request ?? change.title)}\n${basis === undefined ? '' : BASIS[basis]}`}
        >
          <AgentIcon agent={change.agent} />
          <bdi>{cleanText(change.request ?? change.title).split('\n', 1)[0] || '(no request)'}</bdi>
        </a>
      )}
      <span class="origin-facts">
        {change === undefined ? null : <Time at={change.at} />}
        {basis === 'time' ? <span class="fact">probably</span> : null}
        {commit === undefined ? null : <code title={commitTitle}>{commit.hash.slice(0, 7)}</code>}
        {commit === undefined && hasGit ? <span class="fact">not committed</span> : null}
      </span>
    </div>
  );
}
