import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { SessionDeletion, SessionSummary } from '../../../src/server/rpc/api.ts';
import { loadSession } from '../chat/chat-store.ts';
import { selectSession } from '../history/browser-store.ts';
import { refresh } from '../history/session-list.ts';
import { errorMessage } from '../rpc/rpc-client.ts';
import { server } from '../rpc/server.ts';
import { copyText, showNotice, tryCall } from '../shell/notices.ts';
import { cleanText, formatQuantity } from '../text/format.ts';
import { sessionHref } from './links.ts';

interface MenuProps {
  readonly summary: SessionSummary;
  /** The command that resumes it in its agent. */
  readonly resume: string | undefined;
}

const FORMATS = [
  ['markdown', 'Markdown'],
  ['html', 'HTML, one file'],
  ['json', 'JSON'],
] as const;

/** What can be done with a session, besides reading it. */
export function SessionMenu({ summary, resume }: MenuProps): VNode {
  const menu = useRef<HTMLDetailsElement>(null);
  const [deletion, setDeletion] = useState<SessionDeletion>();
  const close = () => {
    if (menu.current !== null) menu.current.open = false;
    setDeletion(undefined);
  };
  useEffect(() => {
    const closeOutside = (event: Event) => {
      if (event.target instanceof Node && menu.current?.contains(event.target) === false) close();
    };
    addEventListener('pointerdown', closeOutside);
    return () => removeEventListener('pointerdown', closeOutside);
  }, []);
  const { sessionId: id, project } = summary;
  const isOwn = summary.author === undefined;
  const run = (action: () => Promise<void>) => async () => {
    close();
    await action();
  };
  const copy = (text: string, notice: string) => async () => {
    if (await copyText(text)) showNotice(notice);
  };
  return (
    <details
      class="menu"
      ref={menu}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || menu.current?.open !== true) return;
        event.preventDefault();
        event.stopPropagation();
        close();
        menu.current.querySelector('summary')?.focus();
      }}
    >
      <summary>Actions</summary>
      <div class="menu-body">
        {deletion === undefined ? (
          <>
            {resume === undefined ? null : (
              <button type="button" onClick={run(copy(resume, 'Copied. Paste it into a terminal in the project.'))}>
                Copy the command to resume it
                <code dir="ltr">{cleanText(resume)}</code>
              </button>
            )}
            {isOwn ? (
              <button type="button" onClick={run(() => loadSession(id, project))}>
                Continue in the chat
              </button>
            ) : null}
            <button type="button" onClick={run(copy(linkTo(summary), 'Link copied'))}>
              Copy link
            </button>
            {FORMATS.map(([format, name]) => (
              <button key={format} type="button" onClick={run(() => download(summary, format))}>
                Export as {name}
              </button>
            ))}
            {isOwn ? (
              <button type="button" class="danger" onClick={() => void plan(summary).then(setDeletion)}>
                Delete session…
              </button>
            ) : null}
          </>
        ) : (
          <Confirmation deletion={deletion} onKeep={close} onDelete={run(() => deleteSession(summary))} />
        )}
      </div>
    </details>
  );
}

interface ConfirmationProps {
  readonly deletion: SessionDeletion;
  readonly onKeep: () => void;
  readonly onDelete: () => void;
}

/** What will be gone, before it is. */
function Confirmation({ deletion, onKeep, onDelete }: ConfirmationProps): VNode {
  const { messages, attempts, subAgents, replies } = deletion;
  const keep = useRef<HTMLButtonElement>(null);
  useEffect(() => keep.current?.focus(), []);
  const parts = [
    formatQuantity(messages, 'message'),
    formatQuantity(attempts, 'tool call'),
    ...(subAgents === 0 ? [] : [formatQuantity(subAgents, 'sub-agent')]),
    ...(replies === 0
      ? []
      : [`${formatQuantity(replies, 'reply', 'replies')} in the chat that ${replies === 1 ? 'quotes' : 'quote'} it`]),
  ];
  return (
    <div class="confirmation" role="alertdialog" aria-label="Delete the session">
      <p>
        This permanently deletes {parts.join(', ')}, and what was learned from them. The session is not imported again.
      </p>
      <p class="confirmation-buttons">
        <button type="button" ref={keep} onClick={onKeep}>
          Keep it
        </button>
        <button type="button" class="danger" onClick={onDelete}>
          Delete session
        </button>
      </p>
    </div>
  );
}

/** The address of a session, without the token. */
function linkTo({ project, sessionId }: SessionSummary): string {
  return `${location.origin}${location.pathname}${sessionHref(project, sessionId)}`;
}

async function plan({ sessionId: id, project }: SessionSummary): Promise<SessionDeletion | undefined> {
  try {
    return await server.call('history.planDeletion', { id, project });
  } catch (error) {
    showNotice(errorMessage(error), 'warning');
    return undefined;
  }
}

async function deleteSession({ sessionId: id, project }: SessionSummary): Promise<void> {
  if (!(await tryCall(server.call('history.deleteSession', { id, project })))) return;
  selectSession('', '');
  refresh();
  showNotice('The session was deleted');
}

async function download(
  { sessionId: id, project }: SessionSummary,
  format: (typeof FORMATS)[number][0],
): Promise<void> {
  try {
    const { name, type, text } = await server.call('history.export', { id, project, format });
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([text], { type }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  } catch (error) {
    showNotice(errorMessage(error), 'warning');
  }
}
