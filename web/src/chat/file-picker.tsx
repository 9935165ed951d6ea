import { signal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import { messageOf } from '../rpc/rpc-error.ts';
import { server } from '../rpc/server.ts';
import { projectId } from '../shell/project-store.ts';
import { cleanText } from '../text/clean-text.ts';
import { debounced } from '../text/debounced.ts';
import { addFile, chat, dropFile } from './chat-store.ts';
import { ofProject } from './of-project.ts';

const query = signal('');
const offered = signal<readonly string[]>([]);
const problem = signal('');
const ASK_AFTER_MS = 150;
const MOST = 50;

/** Which files the model sees, and others that it may. */
export function FilePicker(): VNode {
  const selected = chat.value?.files ?? [];
  const asking = useMemo(() => debounced((text: string) => void ask(text), ASK_AFTER_MS), []);
  useEffect(() => asking.now(query.value), [projectId.value]);
  return (
    <details class="file-picker">
      <summary>
        Files <span class="badge">{selected.length}</span>
      </summary>
      <div class="picker">
        <input
          type="search"
          aria-label="Find a file of the project"
          placeholder="Find a file"
          value={query.value}
          onInput={(event) => {
            query.value = event.currentTarget.value;
            asking.later(query.value);
          }}
        />
        {problem.value === '' ? null : <p class="problem">{problem.value}</p>}
        <ul>
          {selected.map((path) => (
            <FileChoice key={path} path={path} isSelected />
          ))}
          {offered.value
            .filter((path) => !selected.includes(path))
            .slice(0, MOST)
            .map((path) => (
              <FileChoice key={path} path={path} isSelected={false} />
            ))}
        </ul>
      </div>
    </details>
  );
}

function FileChoice({ path, isSelected }: { readonly path: string; readonly isSelected: boolean }): VNode {
  return (
    <li>
      <label>
        <input
          type="checkbox"
          checked={isSelected}
          onChange={() => void (isSelected ? dropFile(path) : addFile(path))}
        />
        <code dir="ltr">{cleanText(path)}</code>
      </label>
    </li>
  );
}

async function ask(text: string): Promise<void> {
  try {
    const { files } = await server.call('files.list', {
      ...ofProject(),
      query: text,
    });
    if (text !== query.value) return;
    offered.value = files;
    problem.value = '';
  } catch (error) {
    problem.value = messageOf(error);
  }
}
