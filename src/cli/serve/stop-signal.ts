import { EXIT } from '../exit-codes.ts';

/** What tells a server to end: Ctrl-C, a service manager, a terminal that is closed. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Resolves when the process is told to end. Being told again, while it is being closed, ends it at once. */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let isTold = false;
    const told = (): void => {
      if (isTold) process.exit(EXIT.interrupted);
      isTold = true;
      resolve();
    };
    for (const signal of SIGNALS) process.on(signal, told);
  });
}
