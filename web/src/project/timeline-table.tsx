import type { VNode } from 'preact';
import { memo } from 'preact/compat';
import type { TimelineMark, TimelineSession } from '../../../src/server/rpc/api.ts';
import { cleanText } from '../text/clean-text.ts';
import { TimeView } from '../text/time-view.tsx';
import type { SessionSpan } from './timeline-items.ts';
import { hrefOfSession } from './timeline-links.ts';

const MOST_ROWS = 100;

/** The sessions on the axis as a table: the same in words. */
export const TimelineTable = memo(function Table({
  spans,
}: {
  readonly spans: readonly SessionSpan[];
}): VNode {
  const rows = spans.slice(-MOST_ROWS).toReversed();
  return (
    <div class="wide" tabIndex={0} role="region" aria-label="Sessions">
      <table class="timeline-table">
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">Session</th>
            <th scope="col">Requests</th>
            <th scope="col">Failures</th>
            <th scope="col">Resolved</th>
            <th scope="col">Commits</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ session }) => (
            <tr key={session.sessionId}>
              <td>
                <TimeView at={session.to} />
              </td>
              <td>
                <a data-row href={hrefOfSession(session)}>
                  <bdi>{cleanText(session.preview) || '(no words)'}</bdi>
                </a>
              </td>
              <Count session={session} type="request" />
              <Count session={session} type="failure" tone="failure" />
              <Count session={session} type="resolution" tone="success" />
              <Count session={session} type="commit" />
            </tr>
          ))}
        </tbody>
      </table>
      {spans.length > MOST_ROWS ? (
        <p class="fact">The newest {MOST_ROWS} of them. Zoom in to see others.</p>
      ) : null}
    </div>
  );
});

interface CountProps {
  readonly session: TimelineSession;
  readonly type: TimelineMark['type'];
  readonly tone?: 'failure' | 'success';
}

/** How many; leads to the first of them. */
function Count({ session, type, tone }: CountProps): VNode {
  const marks = session.marks.filter((mark) => mark.type === type);
  const [first] = marks;
  if (first === undefined) return <td class="none">0</td>;
  return (
    <td>
      <a class={tone} href={hrefOfSession(session, first.at)} aria-label={`${marks.length} ${type}`}>
        {marks.length}
      </a>
    </td>
  );
}
