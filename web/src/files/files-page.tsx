import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import type { FileList, FileOfSessions } from '../../../src/server/rpc/api.ts';
import { Placeholder, useLiveData } from '../project/live-data.tsx';
import { fileHref } from '../reader/links.ts';
import { replaceParams, route } from '../router/router.ts';
import { server } from '../rpc/server.ts';
import { currentProjectId } from '../shell/project-store.ts';
import { EmptyState } from '../shell/states.tsx';
import { cleanText, formatQuantity } from '../text/format.ts';
import { Time } from '../text/time-view.tsx';
import { Choice } from '../usage/choice.tsx';
import { baseName, buildTree, type Folder } from './file-tree.ts';
import { FileView } from './file-view.tsx';

const ORDERS = { recent: 'Recent', changes: 'Most changed', tree: 'Folders' } as const;
type Order = keyof typeof ORDERS;
/** Folders are shown for as many files as the server lists. */
const MAX_FILES = { recent: 500, changes: 500, tree: 5000 } as const;
/** Folders are open when there are not more files than this. */
const MAX_OPEN_FILES = 60;

/** Which sessions touched which files: a list of files, or the changes of one. */
export function FilesPage(): VNode {
  const { path = '' } = route.value.params;
  return path === '' ? <FileListPage /> : <FileView key={path} path={path} />;
}

function FileListPage(): VNode {
  const project = currentProjectId.value;
  const { q = '', order: wanted = '' } = route.value.params;
  const order: Order = wanted === 'changes' || wanted === 'tree' ? wanted : 'recent';
  const { value, error } = useLiveData(
    project,
    () =>
      server.call('changes.files', {
        project,
        order: order === 'tree' ? 'path' : order,
        limit: MAX_FILES[order],
        ...(q === '' ? {} : { query: q }),
      }),
    `${order} ${q}`,
  );
  return (
    <section class="page files" aria-label="Files">
      <header class="page-head">
        <h1>Files</h1>
        {value === undefined ? null : (
          <span class="fact" role="status">
            {describeCount(value)}
          </span>
        )}
        <span class="spacer" />
        <input
          type="search"
          data-search
          aria-label="Find a file"
          placeholder="Find a file  ( / )"
          autocomplete="off"
          spellcheck={false}
          value={q}
          onInput={(event) => replaceParams({ q: event.currentTarget.value })}
          onKeyDown={(event) => {
            if (event.key === 'ArrowDown') document.querySelector<HTMLElement>('.files [data-row]')?.focus();
          }}
        />
        <Choice label="Order" name="order" choices={ORDERS} value={order} />
      </header>
      {value === undefined ? (
        <Placeholder error={error} />
      ) : value.files.length > 0 ? (
        <Files list={value} isTree={order === 'tree'} project={project} />
      ) : (
        <EmptyState
          title={q === '' ? 'No changed files yet' : 'No file matches'}
          {...(q === '' ? { command: 'init' } : {})}
        >
          {q === ''
            ? 'Files that an agent has changed appear here, each with its changes, requests and sessions. No recorded session has changed one. This command sets up your agents and imports the sessions that they have already had:'
            : 'Only files that a recorded session changed are listed.'}
        </EmptyState>
      )}
    </section>
  );
}

function describeCount({ files, total }: FileList): string {
  return files.length < total
    ? `${files.length.toLocaleString()} of ${formatQuantity(total, 'file')}`
    : formatQuantity(total, 'file');
}

function Files(props: { readonly list: FileList; readonly isTree: boolean; readonly project: string }): VNode {
  const { list, isTree, project } = props;
  const tree = useMemo(() => (isTree ? buildTree(list.files) : undefined), [list, isTree]);
  if (tree !== undefined) {
    return (
      <div class="file-tree">
        <FolderContent folder={tree} isOpen={list.files.length <= MAX_OPEN_FILES} project={project} />
      </div>
    );
  }
  return (
    <div class="wide" tabIndex={0} role="region" aria-label="Changed files">
      <table class="usage-table file-table">
        <thead>
          <tr>
            <th scope="col">File</th>
            <th scope="col">Changes</th>
            <th scope="col">Sessions</th>
            <th scope="col">Last changed</th>
          </tr>
        </thead>
        <tbody>
          {list.files.map((file) => (
            <FileRow key={file.path} file={file} project={project} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function FileRow({ file, project }: { readonly file: FileOfSessions; readonly project: string }): VNode {
  const { path, changes, sessions, changedAt } = file;
  const name = cleanText(baseName(path));
  return (
    <tr>
      <th scope="row">
        <a class="cut-at-start" data-row href={fileHref(project, path)} title={cleanText(path)}>
          <bdi dir="ltr">
            <span class="folder">{cleanText(path.slice(0, path.length - baseName(path).length))}</span>
            {name}
          </bdi>
        </a>
      </th>
      <td>{changes.toLocaleString()}</td>
      <td>{sessions.toLocaleString()}</td>
      <td>
        <Time at={changedAt} />
      </td>
    </tr>
  );
}

interface FolderProps {
  readonly folder: Folder;
  readonly isOpen: boolean;
  readonly project: string;
}

function FolderContent({ folder, isOpen, project }: FolderProps): VNode {
  return (
    <ul>
      {folder.folders.map((child) => (
        <li key={child.path}>
          <details open={isOpen}>
            <summary>
              <span class="tree-name">{cleanText(child.name)}/</span>
              <span class="fact">{formatQuantity(child.fileCount, 'file')}</span>
              <span class="fact">{formatQuantity(child.changes, 'change')}</span>
              <Time at={child.changedAt} />
            </summary>
            <FolderContent folder={child} isOpen={isOpen} project={project} />
          </details>
        </li>
      ))}
      {folder.files.map((file) => (
        <li key={file.path} class="tree-file">
          <a data-row href={fileHref(project, file.path)}>
            <span class="tree-name">{cleanText(baseName(file.path))}</span>
          </a>
          <span class="fact">{formatQuantity(file.sessions, 'session')}</span>
          <span class="fact">{formatQuantity(file.changes, 'change')}</span>
          <Time at={file.changedAt} />
        </li>
      ))}
    </ul>
  );
}
