import { useEffect, useState } from 'preact/hooks';
import { messageOf } from '../rpc/rpc-error.ts';
import { server } from '../rpc/server.ts';

/** What the server answered; neither value nor error: it has not yet. */
export interface Answer<T> {
  readonly value?: T;
  readonly error?: string;
  readonly again: () => void;
}

/** Asks the server when the page is shown, when `key` changes, and again after a lost connection. */
export function useAnswer<T>(key: string, ask: () => Promise<T>): Answer<T> {
  const [answer, setAnswer] = useState<{ readonly key: string; readonly value?: T; readonly error?: string }>(
    { key },
  );
  const [times, setTimes] = useState(0);
  const openings = server.openings.value;
  useEffect(() => {
    let isWanted = true;
    ask().then(
      (value) => isWanted && setAnswer({ key, value }),
      (error) => isWanted && setAnswer({ key, error: messageOf(error) }),
    );
    return () => {
      isWanted = false;
    };
  }, [key, openings, times]);
  const again = () => setTimes(times + 1);
  if (answer.key !== key) return { again };
  return {
    again,
    ...(answer.value === undefined ? {} : { value: answer.value }),
    ...(answer.error === undefined ? {} : { error: answer.error }),
  };
}
