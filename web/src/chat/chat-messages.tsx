import type { VNode } from 'preact';
import { memo } from 'preact/compat';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { DisplayMessage } from '../../../src/server/rpc/api.ts';
import { Images } from '../history/message-view.tsx';
import { historyHref } from '../router/router.ts';
import { copyWithNotice } from '../shell/notices.ts';
import { formatQuantity, shortNumber } from '../text/format.ts';
import { MarkdownView, StreamedMarkdown } from '../text/markdown-view.tsx';
import { Time } from '../text/time-view.tsx';
import { type ChatView, isUnanswered } from './chat-state.ts';
import { addToPrompt } from './draft.ts';
import { SuggestedCommandButton, splitAtCommands } from './suggested-command.tsx';

const MESSAGES_AT_ONCE = 100;
/** Scrolled this close to the end, in pixels, the view follows the reply. */
const END_THRESHOLD = 80;
const INTERRUPTED_ID = 'interrupted';

/** The messages of the chat, the reply that is being streamed, and notices. */
export function ChatMessages({ state }: { readonly state: ChatView }): VNode {
  const { messages, streaming, notices, error, isCompacting, project, streamed, sessionId = '' } = state;
  const [shown, setShown] = useState(MESSAGES_AT_ONCE);
  const scroller = useFollowEnd(state);
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
          {formatQuantity(state.earlier, 'earlier message')} in the{' '}
          <a href={historyHref({ session: sessionId, sessionProject: project })}>history</a>.
        </p>
      ) : null}
      {visible.length < messages.length ? (
        <button type="button" class="quiet" onClick={() => setShown(shown + MESSAGES_AT_ONCE)}>
          Show {formatQuantity(Math.min(MESSAGES_AT_ONCE, messages.length - visible.length), 'earlier message')}
        </button>
      ) : null}
      {messages.length === 0 && streaming === null ? <Welcome /> : null}
      {[...visible, ...findReply(state)].map((message) => (
        <ChatMessage
          key={message.id === streamed?.messageId ? streamed.requestId : message.id}
          message={message}
          project={project}
          status={replyStatus(message, state)}
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

/** A reply that is not a message: it is still streamed, or was interrupted. */
function findReply(state: ChatView): readonly DisplayMessage[] {
  const { streaming, interrupted = '' } = state;
  if (streaming !== null) return [{ id: streaming.requestId, role: 'assistant', content: streaming.text }];
  if (interrupted === '' || !isUnanswered(state)) return [];
  return [{ id: INTERRUPTED_ID, role: 'assistant', content: interrupted }];
}

type ReplyStatus = 'complete' | 'streaming' | 'interrupted';

function replyStatus({ id }: DisplayMessage, { streaming }: ChatView): ReplyStatus {
  if (id === streaming?.requestId) return 'streaming';
  return id === INTERRUPTED_ID ? 'interrupted' : 'complete';
}

/** How the chat marks a reply that the user stopped. */
const STOPPED = /\n\n\[stopped by the user\]$/;

interface ChatMessageProps {
  readonly message: DisplayMessage;
  readonly project: string;
  readonly status: ReplyStatus;
}

const ChatMessage = memo(function Message({ message, project, status }: ChatMessageProps): VNode {
  const who = message.kind === 'checkpoint' ? 'summary' : message.role;
  const isStopped = who === 'assistant' && STOPPED.test(message.content);
  const text = isStopped ? message.content.replace(STOPPED, '') : message.content;
  const isStreaming = status === 'streaming';
  return (
    <article
      class={`message ${who}${isStreaming ? ' is-growing' : ''}`}
      data-message={status === 'complete' ? message.id : undefined}
      aria-label={STATUS_LABELS[status] ?? `${who} message`}
    >
      <header class="message-head">
        <span class="who">{who}</span>
        {isStopped ? <span class="badge">stopped</span> : null}
        {status === 'interrupted' ? <span class="badge failure">interrupted</span> : null}
        {message.timestamp === undefined ? null : <Time at={message.timestamp} />}
        {isStreaming ? null : (
          <span class="message-actions">
            <button type="button" class="quiet" onClick={() => void copyWithNotice(text)}>
              Copy
            </button>
          </span>
        )}
      </header>
      {text === '' && isStreaming ? (
        <p class="waiting">…</p>
      ) : (
        splitAtCommands(text, message.commands).map((part, index) =>
          part.command === undefined ? (
            <StreamedMarkdown key={index} text={part.text} isGrowing={isStreaming} />
          ) : (
            <SuggestedCommandButton key={index} command={part.command} project={project} />
          ),
        )
      )}
      <Images project={project} names={message.imageRefs ?? []} />
    </article>
  );
});

const STATUS_LABELS: Readonly<Record<ReplyStatus, string | undefined>> = {
  complete: undefined,
  streaming: 'Reply in progress',
  interrupted: 'Interrupted reply',
};

function Welcome(): VNode {
  const questions = ['What have we worked on?', 'What failed lately, and what worked instead?'];
  return (
    <div class="empty">
      <p>No messages yet. Ask what was tried, what failed and what worked in this project.</p>
      <p class="welcome-questions">
        {questions.map((question) => (
          <button key={question} type="button" onClick={() => addToPrompt(question)}>
            {question}
          </button>
        ))}
      </p>
    </div>
  );
}

function Unanswered({ state }: { readonly state: ChatView }): VNode | null {
  const { messages, error } = state;
  if (!isUnanswered(state)) return null;
  const question = messages.at(-1)?.content ?? '';
  return (
    <p class="chat-notice">
      {error === undefined ? 'The reply was interrupted. ' : ''}
      {state.isReadOnly ? null : (
        <button type="button" onClick={() => addToPrompt(question)}>
          Ask again
        </button>
      )}
    </p>
  );
}

function Compacted({ state: { compacted } }: { readonly state: ChatView }): VNode | null {
  if (compacted === undefined) return null;
  return (
    <details class="chat-notice">
      <summary>
        The history was compacted from {shortNumber(compacted.tokensBefore)} to {shortNumber(compacted.tokensAfter)}{' '}
        tokens.
      </summary>
      <MarkdownView text={compacted.summary} />
    </details>
  );
}

/** Keeps the end of the chat visible while it grows, unless the user has scrolled up. */
function useFollowEnd(state: ChatView): { current: HTMLDivElement | null } {
  const scroller = useRef<HTMLDivElement>(null);
  const isFollowing = useRef(true);
  /** The scroll position after the last update: a smaller one means that the user has scrolled since. */
  const lastTop = useRef(0);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const update = () => {
      isFollowing.current = isNearEnd(element);
    };
    element.addEventListener('scroll', update, { passive: true });
    return () => element.removeEventListener('scroll', update);
  }, []);
  const lastQuestion = state.messages.findLast(({ role }) => role === 'user')?.id;
  useLayoutEffect(() => {
    isFollowing.current = true;
    lastTop.current = 0;
  }, [lastQuestion]);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    // The browser reports scrolling with its next frame, which may be after this update.
    if (element.scrollTop < lastTop.current && !isNearEnd(element)) isFollowing.current = false;
    if (isFollowing.current) element.scrollTop = element.scrollHeight;
    lastTop.current = element.scrollTop;
  }, [state]);
  return scroller;
}

function isNearEnd({ scrollHeight, scrollTop, clientHeight }: HTMLElement): boolean {
  return scrollHeight - scrollTop - clientHeight < END_THRESHOLD;
}
