import type { VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { server } from '../rpc/server.ts';
import { AttachedImages, attach } from './attached-images.tsx';
import { cancel, chat, isSending, send } from './chat-store.ts';
import { draft, focusRequests } from './draft.ts';
import { pressInPrompt } from './prompt-keys.ts';
import { closeSuggestions, suggest, suggestions } from './prompt-suggestions.ts';
import { recalled } from './recalled-prompts.ts';
import { activeSuggestionId, SUGGESTION_LIST_ID, SuggestionList } from './suggestion-list.tsx';

const MOST_ROWS = 12;

/** Where questions are typed. Enter sends, Shift+Enter makes a line, Up brings earlier ones back. */
export function PromptInput(): VNode {
  const isBusy = chat.value?.streaming !== null && chat.value !== undefined;
  const isReadOnly = chat.value?.isReadOnly === true;
  const isLocked = chat.value === undefined || chat.value.isCompacting || isReadOnly;
  const isConnected = server.connection.value === 'open';
  const isReady = !isBusy && !isLocked && isConnected && !isSending.value;
  const submit = () => {
    if (!isReady) return;
    recalled.leave();
    closeSuggestions();
    void send();
  };
  return (
    <form
      class="prompt"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <AttachedImages />
      <Typing isLocked={isLocked} placeholder={placeholder(isReadOnly)} onEnter={submit} />
      <div class="prompt-actions">
        <label class={`button quiet${isLocked ? ' is-disabled' : ''}`}>
          Add image
          <input
            type="file"
            class="hidden"
            accept="image/png,image/jpeg,image/gif,image/webp"
            multiple
            disabled={isLocked}
            onChange={(event) => {
              void attach(event.currentTarget.files ?? []);
              event.currentTarget.value = '';
            }}
          />
        </label>
        <span class="hint">Enter sends · Shift+Enter: new line · ↑ earlier prompts</span>
        {isBusy && isConnected ? (
          <button type="button" disabled={isReadOnly} onClick={() => void cancel()}>
            Stop
          </button>
        ) : (
          <button type="submit" class="primary" disabled={!isReady || draft.value.trim() === ''}>
            Send
          </button>
        )}
      </div>
    </form>
  );
}

interface TypingProps {
  readonly isLocked: boolean;
  readonly placeholder: string;
  readonly onEnter: () => void;
}

function Typing({ isLocked, placeholder: hint, onEnter }: TypingProps): VNode {
  const area = useRef<HTMLTextAreaElement>(null);
  const request = focusRequests.value;
  const focused = useRef<number | undefined>(isLocked ? request : undefined);
  // Before the browser handles the next key: an effect that waits for a frame would let Enter press the button again.
  useLayoutEffect(() => {
    if (isLocked || focused.current === request) return;
    focused.current = request;
    area.current?.focus();
  }, [request, isLocked]);
  const rows = Math.max(Math.min(draft.value.split('\n').length, MOST_ROWS), 2);
  const type = (text: string) => {
    recalled.leave();
    draft.value = text;
  };
  return (
    <div class="typing">
      <SuggestionList
        onChoose={(prompt) => {
          type(prompt);
          closeSuggestions();
        }}
      />
      <textarea
        ref={area}
        rows={rows}
        aria-label="Message"
        aria-autocomplete="list"
        aria-controls={suggestions.value.prompts.length === 0 ? undefined : SUGGESTION_LIST_ID}
        aria-activedescendant={activeSuggestionId()}
        placeholder={hint}
        value={draft.value}
        disabled={isLocked}
        onInput={(event) => {
          type(event.currentTarget.value);
          suggest(draft.value);
        }}
        onBlur={closeSuggestions}
        onKeyDown={(event) => pressInPrompt(event, onEnter)}
        onPaste={(event) => {
          const files = event.clipboardData?.files;
          if (files === undefined || files.length === 0) return;
          event.preventDefault();
          void attach(files);
        }}
      />
    </div>
  );
}

function placeholder(isReadOnly: boolean): string {
  if (isReadOnly) return 'This server only lets you read';
  return chat.value?.isCompacting === true ? 'Compacting…' : 'Ask about this project';
}
