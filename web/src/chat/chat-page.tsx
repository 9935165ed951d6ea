import type { VNode } from 'preact';
import { openHistoryBrowser } from '../history/browser-store.ts';
import { typedCommand } from '../shell/project-store.ts';
import { useDroppedImages } from './attached-images.tsx';
import { ChatMessages } from './chat-messages.tsx';
import { chat, chatProblem, newSession } from './chat-store.ts';
import { FilePicker, HistoryBar } from './chat-tools.tsx';
import { PromptInput } from './prompt-input.tsx';

/** The chat about the project. */
export function ChatPage(): VNode {
  const state = chat.value;
  const dropping = useDroppedImages();
  const isChanging = state === undefined || state.isReadOnly || state.streaming !== null;
  return (
    <section class={`chat${dropping.isOver ? ' is-dropping' : ''}`} aria-label="Chat" {...dropping.handlers}>
      <header class="chat-head">
        <h1>Chat</h1>
        {state === undefined ? null : <Responder name={state.status.responder} />}
        <span class="spacer" />
        <button type="button" disabled={isChanging} onClick={() => void newSession()}>
          New session
        </button>
        <button type="button" onClick={openHistoryBrowser}>
          History
        </button>
      </header>
      {state === undefined ? (
        <p class="empty" aria-busy={chatProblem.value === ''}>
          {chatProblem.value || 'Loading…'}
        </p>
      ) : (
        <ChatMessages state={state} />
      )}
      <footer class="chat-foot">
        {state === undefined ? null : (
          <div class="chat-tools">
            <HistoryBar status={state.status} isReadOnly={state.isReadOnly} />
            <FilePicker />
          </div>
        )}
        <PromptInput />
      </footer>
    </section>
  );
}

function Responder({ name }: { readonly name: string }): VNode {
  if (name !== 'memory') return <span class="fact">answered by {name}</span>;
  return (
    <span
      class="fact"
      title={`To chat with a model, configure one: ${typedCommand('config set model.provider …')}, ${typedCommand('config set model.name …')}`}
    >
      answered by memory (no model configured)
    </span>
  );
}
