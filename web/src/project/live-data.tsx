import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { errorMessage } from '../rpc/rpc-client.ts';
import { server } from '../rpc/server.ts';
import { currentProjectId, projects } from '../shell/project-store.ts';
import { EmptyState, ProblemNotice, Skeleton } from '../shell/states.tsx';

/** Shown instead of a page that has no data: loading, no project yet, or an error. */
export function Placeholder({ error }: { readonly error?: string | undefined }): VNode {
  if (error !== undefined) return <ProblemNotice text={error} />;
  if (projects.value !== undefined && currentProjectId.value === '') return <NothingRecorded />;
  return (
    <>
      <Skeleton />
      <p class="analysing" role="status">
        Reading the sessions of this project. This takes a while the first time; later, only what is new is read.
      </p>
    </>
  );
}

/** Shown instead of a page of a project in which nothing is recorded. */
export function NothingRecorded(): VNode {
  return (
    <EmptyState title="Nothing recorded yet" command="init">
      What your agents do in this project appears here as they work. Nothing is recorded yet. This command sets them up
      and imports the sessions that they have already had:
    </EmptyState>
  );
}

/** The data of a page. An error is reported only while there is no data to show. */
interface LiveData<T> {
  readonly value?: T;
  readonly error?: string;
  /** Fetches the data again; resolves when it is shown. */
  readonly refresh: () => Promise<void>;
}

/** The logs of a busy agent change many times per second. */
const REFRESH_DELAY_MS = 1_000;

/**
 * Fetches data from the server when the page is shown, after a reconnect, and when something new is recorded in the
 * project; and again when `key` changes. The last data stays visible meanwhile.
 */
export function useLiveData<T>(project: string, fetchData: () => Promise<T>, key = ''): LiveData<T> {
  const [data, setData] = useState<{ readonly value?: T; readonly error?: string }>({});
  const openings = server.openings.value;
  const isShown = useRef(true);
  const latest = useRef(fetchData);
  latest.current = fetchData;
  const refresh = async () => {
    try {
      const value = await latest.current();
      if (isShown.current) setData({ value });
    } catch (error) {
      if (isShown.current) setData((before) => ('value' in before ? before : { error: errorMessage(error) }));
    }
  };
  useEffect(() => {
    isShown.current = true;
    if (project !== '') void refresh();
    return () => {
      isShown.current = false;
    };
  }, [project, key, openings]);
  useEffect(() => followProject(project, refresh), [project]);
  return { ...data, refresh };
}

/** Calls `refresh` after new records, at most once per second. Returns the function that stops it. */
function followProject(project: string, refresh: () => Promise<void>): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const onChange = (event: { readonly project: string }) => {
    if (event.project !== project) return;
    timer ??= setTimeout(() => {
      timer = undefined;
      void refresh();
    }, REFRESH_DELAY_MS);
  };
  const subscriptions = [server.on('history.changed', onChange), server.on('warning.given', onChange)];
  return () => {
    clearTimeout(timer);
    for (const unsubscribe of subscriptions) unsubscribe();
  };
}
