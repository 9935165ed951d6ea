import type { VNode } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { RedactedText } from '../../../src/server/rpc/api.ts';
import { errorMessage } from '../rpc/rpc-client.ts';
import { server } from '../rpc/server.ts';
import { debounce } from '../shell/timing.ts';
import { cleanText } from '../text/format.ts';

const DEBOUNCE_MS = 150;
const MASK = /(\[redacted:[^\]\s]{1,40}\])/;

/** A text box, and below it the text as it would be recorded. */
export function RedactionTest(): VNode {
  const [text, setText] = useState('');
  const [shown, setShown] = useState<{
    readonly given: string;
    readonly result?: RedactedText;
    readonly problem?: string;
  }>();
  const run = useMemo(
    () =>
      debounce((given: string) => {
        server.call('settings.redact', { text: given }).then(
          (result) => setShown({ given, result }),
          (error) => setShown({ given, problem: errorMessage(error) }),
        );
      }, DEBOUNCE_MS),
    [],
  );
  useEffect(() => run.cancel, []);
  return (
    <div class="redaction">
      <label>
        <span class="setting-name">What would be masked?</span>
        <textarea
          rows={4}
          spellcheck={false}
          autocomplete="off"
          maxLength={100_000}
          placeholder="Paste a command, a log or a settings file"
          value={text}
          onInput={(event) => {
            const given = event.currentTarget.value;
            setText(given);
            if (given === '') {
              run.cancel();
              setShown(undefined);
            } else run.later(given);
          }}
        />
      </label>
      {text === '' || shown === undefined ? null : (
        <div role="status">
          {shown.problem === undefined ? null : <p class="problem">{shown.problem}</p>}
          {shown.result === undefined ? null : <Result given={shown.given} result={shown.result} />}
        </div>
      )}
    </div>
  );
}

function Result({ given, result: { text, masks } }: { readonly given: string; readonly result: RedactedText }): VNode {
  const summary = masks.map(({ kind, count }) => (count === 1 ? kind : `${kind} (${count})`)).join(', ');
  return (
    <>
      <p class="setting-hint">
        {text === given ? 'Nothing would be masked.' : `Masked: ${summary || 'names of home folders'}`}
      </p>
      <pre class="redacted">
        {cleanText(text)
          .split(MASK)
          .map((part, index) => (MASK.test(part) ? <mark key={index}>{part}</mark> : part))}
      </pre>
    </>
  );
}
