import type { VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { server } from '../rpc/server.ts';
import { cleanText } from '../text/format.ts';
import { AttachedImages, attach } from './attached-images.tsx';
import { cancel, chat, isSending, send } from './chat-store.ts';
import { draft, focusRequests } from './draft.ts';
import { closeSuggestions, moveSelection, promptRecall, suggest, suggestions } from './prompt-history.ts';

const MAX_ROWS = 12;
const SUGGESTION_LIST_ID = 'prompt-suggestions';
const MAX_SUGGESTION_LENGTH = 200;

/** The message box. Enter sends, Shift+Enter inserts a line break, Up recalls earlier prompts. */
export function PromptInput(): VNode {
  const isBusy = chat.value?.streaming !== null && chat.value !== undefined;
  const isReadOnly = chat.value?.isReadOnly === true;
  const isLocked = chat.value === undefined || chat.value.isCompacting || isReadOnly;
  const isConnected = server.connection.value === 'open';
  const isReady = !isBusy && !isLocked && isConnected && !isSending.value;
  const submit = () => {
    if (!isReady) return;
    promptRecall.stop();
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
      <MessageBox isLocked={isLocked} placeholder={placeholder(isReadOnly)} onEnter={submit} />
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
        <span class="hint">Enter to send · Shift+Enter for a new line · ↑ for earlier prompts</span>
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

interface MessageBoxProps {
  readonly isLocked: boolean;
  readonly placeholder: string;
  readonly onEnter: () => void;
}

function MessageBox({ isLocked, placeholder: hint, onEnter }: MessageBoxProps): VNode {
  const area = useRef<HTMLTextAreaElement>(null);
  const request = focusRequests.value;
  const focused = useRef<number | undefined>(isLocked ? request : undefined);
  // A layout effect, so that the next key goes to the box and not to the button that asked for the focus.
  useLayoutEffect(() => {
    if (isLocked || focused.current === request) return;
    focused.current = request;
    area.current?.focus();
  }, [request, isLocked]);
  const rows = Math.max(Math.min(draft.value.split('\n').length, MAX_ROWS), 2);
  const type = (text: string) => {
    promptRecall.stop();
    draft.value = text;
  };
  return (
    <div class="typing">
      <SuggestionList
        onSelect={(prompt) => {
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
        onKeyDown={(event) => handlePromptKey(event, onEnter)}
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
  if (isReadOnly) return 'This server is read-only';
  return chat.value?.isCompacting === true ? 'Compacting…' : 'Ask about this project';
}

type AreaEvent = KeyboardEvent & { readonly currentTarget: HTMLTextAreaElement };

function handlePromptKey(event: AreaEvent, onEnter: () => void): void {
  if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
  if (handleSuggestionKey(event)) {
    event.preventDefault();
    return;
  }
  if (event.key === 'Enter' && !event.shiftKey) {
    event.preventDefault();
    onEnter();
  } else if (event.key === 'ArrowUp' || event.key === 'ArrowDown') void recallPrompt(event);
}

function handleSuggestionKey({ key, shiftKey }: AreaEvent): boolean {
  const { prompts, selected } = suggestions.value;
  if (prompts.length === 0 || shiftKey) return false;
  const chosen = prompts[selected];
  if (key === 'ArrowDown' && !promptRecall.isActive) return moveSelection(1);
  if (key === 'ArrowUp') return moveSelection(-1);
  if (key !== 'Escape' && !((key === 'Enter' || key === 'Tab') && chosen !== undefined)) return false;
  if (key !== 'Escape' && chosen !== undefined) draft.value = chosen;
  closeSuggestions();
  return true;
}

async function recallPrompt(event: AreaEvent): Promise<void> {
  const { selectionStart, value } = event.currentTarget;
  const isUp = event.key === 'ArrowUp';
  const isAtEdge = isUp ? !value.slice(0, selectionStart).includes('\n') : !value.slice(selectionStart).includes('\n');
  if (!isAtEdge || (!isUp && !promptRecall.isActive)) return;
  event.preventDefault();
  closeSuggestions();
  const prompt = isUp ? await promptRecall.older(value).catch(() => undefined) : promptRecall.newer();
  if (prompt !== undefined) draft.value = prompt;
}

function activeSuggestionId(): string | undefined {
  const { selected } = suggestions.value;
  return selected < 0 ? undefined : `${SUGGESTION_LIST_ID}-${selected}`;
}

function SuggestionList({ onSelect }: { readonly onSelect: (prompt: string) => void }): VNode | null {
  const { prompts, selected } = suggestions.value;
  if (prompts.length === 0) return null;
  return (
    <div class="suggestions" id={SUGGESTION_LIST_ID} role="listbox" aria-label="Earlier prompts">
      {prompts.map((prompt, index) => (
        <div
          key={prompt}
          id={`${SUGGESTION_LIST_ID}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === selected}
          // On mouse down, before the message box loses the focus.
          onMouseDown={(event) => {
            event.preventDefault();
            onSelect(prompt);
          }}
        >
          <bdi>{cleanText(prompt.slice(0, MAX_SUGGESTION_LENGTH))}</bdi>
        </div>
      ))}
    </div>
  );
}
