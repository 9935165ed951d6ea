import type { SessionDigest } from '../../memory/index.ts';
import type { TimelineMark, TimelineSession } from '../rpc/api.ts';

/** So many marks of a session are shown at most: the latest. */
const MOST_MARKS = 200;

/** A session as the timeline shows it: what was asked, committed, failed, and what put failures right. */
export function timelineSession(digest: SessionDigest): TimelineSession {
  const { sessionId, startedAt, endedAt, agent, branch, requests } = digest;
  return {
    sessionId,
    from: startedAt,
    to: endedAt,
    ...(agent === undefined ? {} : { agent }),
    ...(branch === undefined ? {} : { branch }),
    preview: requests.find(({ text }) => text !== '')?.text ?? '',
    marks: marksOf(digest),
  };
}

function marksOf(digest: SessionDigest): readonly TimelineMark[] {
  const { requests, commits, failures } = digest;
  const marks: TimelineMark[] = [
    ...requests
      .filter(({ text }) => text !== '')
      .map(({ at, text }, index): TimelineMark => ({ type: 'request', id: `request-${index}`, at, text })),
    ...commits.map(
      ({ at, message }, index): TimelineMark => ({
        type: 'commit',
        id: `commit-${index}`,
        at,
        text: message,
      }),
    ),
  ];
  for (const [index, { at, what, error, resolution }] of failures.entries()) {
    const id = `failure-${index}`;
    marks.push({ type: 'failure', id, at, text: error === '' ? what : `${what}: ${error}` });
    if (resolution === undefined) continue;
    marks.push({
      type: 'resolution',
      id: `resolution-${index}`,
      at: resolvedAt(digest, resolution, at),
      text: resolution,
      resolves: id,
    });
  }
  return marks.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0)).slice(-MOST_MARKS);
}

/** When the command that worked instead was run; where that is not known, when it was last needed. */
function resolvedAt({ commands, requests }: SessionDigest, resolution: string, failedAt: string): string {
  const steps = [...commands, ...requests.flatMap((request) => request.steps)];
  return steps.find(({ text, at }) => text === resolution && at >= failedAt)?.at ?? failedAt;
}
