import type { VNode } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { DisplayMessage } from '../../../src/server/rpc/api.ts';
import { EMPTY_BROWSER } from '../router/route.ts';
import { hrefOf } from '../router/router.ts';
import { MarkdownView } from '../text/markdown-view.tsx';
import { shortCount } from '../text/relative-time.ts';
import { ChatMessage, type ReplyState } from './chat-message.tsx';
import { type ChatState, isUnanswered } from './chat-state.ts';
import { toPrompt } from './draft.ts';

const SHOWN_AT_FIRST = 100;
/** So near to the end counts as at the end: what comes is followed. */
const NEAR_END = 80;
const BROKEN_OFF = 'broken off';

/** What was said, the reply that is being made, and what else happened. */
export function ChatMessages({ state }: { readonly state: ChatState }): VNode {
  const { messages, streaming, notices, error, isCompacting, project, grown, sessionId = '' } = state;
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
      {state.earlier > 0 ? (
        <p class="chat-notice">
          {state.earlier.toLocaleString()} earlier messages are in the{' '}
          <a href={sessionHref(sessionId, project)}>history</a>.
        </p>
      ) : null}
      {visible.length < messages.length ? (
        <button type="button" class="quiet" onClick={() => setShown(shown + SHOWN_AT_FIRST)}>
          Show {Math.min(SHOWN_AT_FIRST, messages.length - visible.length)} earlier messages
        </button>
      ) : null}
      {messages.length === 0 && streaming === null ? <Welcome /> : null}
      {[...visible, ...replyOf(state)].map((message) => (
        <ChatMessage
          key={message.id === grown?.messageId ? grown.requestId : message.id}
          message={message}
          project={project}
          state={stateOfMessage(message, state)}
        />
      ))}
      {notices.map((text) => (
        <p key={text} class="chat-notice">
          {text}
        </p>
      ))}
      <Unanswered state={state} />
      {isCompacting ? (
        <p class="chat-notice" role="status">
          Compacting…
        </p>
      ) : null}
      <Compacted state={state} />
      {error === undefined ? null : (
        <p class="chat-notice problem" role="alert">
          {error}
        </p>
      )}
    </div>
  );
}

/** The reply that is no message yet, or never will be. Once it is one it goes on under the same key: nothing of it is drawn again. */
function replyOf(state: ChatState): readonly DisplayMessage[] {
  const { streaming, brokenOff = '' } = state;
  if (streaming !== null) return [{ id: streaming.requestId, role: 'assistant', content: streaming.text }];
  if (brokenOff === '' || !isUnanswered(state)) return [];
  return [{ id: BROKEN_OFF, role: 'assistant', content: brokenOff }];
}

function stateOfMessage({ id }: DisplayMessage, { streaming }: ChatState): ReplyState {
  if (id === streaming?.requestId) return 'growing';
  return id === BROKEN_OFF ? 'broken off' : 'kept';
}

function Welcome(): VNode {
  const questions = ['What have we worked on?', 'What failed lately, and what worked instead?'];
  return (
    <div class="empty">
      <p>Nothing has been said yet. Ask what was tried, what failed and what worked in this project.</p>
      <p class="welcome-questions">
        {questions.map((question) => (
          <button key={question} type="button" onClick={() => toPrompt(question)}>
            {question}
          </button>
        ))}
      </p>
    </div>
  );
}

/** A question without an answer can be asked again. */
function Unanswered({ state }: { readonly state: ChatState }): VNode | null {
  const { messages, error } = state;
  if (!isUnanswered(state)) return null;
  const asked = messages.at(-1)?.content ?? '';
  return (
    <p class="chat-notice">
      {error === undefined ? 'There is no reply to this: it was broken off. ' : ''}
      {state.isReadOnly ? null : (
        <button type="button" onClick={() => toPrompt(asked)}>
          Ask again
        </button>
      )}
    </p>
  );
}

function Compacted({ state: { compacted } }: { readonly state: ChatState }): VNode | null {
  if (compacted === undefined) return null;
  return (
    <details class="chat-notice">
      <summary>
        The history was shortened from {shortCount(compacted.tokensBefore)} to{' '}
        {shortCount(compacted.tokensAfter)} tokens.
      </summary>
      <MarkdownView text={compacted.summary} />
    </details>
  );
}

function sessionHref(session: string, sessionProject: string): string {
  return hrefOf({ page: 'history', browser: { ...EMPTY_BROWSER, session, sessionProject } });
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
  const asked = state.messages.findLast(({ role }) => role === 'user')?.id;
  useLayoutEffect(() => {
    isAtEnd.current = true;
  }, [asked]);
  useLayoutEffect(() => {
    if (isAtEnd.current && scroller.current !== null)
      scroller.current.scrollTop = scroller.current.scrollHeight;
  }, [state]);
  return scroller;
}
