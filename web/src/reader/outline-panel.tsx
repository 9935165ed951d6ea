import type { VNode } from 'preact';
import type { SessionOutline } from '../../../src/server/rpc/api.ts';
import { cleanText, formatQuantity } from '../text/format.ts';
import { LineCounts } from './diff-view.tsx';
import { fileHref } from './links.ts';
import { jumpTo } from './reader-store.ts';

interface OutlineProps {
  readonly outline: SessionOutline;
  readonly project: string;
  /** The first visible row. */
  readonly row: number;
}

/** The prompts of a session and the files it changed, to jump to. */
export function OutlinePanel({ outline, project, row }: OutlineProps): VNode {
  const { prompts, failures, files } = outline;
  const current = prompts.findLast((prompt) => prompt.row <= row)?.id;
  return (
    <nav class="outline" aria-label="Outline of the session">
      <h3>
        Prompts <kbd>n</kbd> <kbd>p</kbd>
      </h3>
      <ol>
        {prompts.map(({ id, text, row: start }, index) => {
          const end = prompts[index + 1]?.row ?? Number.POSITIVE_INFINITY;
          const own = failures.filter((failure) => failure.row >= start && failure.row < end);
          return (
            <li key={id}>
              <button
                type="button"
                class="outline-entry"
                aria-current={id === current ? 'true' : undefined}
                title={cleanText(text)}
                onClick={() => jumpTo(id)}
              >
                <bdi>{cleanText(text) || 'Image'}</bdi>
                {own.length === 0 ? null : (
                  <span class="failure" title={formatQuantity(own.length, 'failure')}>
                    ✗<span class="hidden">Failures: </span> {own.length}
                  </span>
                )}
              </button>
            </li>
          );
        })}
      </ol>
      {files.length === 0 ? null : (
        <>
          <h3>{formatQuantity(files.length, 'file')} changed</h3>
          <ul>
            {files.map((file) => (
              <li key={file.path}>
                <a class="outline-entry" href={fileHref(project, file.path)} title={cleanText(file.path)}>
                  <bdi class="file-name">{fileName(file.path)}</bdi>
                  <LineCounts {...file} />
                </a>
              </li>
            ))}
          </ul>
        </>
      )}
    </nav>
  );
}

/** The name of a file and the folder it is in; the tooltip has the whole path. */
function fileName(path: string): string {
  return cleanText(path).split('/').slice(-2).join('/');
}
