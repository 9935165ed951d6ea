import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { CommandCheck, DisplayMessage } from '../../../src/server/rpc/api.ts';
import { server } from '../rpc/server.ts';
import { copyWithNotice } from '../shell/notices.ts';
import { cleanText, formatDayAndTime } from '../text/format.ts';
import { clock } from '../text/time-view.tsx';

/** A part of a reply: Markdown, or a command that it suggests. */
type ReplyPart = { readonly text: string; readonly command?: undefined } | { readonly command: string };

const LINE_END = /\r\n|\n|\r/;

/** Splits a reply at the lines that suggest commands. */
export function splitAtCommands(text: string, commands: DisplayMessage['commands'] = []): readonly ReplyPart[] {
  if (commands.length === 0) return [{ text }];
  const lines = text.split(LINE_END);
  const parts: ReplyPart[] = [];
  let start = 0;
  const addText = (end: number) => {
    const between = lines.slice(start, end).join('\n');
    if (between.trim() !== '') parts.push({ text: between });
  };
  for (const { line, command } of commands) {
    addText(line);
    parts.push({ command });
    start = line + 1;
  }
  addText(lines.length);
  return parts;
}

/** A command that a reply suggests, with what the guard says about it. Nothing is run from here. */
export function SuggestedCommandButton({
  command,
  project,
}: {
  readonly command: string;
  readonly project: string;
}): VNode {
  const [check, setCheck] = useState<CommandCheck>();
  useEffect(() => {
    let isShown = true;
    server.call('chat.check', { project, command }).then(
      (found) => isShown && setCheck(found),
      // If it cannot be checked, the command is shown all the same.
      () => undefined,
    );
    return () => {
      isShown = false;
    };
  }, [command, project]);
  return (
    <div class={`code suggested-command${check?.warning === undefined ? '' : ' is-warned'}`}>
      <div class="code-head">
        <CheckResult check={check} />
        <button
          type="button"
          class="quiet"
          aria-label={`Copy the command ${cleanText(command)}`}
          onClick={() => void copyWithNotice(command)}
        >
          Copy
        </button>
      </div>
      <pre tabIndex={0}>
        <code dir="ltr">{cleanText(command)}</code>
      </pre>
      {check?.warning === undefined ? null : <Warning warning={check.warning} />}
    </div>
  );
}

function CheckResult({ check }: { readonly check: CommandCheck | undefined }): VNode {
  if (check === undefined) return <span>Command</span>;
  if (check.warning !== undefined) return <span class="failure">✗ Failed before</span>;
  if (check.known !== undefined) return <span title={cleanText(check.known)}>Command · failed before, no warning</span>;
  if (check.off === undefined) return <span>Command · no known failure</span>;
  const why = check.off === 'recording' ? 'recording is paused' : `${check.off} is off`;
  return <span>Command · not checked: {why}</span>;
}

function Warning({ warning }: { readonly warning: NonNullable<CommandCheck['warning']> }): VNode {
  const { failed, reason, failedAt, fix, project } = warning;
  return (
    <div class="command-warning">
      <p>
        <code dir="ltr">{cleanText(failed)}</code> failed{project === undefined ? '' : ` in ${cleanText(project)}`} on{' '}
        {formatDayAndTime(failedAt, clock.value)}
        {reason === '' ? '.' : `: ${cleanText(reason)}`}
      </p>
      {fix === undefined ? null : (
        <p>
          Worked instead: <code dir="ltr">{cleanText(fix)}</code>{' '}
          <button type="button" class="quiet" onClick={() => void copyWithNotice(fix)}>
            Copy
          </button>
        </p>
      )}
    </div>
  );
}
