import { useEffect, useRef, useState } from 'preact/hooks';
import { messageOf } from '../rpc/rpc-error.ts';
import { server } from '../rpc/server.ts';

/** What the server answered last. An error is told only as long as there is no answer to show. */
export interface LiveAnswer<T> {
  readonly value?: T;
  readonly error?: string;
  /** Asks again; resolves when that is shown. */
  readonly again: () => Promise<void>;
}

/** While agents work, their logs change many times each second. */
const CALM_MS = 1_000;

/**
 * Asks the server when the page is shown, again after a lost connection, and whenever something happened in the
 * project. What was shown stays until the next answer is there.
 */
export function useLiveAnswer<T>(project: string, ask: () => Promise<T>): LiveAnswer<T> {
  const [answer, setAnswer] = useState<{ readonly value?: T; readonly error?: string }>({});
  const openings = server.openings.value;
  const isShown = useRef(true);
  const latest = useRef(ask);
  latest.current = ask;
  const again = async () => {
    try {
      const value = await latest.current();
      if (isShown.current) setAnswer({ value });
    } catch (error) {
      if (isShown.current) setAnswer((before) => ('value' in before ? before : { error: messageOf(error) }));
    }
  };
  useEffect(() => {
    isShown.current = true;
    if (project !== '') void again();
    return () => {
      isShown.current = false;
    };
  }, [project, openings]);
  useEffect(() => followProject(project, again), [project]);
  return { ...answer, again };
}

/** Calls `refresh` when something happened, at most once in a while. Returns a function that ends it. */
function followProject(project: string, refresh: () => Promise<void>): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const hear = (event: { readonly project: string }) => {
    if (event.project !== project) return;
    timer ??= setTimeout(() => {
      timer = undefined;
      void refresh();
    }, CALM_MS);
  };
  const ends = [server.on('history.changed', hear), server.on('warning.given', hear)];
  return () => {
    clearTimeout(timer);
    for (const end of ends) end();
  };
}
