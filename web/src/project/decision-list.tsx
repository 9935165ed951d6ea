import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Conclusion, Methods } from '../../../src/server/rpc/api.ts';
import { sessionHref } from '../reader/links.ts';
import { server } from '../rpc/server.ts';
import { tryCall } from '../shell/notices.ts';
import { currentProjectId } from '../shell/project-store.ts';
import { cleanText, formatQuantity } from '../text/format.ts';
import { InlineCode } from '../text/inline-code.tsx';
import { Ago } from '../text/time-view.tsx';
import type { CompletedAction, RunAction } from './memory-actions.tsx';

interface DecisionsProps {
  readonly decisions: readonly Conclusion[];
  readonly isReadOnly: boolean;
  readonly runAction: RunAction;
}

const TITLES: Readonly<Record<Conclusion['kind'], string>> = { decision: 'Decided', correction: 'Corrected' };
const INITIAL_COUNT = 12;

/** What was decided, and beside it what agents were told to do otherwise. A kind without any takes no room. */
export function Decisions({ decisions, ...props }: DecisionsProps): VNode | null {
  const kinds = (['decision', 'correction'] as const).filter((kind) => decisions.some((each) => each.kind === kind));
  if (kinds.length === 0) return null;
  return (
    <div class="columns decisions">
      {kinds.map((kind) => (
        <section key={kind} aria-label={TITLES[kind]}>
          <h2>{TITLES[kind]}</h2>
          <DecisionList decisions={decisions.filter((each) => each.kind === kind)} {...props} />
        </section>
      ))}
    </div>
  );
}

function DecisionList({ decisions, ...props }: DecisionsProps): VNode {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? decisions : decisions.slice(0, INITIAL_COUNT);
  return (
    <>
      <ul class="cards">
        {shown.map((decision) => (
          <DecisionCard key={decision.id} decision={decision} {...props} />
        ))}
      </ul>
      {shown.length === decisions.length ? null : (
        <button type="button" class="quiet" onClick={() => setWhole(true)}>
          Show all {decisions.length}
        </button>
      )}
    </>
  );
}

interface CardProps extends Omit<DecisionsProps, 'decisions'> {
  readonly decision: Conclusion;
}

function DecisionCard({ decision, isReadOnly, runAction }: CardProps): VNode {
  const [isEditing, setEditing] = useState(false);
  const { text, quote, at, count, sessionId, recordId, isPinned, isEdited, replaced, corrects } = decision;
  const [before] = replaced;
  const save = async (edited: string): Promise<void> => {
    setEditing(false);
    if (edited !== '' && edited !== text) await runAction(choose(decision, 'edit', edited));
  };
  return (
    <li class="card" data-row tabIndex={-1}>
      <div class="card-head">
        {isEditing ? (
          <TextEditor text={text} onSave={save} onCancel={() => setEditing(false)} />
        ) : (
          <strong class="sentence">
            <InlineCode text={text} />
          </strong>
        )}
      </div>
      {text.includes(quote) ? null : (
        <blockquote class="reason" title={cleanText(quote)}>
          “{cleanText(quote)}”
        </blockquote>
      )}
      {corrects === undefined ? null : (
        <p class="reason">
          Refused: <code dir="ltr">{cleanText(corrects.what)}</code>
        </p>
      )}
      {before === undefined ? null : <p class="reason">Was: {cleanText(before.text)}</p>}
      <div class="card-actions">
        <span class="fact">
          <a href={sessionHref(currentProjectId.value, sessionId, recordId)} title="Open the moment in its session">
            <Ago at={at} />
          </a>
          {count > 1 ? `, said ${formatQuantity(count, 'time')}` : ''}
        </span>
        {isPinned ? <span class="badge">pinned</span> : null}
        {isEdited ? <span class="badge">edited</span> : null}
        <span class="spacer" />
        {isReadOnly || isEditing ? null : (
          <Choices decision={decision} runAction={runAction} onEdit={() => setEditing(true)} />
        )}
      </div>
    </li>
  );
}

function Choices({
  decision,
  runAction,
  onEdit,
}: Omit<CardProps, 'isReadOnly'> & { readonly onEdit: () => void }): VNode {
  return (
    <>
      <button type="button" class="quiet" title="Put it into other words; the quote stays" onClick={onEdit}>
        Edit
      </button>
      {decision.isPinned ? null : (
        <button
          type="button"
          class="quiet"
          title="Tell agents of it first, and let no later one replace it"
          onClick={() => void runAction(choose(decision, 'pin'))}
        >
          Pin
        </button>
      )}
      <button
        type="button"
        class="quiet"
        title="Never tell agents of it"
        onClick={() => void runAction(choose(decision, 'dismiss'))}
      >
        Dismiss
      </button>
    </>
  );
}

/** Enter saves, Escape leaves the text as it was. */
function TextEditor(props: {
  readonly text: string;
  readonly onSave: (text: string) => Promise<void>;
  readonly onCancel: () => void;
}): VNode {
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <form
      class="decision-editor"
      onSubmit={(event) => {
        event.preventDefault();
        void props.onSave(String(new FormData(event.currentTarget).get('text')).trim());
      }}
    >
      <textarea
        name="text"
        rows={3}
        aria-label="What was decided"
        maxLength={MAX_TEXT_LENGTH}
        defaultValue={props.text}
        ref={field}
        onKeyDown={(event) => {
          if (event.key === 'Enter') {
            event.preventDefault();
            event.currentTarget.form?.requestSubmit();
          }
          if (event.key !== 'Escape') return;
          event.stopPropagation();
          props.onCancel();
        }}
      />
      <button type="submit">Save</button>
      <button type="button" class="quiet" onClick={props.onCancel}>
        Cancel
      </button>
    </form>
  );
}

const MAX_TEXT_LENGTH = 160;

type Choice = Parameters<Methods['memory.chooseDecision']>[0]['choice'];

const DONE: Readonly<Record<Exclude<Choice, 'undo'>, string>> = {
  edit: 'Edited',
  pin: 'Pinned',
  dismiss: 'Dismissed',
};

async function choose(
  { id, text: before }: Conclusion,
  choice: Exclude<Choice, 'undo'>,
  text?: string,
): Promise<CompletedAction | undefined> {
  const project = currentProjectId.value;
  const call = { project, id, choice, ...(text === undefined ? {} : { text }) };
  if (!(await tryCall(server.call('memory.chooseDecision', call)))) return undefined;
  return {
    text: `${DONE[choice]}: ${text ?? before}`,
    undo: () => tryCall(server.call('memory.chooseDecision', { project, id, choice: 'undo' })),
  };
}
