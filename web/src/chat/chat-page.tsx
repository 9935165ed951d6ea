import type { VNode } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ShownMessage } from '../../../src/server/rpc/api.ts';
import { openBrowser } from '../history/browser-store.ts';
import { Images } from '../history/message-view.tsx';
import { EMPTY_BROWSER } from '../router/route.ts';
import { hrefOf } from '../router/router.ts';
import { GrowingMarkdown, MarkdownView } from '../text/markdown-view.tsx';
import { shortCount } from '../text/relative-time.ts';
import { TimeView } from '../text/time-view.tsx';
import type { ChatState } from './chat-state.ts';
import { chat, chatProblem, newSession } from './chat-store.ts';
import { FilePicker } from './file-picker.tsx';
import { HistoryBar } from './history-bar.tsx';
import { PromptInput } from './prompt-input.tsx';

const SHOWN_AT_FIRST = 100;
/** So near to the end counts as at the end: what comes is followed. */
const NEAR_END = 80;

/** The chat about the project. */
export function ChatPage(): VNode {
  const state = chat.value;
  return (
    <section class="chat" aria-label="Chat">
      <header class="chat-head">
        <h1>Chat</h1>
        {state === undefined ? null : <span class="fact">answered by {state.status.responder}</span>}
        <span class="spacer" />
        <button type="button" onClick={() => void newSession()}>
          New session
        </button>
        <button type="button" onClick={openBrowser}>
          History
        </button>
      </header>
      {state === undefined ? (
        <p class="empty" aria-busy={chatProblem.value === ''}>
          {chatProblem.value || 'Loading…'}
        </p>
      ) : (
        <Messages state={state} />
      )}
      <footer class="chat-foot">
        {state === undefined ? null : (
          <div class="chat-tools">
            <HistoryBar status={state.status} />
            <FilePicker />
          </div>
        )}
        <PromptInput />
      </footer>
    </section>
  );
}

function Messages({ state }: { readonly state: ChatState }): VNode {
  const { messages, streaming, notices, error, isCompacting, compacted, project, earlier } = state;
  const [shown, setShown] = useState(SHOWN_AT_FIRST);
  const scroller = useFollowedEnd(state);
  const visible = messages.slice(-shown);
  return (
    <div
      class="chat-messages"
      ref={scroller}
      tabIndex={0}
      role="log"
      aria-label="Messages"
      aria-busy={streaming !== null}
    >
      {earlier > 0 ? (
        <p class="chat-notice">
          {earlier.toLocaleString()} earlier messages are in the <a href={sessionHref(state)}>history</a>.
        </p>
      ) : null}
      {visible.length < messages.length ? (
        <button type="button" class="quiet" onClick={() => setShown(shown + SHOWN_AT_FIRST)}>
          Show {Math.min(SHOWN_AT_FIRST, messages.length - visible.length)} earlier messages
        </button>
      ) : null}
      {messages.length === 0 && streaming === null ? (
        <p class="empty">
          Nothing has been said yet. Ask what was tried, what failed and what worked in this project.
        </p>
      ) : null}
      {visible.map((message) => (
        <ChatMessage key={message.id} message={message} project={project} />
      ))}
      {streaming === null ? null : (
        <article class="message assistant is-growing" aria-label="Reply in the making">
          <header class="message-head">
            <span class="who">assistant</span>
          </header>
          {streaming.text === '' ? <p class="waiting">…</p> : <GrowingMarkdown text={streaming.text} />}
        </article>
      )}
      {notices.map((text) => (
        <p key={text} class="chat-notice">
          {text}
        </p>
      ))}
      {isCompacting ? (
        <p class="chat-notice" role="status">
          Compacting…
        </p>
      ) : null}
      {compacted === undefined ? null : (
        <details class="chat-notice">
          <summary>
            The history was shortened from {shortCount(compacted.tokensBefore)} to{' '}
            {shortCount(compacted.tokensAfter)} tokens.
          </summary>
          <MarkdownView text={compacted.summary} />
        </details>
      )}
      {error === undefined ? null : (
        <p class="chat-notice problem" role="alert">
          {error}
        </p>
      )}
    </div>
  );
}

function sessionHref({ sessionId = '', project }: ChatState): string {
  return hrefOf({
    page: 'history',
    browser: { ...EMPTY_BROWSER, session: sessionId, sessionProject: project },
  });
}

function ChatMessage({
  message,
  project,
}: {
  readonly message: ShownMessage;
  readonly project: string;
}): VNode {
  const who = message.kind === 'checkpoint' ? 'summary' : message.role;
  return (
    <article class={`message ${who}`} data-message={message.id} aria-label={`${who} message`}>
      <header class="message-head">
        <span class="who">{who}</span>
        {message.timestamp === undefined ? null : <TimeView at={message.timestamp} />}
      </header>
      <MarkdownView text={message.content} />
      <Images project={project} names={message.imageRefs ?? []} />
    </article>
  );
}

/** Who reads the end sees it grow; who has scrolled up is left alone. */
function useFollowedEnd(state: ChatState): { current: HTMLDivElement | null } {
  const scroller = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const note = () => {
      isAtEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_END;
    };
    element.addEventListener('scroll', note, { passive: true });
    return () => element.removeEventListener('scroll', note);
  }, []);
  useLayoutEffect(() => {
    if (isAtEnd.current && scroller.current !== null)
      scroller.current.scrollTop = scroller.current.scrollHeight;
  }, [state]);
  return scroller;
}
